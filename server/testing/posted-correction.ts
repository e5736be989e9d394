import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { CorrectionPreview } from '#contract/corrections.ts';
import type { Db } from '#server/db/database.ts';
import { digestLine } from '#server/features/settlements/correction-preview.ts';
import { unitsOf } from './chain-model.ts';

/** A correction that was applied: the record, how its digest begins, and the last settlement before it. */
export interface Applied {
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

/** What a correction has posted, told as its preview told it. */
export async function postedOf(db: Db, { recordId, head, last }: Applied) {
  const { rows } = await sql<PostedSlip>`
    select m."slipId", s."userId", m.n, m.status, m.payout, m.refund, round(m."movedPayout" + m."movedRefund", 4) as net
    from slip_settlement m join slip s on s.id = m."slipId"
    where m."settlementId" = (select min(id) from settlement where "recordId" = ${recordId} and kind = 'CORRECTION' and id > ${last})
    order by s."userId", s.id`.execute(db);
  const total = (sign: bigint) =>
    rows.map(({ net }) => unitsOf(net) * sign).reduce((sum, net) => sum + (net > 0n ? net : 0n), 0n);
  const lines = rows.map((row) => digestLine(row.slipId, row.n, row.status, row));
  return {
    slips: rows.length,
    users: new Set(rows.map(({ userId }) => userId)).size,
    toPay: total(1n),
    toTakeBack: total(-1n),
    digest: createHash('sha256')
      .update(head + lines.join(''))
      .digest('hex'),
  };
}

/** The same of a preview. */
export const postedAs = ({ slips, users, toPay, toTakeBack, digest }: CorrectionPreview) => ({
  ...{ slips, users, digest },
  ...{ toPay: unitsOf(toPay), toTakeBack: unitsOf(toTakeBack) },
});
