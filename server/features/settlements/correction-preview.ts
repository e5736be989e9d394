import { createHash } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import type { CorrectedSlip, CorrectionPreview } from '#contract/corrections.ts';
import type { Db } from '#server/db/database.ts';
import type { Change, Hold } from './batch-rows.ts';
import type { Ground } from './correction-ground.ts';
import { decideSlips } from './decide-slips.ts';
import { type OpenSlip, slipsAfter } from './open-slips.ts';
import { type Purse, purseOf } from './purse.ts';
import { type VoidInForce, voidsOf } from './voids-in-force.ts';

const SLIPS_AT_ONCE = 500;
const MOST_ITEMS = 200;
const EVERY_VOID = Number.MAX_SAFE_INTEGER;

/** Slips of the phase, accounts together, some at a time: however many there are, only those are in memory. */
async function* slipsOf(db: Db, ground: Ground, voids: readonly VoidInForce[]): AsyncGenerator<OpenSlip[]> {
  for (let after = { userId: 0, id: 0 }; ; ) {
    const slips = await slipsAfter(db, ground, voids, { after, limit: SLIPS_AT_ONCE });
    const last = slips.at(-1);
    if (!last) return;
    yield slips;
    after = last;
  }
}

async function pursesOf(db: Db, changes: readonly Change[]): Promise<Map<number, Purse>> {
  const users = [...new Set(changes.map(({ slip }) => slip.userId))];
  const { rows } = await sql<Purse & { userId: number }>`
    select "userId", "availableAmount" as available, debt from account where "userId" = any(${users}::bigint[])`.execute(
    db,
  );
  return new Map(rows.map(({ userId, ...purse }) => [userId, purse]));
}

const text = (amount: Decimal): string => amount.toFixed(Math.max(2, amount.decimalPlaces()));
const sumOf = ({ payout, refund }: { payout: string; refund: string }) => new Decimal(payout).plus(refund);

/** What of a record and its settlements decides a correction, for its digest. */
export const digestHead = ({ recordId, standing, chosen, last, changes }: Ground): string =>
  JSON.stringify([
    recordId,
    standing.result,
    standing.source,
    standing.conflict,
    chosen.result,
    last,
    changes,
  ]);

/** What a correction makes of a slip, for its digest: its n-th settlement, and what it is by that. */
export const digestLine = (
  slipId: number,
  n: number,
  status: string,
  sum: { payout: string; refund: string },
) => `\n${slipId} ${n} ${status} ${new Decimal(sum.payout).toFixed(4)} ${new Decimal(sum.refund).toFixed(4)}`;

const lineOf = (each: Change | Hold): string =>
  'target' in each
    ? digestLine(each.slip.id, each.n, each.target.status, each.target)
    : `\n${each.slipId} HELD`;

/** Adds up what slips come to, accounts together and each account's in the order of ids. */
class Sums {
  users = 0;
  slips = 0;
  held = 0;
  toPay = new Decimal(0);
  toTakeBack = new Decimal(0);
  shortfall = new Decimal(0);
  items: CorrectedSlip[] = [];
  #userId = 0;
  #move = purseOf({ available: '0', debt: '0' });

  add({ slip, target }: Change, purses: ReadonlyMap<number, Purse>): void {
    const { id: slipId, userId } = slip;
    if (userId !== this.#userId) {
      this.#userId = userId;
      this.#move = purseOf(purses.get(userId) ?? { available: '0', debt: '0' });
      this.users++;
    }
    const [before, after] = [sumOf(slip), sumOf(target)];
    const difference = after.minus(before);
    const shortfall = this.#move(difference);
    this.slips++;
    this.toPay = this.toPay.plus(Decimal.max(difference, 0));
    this.toTakeBack = this.toTakeBack.plus(Decimal.max(difference.negated(), 0));
    this.shortfall = this.shortfall.plus(shortfall);
    this.items.push({ slipId, userId, before: text(before), after: text(after), shortfall: text(shortfall) });
  }

  /** Leaves of the items those that come first. */
  cut(): void {
    this.items = this.items.toSorted((one, other) => one.slipId - other.slipId).slice(0, MOST_ITEMS);
  }
}

/**
 * What correcting a record would move, by the very judging that settles, written nowhere. Slips that a settlement changes meanwhile are
 * told as they are when they are looked at; whoever acts upon it compares the ground.
 */
export async function previewCorrection(db: Db, ground: Ground): Promise<CorrectionPreview> {
  const hash = createHash('sha256').update(digestHead(ground));
  const sums = new Sums();
  const voids = await voidsOf(db, { ...ground, settlementId: EVERY_VOID });
  for await (const slips of slipsOf(db, ground, voids)) {
    const bounds = { holdAbove: null, aside: new Map() };
    const decided = await decideSlips(db, ground.chosen, voids, slips, bounds);
    const changes = decided.filter((each) => 'target' in each);
    const purses = await pursesOf(db, changes);
    for (const change of changes) sums.add(change, purses);
    sums.held += decided.length - changes.length;
    sums.cut();
    hash.update(decided.map(lineOf).join(''));
  }
  const { slips, users, held, toPay, toTakeBack, shortfall, items } = sums;
  const money = { toPay: text(toPay), toTakeBack: text(toTakeBack), shortfall: text(shortfall) };
  return { slips, users, ...money, held, digest: hash.digest('hex'), items };
}
