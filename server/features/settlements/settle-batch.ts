import { Decimal } from 'decimal.js';
import type { Db } from '#server/db/database.ts';
import { isPassing } from '#server/db/driver/outage.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { giveUpSoon } from '../draw-plans/promise.ts';
import { postAll, refusalOfProblem } from '../ledger/ledger-store.ts';
import { slipOrderNo } from '../ledger/order-numbers.ts';
import {
  type Change,
  leaveWork,
  linesOf,
  lockSlips,
  readRules,
  takeWork,
  voidsOf,
  type Work,
  writeChanges,
  writeHolds,
} from './batch-rows.ts';
import { type Bounds, decide, lineJudge } from './decide.ts';
import { entriesOf } from './movements.ts';

/** Slips that could not be posted, and why: the transaction is undone, and they are set aside in the next. */
class Unposted extends Error {
  override name = 'Unposted';
  readonly slips: ReadonlyMap<number, string>;
  constructor(slips: ReadonlyMap<number, string>) {
    super('slips could not be posted');
    this.slips = slips;
  }
}

/** Posts what changes move. Throws `Unposted` with the slips that cannot be. */
async function postChanges(tx: Db, phase: string, changes: readonly Change[]): Promise<void> {
  const entries = changes.flatMap(({ slip, n, moving }) =>
    entriesOf(moving, {
      userId: slip.userId,
      bizOrderNo: slipOrderNo(slip.id, n),
      desc: `第 ${phase} 期`,
    }).map((entry) => ({
      slipId: slip.id,
      entry,
    })),
  );
  if (entries.length === 0) return;
  const posted = await postAll(
    tx,
    entries.map(({ entry }) => entry),
    { standAlone: true },
  );
  const unposted = posted.flatMap(({ problem }, place) => {
    const slipId = entries[place]?.slipId;
    return problem && slipId !== undefined ? [[slipId, refusalOfProblem(problem).message] as const] : [];
  });
  if (unposted.length > 0) throw new Unposted(new Map(unposted));
}

async function settleSlips(
  tx: Db,
  work: Work,
  ids: readonly number[],
  aside: Bounds['aside'],
): Promise<void> {
  const voids = await voidsOf(tx, work);
  const threshold = await readParam(tx, 'bet.holdPayoutAbove');
  const slips = new Map((await lockSlips(tx, ids, voids)).map((slip) => [slip.id, slip]));
  const lines = await linesOf(tx, [...slips.keys()]);
  const rules = await readRules(tx, [...new Set(lines.map(({ rulesId }) => rulesId))]);
  const judge = lineJudge(work, slips, voids, rules);
  const ofSlip = Map.groupBy(lines, ({ slipId }) => slipId);
  const bounds = { holdAbove: new Decimal(threshold).isZero() ? null : threshold, aside };
  const decided = [...slips.values()].flatMap(
    (slip) => decide(slip, ofSlip.get(slip.id) ?? [], judge, bounds) ?? [],
  );
  const changes = decided.filter((each) => 'target' in each);
  await writeHolds(
    tx,
    work.settlementId,
    decided.filter((each) => 'reason' in each),
  );
  await writeChanges(tx, work.settlementId, changes);
  await postChanges(tx, work.phase, changes);
}

/** How many slips a transaction takes, so that it holds its locks for a tenth of a second or so. */
export interface Pace {
  size: number;
}
const MOST_SLIPS = 1_000;
const [SHORT_MS, LONG_MS] = [60, 120];
export const firstPace = (): Pace => ({ size: 200 });

function keepPace(pace: Pace, ms: number): void {
  if (ms < SHORT_MS) pace.size = Math.min(MOST_SLIPS, Math.ceil(pace.size * 1.5));
  if (ms > LONG_MS) pace.size = Math.max(1, Math.floor((pace.size * LONG_MS) / (2 * ms)));
}

const sentence = (error: unknown): string => {
  if (error instanceof Refusal) return error.message;
  return `入账失败：${error instanceof Error ? error.message : String(error)}`;
};

/** Settles the slips that come next, in one transaction. Tells whether there were any. */
async function settleSome(db: Db, pace: Pace, aside: Bounds['aside']): Promise<boolean> {
  let began = performance.now();
  // Others may change the pace meanwhile.
  const { size } = pace;
  const isWork = await db.transaction().execute(async (tx) => {
    await giveUpSoon(tx);
    const work = await takeWork(tx);
    if (!work) return false;
    const ids = work.slips.slice(0, size);
    began = performance.now();
    try {
      await settleSlips(tx, work, ids, aside);
    } catch (error) {
      const [only] = ids;
      if (error instanceof Unposted || isPassing(error) || ids.length > 1 || only === undefined) throw error;
      throw new Unposted(new Map([[only, sentence(error)]]));
    }
    await leaveWork(tx, work, work.slips.slice(size));
    return true;
  });
  if (isWork) keepPace(pace, performance.now() - began);
  return isWork;
}

/**
 * Settles the slips that come next, of whichever settlement, and sets aside those that cannot be posted. What fails for another reason is
 * tried slip by slip, so that it holds up no other. Tells whether there is more to do.
 */
export async function settleNext(db: Db, pace: Pace, aside: Bounds['aside'] = new Map()): Promise<boolean> {
  try {
    return await settleSome(db, pace, aside);
  } catch (error) {
    if (error instanceof Unposted) return settleNext(db, pace, new Map([...aside, ...error.slips]));
    if (isPassing(error) || pace.size === 1) throw error;
    pace.size = 1;
    return true;
  }
}
