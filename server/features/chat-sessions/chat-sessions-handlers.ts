import type { ChatAction } from '#server/chat-action.ts';
import { rowsExist } from '#server/db/rows.ts';
import { type Context, handlers, ownTransactions } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import * as store from './chat-session-store.ts';

/** Has an action done on one of the caller's own sessions. */
async function act(context: Context, id: number, action: ChatAction): Promise<true> {
  if (!(await store.findOwnSession(context.db, context.operator.id, id))) throw new Refusal('recordNotFound');
  context.remark({ targetId: id });
  const sentence = await context.chat.perform(id, action);
  if (sentence) context.say(sentence);
  return true;
}

/** As people write numbers: +86 138-0013-8000. */
function phoneOf(written: string): string {
  const phone = written.replaceAll(/[\s()-]/g, '');
  if (!/^\+?\d{5,20}$/.test(phone))
    throw new Refusal('chatRejected', {
      field: 'phone',
      values: { message: '手机号无效，请连同国家代码填写，例如 +8613800138000' },
    });
  return phone;
}

export const chatSessionsHandlers = handlers({
  listMyChatSessions: ({ db, operator }) => store.listMyChatSessions(db, operator.id),

  getChatSession: async ({ db, operator }, { id }) => {
    const session = await store.findOwnSession(db, operator.id, id);
    if (!session) throw new Refusal('recordNotFound');
    return session;
  },

  addChatSession: async ({ db, operator, remark }, { userId }) => {
    if (!(await rowsExist(db, 'player', [userId]))) throw new Refusal('recordNotFound', { field: 'userId' });
    const id = await store.insertSession(db, operator.id, userId);
    remark({ targetId: id });
    return id;
  },

  activateChatSession: ownTransactions((context, { sessionId }) =>
    act(context, sessionId, { kind: 'activate' }),
  ),

  loginChatByPhone: ownTransactions(async (context, { id, phone: written }) => {
    const phone = phoneOf(written);
    await act(context, id, { kind: 'phone', phone });
    await store.savePhone(context.db, id, phone);
    return true as const;
  }),

  loginChatByCode: ownTransactions((context, { id, code }) => act(context, id, { kind: 'code', code })),

  resendChatCode: ownTransactions((context, { id }) => act(context, id, { kind: 'resend' })),

  loginChatByPassword: ownTransactions((context, { id, password }) =>
    act(context, id, { kind: 'password', password }),
  ),

  logoutChatSession: ownTransactions((context, { id }) => act(context, id, { kind: 'logout' })),

  deleteChatSession: ownTransactions(async (context, { id }) => {
    await act(context, id, { kind: 'end' });
    await store.deleteSession(context.db, id);
    return true as const;
  }),
});
