import { demandRankOverOperator } from '#server/access/grant-rules.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findOperator } from '../operators/operator-store.ts';
import { revokeSession, revokeSessions } from '../sign-in/token-store.ts';
import * as store from './online-session-store.ts';

export const onlineSessionsHandlers = handlers({
  pageOnlineSessions: ({ db, operator }, filter) => store.pageOnlineSessions(db, filter, operator),

  endOnlineSession: async (context, { id }) => {
    const { db, operator } = context;
    await context.accessChanged({ sessionIds: [id] });
    if (id === operator.sessionId) throw new Refusal('endOwnSession');
    const session = await store.findLiveSession(db, id);
    if (!session) throw new Refusal('sessionOver');
    await demandRankOverOperator(db, operator, session.operatorId);
    await revokeSession(db, id);
    context.remark({ before: session });
    context.say('已下线');
    return true as const;
  },

  endOperatorSessions: async (context, { operatorId }) => {
    const { db, operator } = context;
    await context.accessChanged({ operatorIds: [operatorId] });
    const target = await findOperator(db, operatorId);
    if (!target) throw new Refusal('recordNotFound');
    await demandRankOverOperator(db, operator, operatorId);
    await revokeSessions(db, operatorId, operator.sessionId);
    context.remark({ targetId: operatorId, before: { userName: target.userName } });
    context.say(`“${target.userName}”的登录已全部下线`);
    return true as const;
  },
});
