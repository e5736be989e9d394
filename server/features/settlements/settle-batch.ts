import { Decimal } from 'decimal.js';
import type { Db } from '#server/db/database.ts';
import { isPassing } from '#server/db/driver/outage.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { refusalOfProblem } from '../ledger/ledger-store.ts';
import { slipOrderNo } from '../ledger/order-numbers.ts';
import { type Change, type Moving, takeWork, type Work, writeChanges, writeHolds } from './batch-rows.ts';
import type { Bounds } from './decide.ts';
import { decideSlips } from './decide-slips.ts';
import { entriesOf } from './movements.ts';
import { lockSlips } from './open-slips.ts';

/** Thrown with the slips that could not be posted, and why: the transaction is undone, and the next one sets them aside. */
class Unposted extends Error {
  override name = 'Unposted';
  readonly slips: ReadonlyMap<number, string>;
  constructor(slips: ReadonlyMap<number, string>) {
    super('slips could not be posted');
    this.slips = slips;
  }
}

const movingsOf = (phase: string, changes: readonly Change[]): Moving[] =>
  changes.flatMap(({ slip: { id, userId }, n, moving }) =>
    entriesOf(moving, { userId, bizOrderNo: slipOrderNo(id, n), desc: `第 ${phase} 期` }).map((entry) => ({
      ...{ slipId: id, entry },
    })),
  );

/** Settles some slips of a batch and leaves the rest. Throws `Unposted`. */
async function settleSlips(tx: Db, work: Work, size: number, bounds: Bounds): Promise<void> {
  const { voids, slips } = work;
  const open = await lockSlips(tx, slips.slice(0, size), voids);
  const decided = await decideSlips(tx, work, voids, open, bounds);
  const changes = decided.filter((each) => 'target' in each);
  await writeHolds(
    tx,
    work.settlementId,
    decided.filter((each) => 'reason' in each),
  );
  const unposted = await writeChanges(tx, work, slips.slice(size), changes, movingsOf(work.phase, changes));
  if (unposted.size > 0)
    throw new Unposted(
      new Map([...unposted].map(([id, problem]) => [id, refusalOfProblem(problem).message])),
    );
}

/** The most slips of a transaction, so that it holds its locks for about a tenth of a second. */
export interface Pace {
  size: number;
}
const MOST_SLIPS = 1_000;
/** The least slips of a transaction: fewer cost as much, since round trips take longer than slips on a busy machine. */
const LEAST_SLIPS = 100;
const [SHORT_MS, LONG_MS] = [60, 120];
export const firstPace = (): Pace => ({ size: 200 });

function keepPace(pace: Pace, ms: number): void {
  // Below the least are those that are tried one by one after a failure, until it is through.
  if (pace.size < LEAST_SLIPS || ms < SHORT_MS) pace.size = Math.min(MOST_SLIPS, Math.ceil(pace.size * 1.5));
  else if (ms > LONG_MS) pace.size = Math.max(LEAST_SLIPS, Math.floor((pace.size * LONG_MS) / (2 * ms)));
}

const sentence = (error: unknown): string => {
  if (error instanceof Refusal) return error.message;
  return `入账失败：${error instanceof Error ? error.message : String(error)}`;
};

/** What came of looking for work: none, part of a batch, or the end of one. */
export type Done = 'NOTHING' | 'SOME' | 'ROW';

/** Settles the next slips, at most so many, in one transaction. */
async function settleSome(db: Db, pace: Pace, size: number, bounds: Bounds): Promise<Done> {
  let began = performance.now();
  const done = await db.transaction().execute(async (tx): Promise<Done> => {
    const work = await takeWork(tx);
    if (!work) return 'NOTHING';
    began = performance.now();
    try {
      await settleSlips(tx, work, size, bounds);
    } catch (error) {
      const [only, other] = work.slips.slice(0, size);
      if (error instanceof Unposted || isPassing(error) || only === undefined || other !== undefined)
        throw error;
      throw new Unposted(new Map([[only, sentence(error)]]));
    }
    return work.slips.length > size ? 'SOME' : 'ROW';
  });
  if (done !== 'NOTHING') keepPace(pace, performance.now() - began);
  return done;
}

/** What settling goes by: the parameter above which a win is held, as it is now, and the rules that were read. */
export async function readBounds(db: Db): Promise<Bounds> {
  const threshold = await readParam(db, 'bet.holdPayoutAbove');
  return {
    holdAbove: new Decimal(threshold).isZero() ? null : threshold,
    aside: new Map(),
    rules: new Map(),
  };
}

/**
 * Settles the next slips, of whichever settlement, and sets aside those that cannot be posted. A batch that fails for another reason is tried
 * slip by slip, so that one slip holds up no other.
 */
export async function settleNext(db: Db, pace: Pace, bounds: Bounds): Promise<Done> {
  // Others may change the pace meanwhile: what failed among others is tried alone, whoever else has found so before.
  const { size } = pace;
  try {
    return await settleSome(db, pace, size, bounds);
  } catch (error) {
    if (error instanceof Unposted) {
      const { aside } = bounds;
      // What fails although it is not even posted is no slip's fault.
      if ([...error.slips.keys()].every((id) => aside.has(id))) throw error;
      return settleNext(db, pace, { ...bounds, aside: new Map([...aside, ...error.slips]) });
    }
    if (isPassing(error) || size === 1) throw error;
    pace.size = 1;
    return 'SOME';
  }
}
