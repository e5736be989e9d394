import type { ParamSetting } from '#contract/params-settings.ts';
import type { Db } from '#server/db/database.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { isKnownParam } from './known-params.ts';
import { demandAmountsInOrder, demandFittingValue } from './param-rules.ts';
import * as store from './param-store.ts';
import { putSecondFactorInForce } from './second-factor.ts';

const keyTaken = () => new Refusal('taken', { field: 'key', values: { what: '参数键' } });

async function target(db: Db, id: number): Promise<ParamSetting> {
  const param = await store.lockParam(db, id);
  if (!param) throw new Refusal('recordNotFound');
  return param;
}

/** What a change of a parameter brings with it at once. */
async function putInForce(context: Context, { key, value }: ParamSetting): Promise<void> {
  await demandAmountsInOrder(context.db, key);
  if (key === 'security.secondFactorRequired') await putSecondFactorInForce(context, value);
}

export const paramsSettingsHandlers = handlers({
  listParamSettings: ({ db }) => store.listParams(db),

  addParamSetting: async ({ db, remark }, fields) => {
    demandFittingValue(fields);
    const id = await store.insertParam(db, fields);
    if (id === undefined) throw keyTaken();
    remark({ targetId: id, after: { id, ...fields } });
    return id;
  },

  updateParamSetting: async (context, param) => {
    const before = await target(context.db, param.id);
    if (isKnownParam(before.key) && param.key !== before.key)
      throw new Refusal('paramInUse', { field: 'key' });
    if (await store.isKeyTaken(context.db, param.key, param.id)) throw keyTaken();
    demandFittingValue(param);
    await store.updateParam(context.db, param);
    await putInForce(context, param);
    context.remark({ before, after: param });
    return param.id;
  },

  deleteParamSetting: async ({ db, remark }, { id }) => {
    const before = await target(db, id);
    if (isKnownParam(before.key)) throw new Refusal('paramInUse');
    await store.deleteParam(db, id);
    remark({ before });
    return true as const;
  },
});
