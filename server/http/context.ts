import { noOperators } from '#contract/no-operators.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { mayMake } from '#server/access/call-path.ts';
import { demandStillHeld } from '#server/access/grant-rules.ts';
import type { Db } from '#server/db/database.ts';
import type { RowNote } from '#server/db/rows.ts';
import type { Call, Services } from './call.ts';
import type { ChangeOutcome } from './change-record.ts';
import type { Context } from './handler.ts';
import { recordedRows, remarked } from './noted-rows.ts';
import { rerunOf } from './rerun.ts';

/** What a handler told the frame while it ran. */
export interface Told {
  message?: string;
  accessChanged?: boolean;
  heardEverywhere?: boolean;
  remark?: Parameters<Context['remark']>[0];
  /** The rows that changed, as the functions of rows.ts noted them. */
  rows?: readonly RowNote[];
}

/** What a handler works with, on this database or inside this transaction. */
export function contextOf(services: Services, call: Call, db: Db, told: Told): Context {
  const { config, vault, chat, live, log, reads, backgroundTroubles } = services;
  return {
    db,
    config,
    replicaTrouble: reads.replicaTrouble(),
    backgroundTroubles,
    vault,
    chat,
    live,
    log,
    now: call.now,
    address: call.address,
    agent: call.agent,
    operator: call.operator,
    waits: call.waits ?? false,
    say: (message) => {
      told.message = message;
    },
    remark: (remark) => {
      told.remark = { ...told.remark, ...remark };
    },
    accessChanged: async (touching, tx = db) => {
      told.accessChanged = true;
      await bumpEpoch(tx, touching);
      const { endpoint, operator, input } = call;
      if (typeof endpoint.access === 'object')
        await demandStillHeld(tx, operator, (now) => mayMake(now, endpoint, input));
    },
    answerOnceHeard: () => {
      told.heardEverywhere = true;
    },
    rerun: (stored) => rerunOf(services, stored, call.now),
  };
}

/** Who calls, as the change record names them: the players' site has a key and no operator. */
const nameOf = ({ operator, endpoint }: Call): string =>
  operator.userName === '' && endpoint.access === 'platform' ? noOperators.platform : operator.userName;

/** A call and its outcome, as the change record takes it. */
export const recordOf = (call: Call, told: Told, outcome: ChangeOutcome, msg: string | null) => ({
  operatorId: call.operator.id,
  userName: nameOf(call),
  endpoint: call.endpoint,
  call: call.name,
  input: call.input,
  address: call.address,
  outcome,
  msg,
  ...(told.rows && recordedRows(told.rows)),
  ...(told.remark && remarked(told.remark)),
});
