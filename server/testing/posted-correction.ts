import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { CorrectionPreview } from '#contract/corrections.ts';
import type { Db } from '#server/db/database.ts';
import { digestLine } from '#server/features/settlements/correction-preview.ts';
import { type Begun, type ChainSlip, type Units, unitsOf } from './chain-model.ts';

/** A correction that was applied: the settlement in the model, what was foreseen, the record, how its digest begins, and the last settlement before it. */
export interface Applied {
  readonly begun: Begun;
  readonly foreseen: CorrectionPreview;
  readonly recordId: number;
  readonly head: string;
  readonly last: number;
}

interface PostedSlip {
  readonly slipId: number;
  readonly userId: number;
  readonly n: number;
  readonly status: string;
  readonly payout: string;
  readonly refund: string;
  readonly net: string;
}

/** The sum of what is above zero. */
const sumOf = (amounts: readonly Units[]): Units =>
  amounts.reduce((sum, amount) => sum + (amount > 0n ? amount : 0n), 0n);

/** What a correction has posted, told as its preview told it. */
async function postedOf(db: Db, { recordId, head, last }: Applied) {
  const { rows } = await sql<PostedSlip>`
    select m."slipId", s."userId", m.n, m.status, m.payout, m.refund, round(m."movedPayout" + m."movedRefund", 4) as net
    from slip_settlement m join slip s on s.id = m."slipId"
    where m."settlementId" = (select min(id) from settlement where "recordId" = ${recordId} and kind = 'CORRECTION' and id > ${last})
    order by s."userId", s.id`.execute(db);
  const nets = rows.map(({ net }) => unitsOf(net));
  const lines = rows.map((row) => digestLine(row.slipId, row.n, row.status, row));
  const told = {
    slips: rows.length,
    users: new Set(rows.map(({ userId }) => userId)).size,
    toPay: sumOf(nets),
    toTakeBack: sumOf(nets.map((net) => -net)),
  };
  return {
    told,
    digest: createHash('sha256')
      .update([head, ...lines].join(''))
      .digest('hex'),
  };
}

/**
 * Compares what a correction has posted with the model, and with its preview where nothing of it waits for a look. Tells whether it was whole.
 */
export async function expectPosted(db: Db, applied: Applied, slips: readonly ChainSlip[]): Promise<boolean> {
  const { begun, foreseen } = applied;
  const { told, digest } = await postedOf(db, applied);
  const nets = begun.moved.map(({ before, after }) => after - before);
  expect(told).toEqual({
    slips: begun.moved.length,
    users: new Set(begun.moved.map(({ place }) => slips[place]?.player)).size,
    toPay: sumOf(nets),
    toTakeBack: sumOf(nets.map((net) => -net)),
  });
  if (told.slips !== foreseen.slips) return false;
  const { users, toPay, toTakeBack } = foreseen;
  expect({ ...told, digest }).toEqual({
    ...{ slips: told.slips, users, toPay: unitsOf(toPay), toTakeBack: unitsOf(toTakeBack) },
    digest: foreseen.digest,
  });
  return true;
}
