import { handlers, prepared } from '#server/http/handler.ts';
import { demandMailAddress } from '#server/mail-address.ts';
import * as store from '../sign-in-notices/operator-address-store.ts';
import { demandOwnPassword } from './own-password.ts';

export const signInNoticesHandlers = handlers({
  getSignInNotices: async ({ db, operator, address }) => ({
    email: await store.findEmail(db, operator.id),
    addresses: await store.newAddresses(db, operator.id, address),
  }),

  noteAddresses: async ({ db, operator, address, remark, say }) => {
    const noted = await store.noteNewAddresses(db, operator.id, address);
    remark({ targetId: operator.id, after: noted });
    const isLeft = noted.length === 0 && (await store.countNewAddresses(db, operator.id)) > 0;
    say(isLeft ? '当天的新地址须在以前用过的地址确认，次日起可在任何地址确认' : '已确认');
    return true as const;
  },

  setOwnEmail: prepared(async (context, { email, password }) => {
    if (email !== undefined) demandMailAddress('email', email);
    await demandOwnPassword(context, password);
    return async ({ db, operator, remark, say }) => {
      remark({ targetId: operator.id });
      await store.setEmail(db, operator.id, email ?? null);
      say(email === undefined ? '已不再用邮件提醒' : '提醒邮箱已保存');
      return true as const;
    };
  }),
});
