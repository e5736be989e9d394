import { added, changed, removed } from '#server/db/rows.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { isKnownParam } from '#server/params/known-params.ts';
import { paramValue } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { rightsTooFewHold } from '../approvals/approval-state.ts';
import { putSecondFactorInForce } from '../sign-in/second-factor.ts';
import { demandAmountsInOrder, demandFittingValue, lockAmounts, type ParamFields } from './param-rules.ts';
import { listParamSettings } from './param-setting-store.ts';

/** Whoever turns approvals on alone is told that nothing which needs one will be executed. */
async function warnOfTooFew({ db, say }: Context): Promise<void> {
  const short = await rightsTooFewHold(db);
  if (short.length > 0) say(`修改成功；${short.join('、')}的操作员不足两名，这些操作将不会执行`);
}

/** What a change of a parameter brings with it at once. */
async function putInForce(context: Context, { key, value }: ParamFields): Promise<void> {
  await demandAmountsInOrder(context.db, key);
  if (key === 'approval.enabled') {
    // Servers remember for a moment whether approvals are in force; whoever turned them on relies on them with the next call.
    context.answerOnceHeard();
    if (paramValue(key, value)) await warnOfTooFew(context);
  }
  if (key === 'security.secondFactorRequired') await putSecondFactorInForce(context, value);
}

export const paramSettingsHandlers = handlers({
  listParamSettings: ({ db }) => listParamSettings(db),

  addParamSetting: async ({ db, config }, fields) => {
    demandFittingValue(fields, config);
    return (await added(db, 'param_setting', fields)).id;
  },

  updateParamSetting: async (context, { id, version, ...fields }) => {
    await lockAmounts(context.db, fields.key);
    await changed(context.db, 'param_setting', { id, version }, (before) => {
      if (isKnownParam(before.key) && fields.key !== before.key)
        throw new Refusal('paramInUse', { field: 'key' });
      demandFittingValue(fields, context.config);
      return fields;
    });
    await putInForce(context, fields);
    return id;
  },

  deleteParamSetting: async ({ db }, { id }) => {
    await removed(db, 'param_setting', id, ({ key }) => {
      if (isKnownParam(key)) throw new Refusal('paramInUse');
    });
    return true as const;
  },
});
