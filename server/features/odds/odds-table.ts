import { Decimal } from 'decimal.js';
import type { Input } from '#contract/endpoint.ts';
import type { setOdds } from '#contract/odds.ts';
import type { Db } from '#server/db/database.ts';
import { addedWhereFree, changed } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';

interface Table extends Input<typeof setOdds> {
  readonly nameOf: (numberId: number) => string;
}

const same = (one: string, other: string): boolean => new Decimal(one).equals(other);

/** The play way's odds of these numbers, which nobody else changes until the transaction ends. */
export async function lockedOdds(db: Db, playWayId: number, numberIds: readonly number[]) {
  const rows = await db
    .selectFrom('odds')
    .selectAll()
    .where('playWayId', '=', playWayId)
    .where('numberId', 'in', numberIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.numberId, row]));
}

/** Gives numbers their odds, if all of them still are as they were seen; tells how many are other than before. */
export async function setTable(db: Db, { playWayId, rows, nameOf }: Table): Promise<number> {
  const present = await lockedOdds(
    db,
    playWayId,
    rows.map(({ numberId }) => numberId),
  );
  const moved = rows.filter(({ numberId, seen }) => {
    const now = present.get(numberId)?.odds;
    return now === undefined || seen === undefined ? now !== seen : !same(now, seen);
  });
  const fresh = rows.filter(({ numberId }) => !present.has(numberId));
  const wanted = fresh.map(({ numberId, odds }) => ({ playWayId, numberId, odds }));
  const added = wanted.length > 0 ? await addedWhereFree(db, 'odds', wanted) : [];
  // Whoever added some of them at the same time is seen only now; the frame undoes the rest.
  const lost = fresh.filter(({ numberId }) => !added.some((row) => row.numberId === numberId));
  const numbers = [...new Set([...moved, ...lost].map(({ numberId }) => nameOf(numberId)))];
  if (numbers.length > 0)
    throw new Refusal('oddsTableStale', { field: 'rows', values: { numbers: numbers.join('、') } });
  let count = added.length;
  for (const { numberId, odds } of rows) {
    const row = present.get(numberId);
    if (!row || same(row.odds, odds)) continue;
    await changed(db, 'odds', { id: row.id }, { odds });
    count += 1;
  }
  return count;
}
