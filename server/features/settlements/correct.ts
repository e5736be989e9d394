import { sql } from 'kysely';
import type { CorrectionPreview } from '#contract/corrections.ts';
import type { Db } from '#server/db/database.ts';
import type { Context } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { correctRecord } from '../draw-records/draw-record-store.ts';
import { type Ground, groundOf, holdUnfinished } from './correction-ground.ts';
import { previewCorrection } from './correction-preview.ts';

interface Wanted {
  readonly recordId: number;
  readonly result: string;
}

/** A correction as it was worked out before its transaction: that takes too long for one. */
export interface Foreseen {
  readonly ground: Ground;
  readonly preview: CorrectionPreview;
}

export async function foresee(db: Db, wanted: Wanted): Promise<Foreseen> {
  const ground = await groundOf(db, wanted);
  return { ground, preview: await previewCorrection(db, ground) };
}

/** Takes the phase for this transaction alone, if it is what the correction was foreseen on. Throws `phaseSettling` and `correctionStale`. */
async function demandGround(tx: Db, { ground }: Foreseen): Promise<void> {
  const { recordId, chosen, phase } = ground;
  const now = await groundOf(tx, { recordId, result: chosen.result }, { lock: true });
  if (now.isSettling || !(await holdUnfinished(tx, now)))
    throw new Refusal('phaseSettling', { values: { phase } });
  if (JSON.stringify(now) !== JSON.stringify(ground)) throw new Refusal('correctionStale');
}

/** Says of the settlement that a correction began by whom and why. */
const signSettlement = (tx: Db, { recordId, last }: Ground, who: Context['operator'], reason: string) =>
  sql`
  update settlement set "operatorId" = ${who.id}, "userName" = ${who.userName}, reason = ${reason}
  where "recordId" = ${recordId} and kind = 'CORRECTION' and id > ${last}`.execute(tx);

/**
 * Corrects a record: what it says, why, and in the same transaction, by the record's own trigger, the settlement that brings its slips to
 * it. Where the result stays and was in dispute, what waited for that goes on.
 */
export async function carryOut(
  { db, operator, remark }: Context,
  foreseen: Foreseen,
  reason: string,
): Promise<true> {
  await demandGround(db, foreseen);
  const { ground, preview } = foreseen;
  const { recordId, gameId, phase, standing, chosen } = ground;
  const said = { source: chosen.source, oldResult: standing.result, newResult: chosen.result, reason };
  await correctRecord(db, { recordId, operatorId: operator.id, userName: operator.userName, ...said });
  await signSettlement(db, ground, operator, reason);
  const { slips, users, toPay, toTakeBack, digest } = preview;
  remark({
    targetId: recordId,
    before: { gameId, phase, result: standing.result, source: standing.source },
    after: { gameId, phase, ...chosen, ...(ground.hasSlips && { slips, users, toPay, toTakeBack, digest }) },
  });
  return true;
}
