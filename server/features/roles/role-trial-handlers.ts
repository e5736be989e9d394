import { TRIAL_MINUTES } from '#contract/role-trials.ts';
import { locked } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { keepTrial } from './role-trial-store.ts';

// In force on every server before it is said: the console reads everything anew at once.
export const roleTrialHandlers = handlers({
  getRoleTrial: ({ operator }) => operator.trial,

  tryRole: async (context, { id }) => {
    await context.accessChanged({ sessionIds: [context.operator.sessionId] });
    const { desc: role } = await locked(context.db, 'role', id);
    const until = await keepTrial(context.db, context.operator.sessionId, id);
    context.answerOnceHeard();
    context.say(`正在试用角色“${role}”，${TRIAL_MINUTES} 分钟后自动结束`);
    context.remark({ targetId: id, after: { role, until } });
    return { roleId: id, role, until };
  },

  endRoleTrial: async (context) => {
    const { trial } = context.operator;
    if (!trial) throw new Refusal('notTrying');
    await context.accessChanged({ sessionIds: [context.operator.sessionId] });
    await keepTrial(context.db, context.operator.sessionId, null);
    context.answerOnceHeard();
    context.say('已退出试用');
    context.remark({ targetId: trial.roleId, before: trial });
    return true as const;
  },
});
