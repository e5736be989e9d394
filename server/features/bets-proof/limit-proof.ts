import type { Db } from '#server/db/database.ts';
import * as rows from './limit-rows.ts';
import { amountText, tenThousandths } from './line.ts';
import { inOneSnapshot } from './one-snapshot.ts';

/*
 * What slips take of the limits of their phases, added up once more line by line, and compared with the counters that placing, cancelling and
 * voiding have kept.
 */

interface Sums {
  /** What counters should be, by kind, scope, owner and number. */
  readonly taken: Map<string, bigint>;
  /** Books that cannot fall below nothing. */
  readonly floored: Set<string>;
  /** Cells by their book. */
  readonly cells: Map<string, Set<string>>;
  /** Books of which a cell has fallen: their worst was found by looking at those that grew, and may be too great. */
  readonly fallen: Set<string>;
}

type Limited = Pick<rows.KeptLimit, 'maxUserStake' | 'maxNumberPayout' | 'maxLoss'>;

/** The most specific row that says a limit, and what is added up together by it. */
function scopeOf(limits: readonly rows.KeptLimit[], kind: keyof Limited, gameId: number, playWayId: number) {
  const said = limits.filter((row) => row[kind] !== null);
  if (said.some((row) => row.playWayId === playWayId)) return `w${playWayId}`;
  if (said.some((row) => row.gameId === gameId && row.playWayId === null)) return 'g';
  return said.some((row) => row.gameId === null) ? 'a' : undefined;
}

const least = (amount: bigint, cap: string | undefined): bigint =>
  cap !== undefined && tenThousandths(cap) < amount ? tenThousandths(cap) : amount;

/** What each number of a line is paid if it comes; nothing for lines of several numbers to a unit, or of too many numbers. */
function cellsOf({ selection, unitStake, rules }: rows.TakenLine): Map<string, bigint> | undefined {
  if (rules.selection !== null || rules.odds.length > 1_000) return undefined;
  const odds = new Map(rules.odds.map((row) => [row.number, tenThousandths(row.odds)]));
  const chosen = selection.split(rules.separator);
  return new Map(
    chosen.map((number) => {
      const whole = (tenThousandths(unitStake) * (odds.get(number) ?? 0n)) / 10_000n;
      return [number, least(least(whole, rules.caps?.unit), rules.caps?.line)];
    }),
  );
}

function add({ taken }: Sums, key: string, amount: bigint): void {
  taken.set(key, (taken.get(key) ?? 0n) + amount);
}

/** What a line adds to the house's loss: to the cells and the bound of its book, or by itself where several of its numbers may come. */
function addLoss(
  sums: Sums,
  line: rows.TakenLine,
  scope: string,
  cells: Map<string, bigint> | undefined,
): void {
  const { playWayId, book, mayPush, stake, unitStake, maxPayout } = line;
  const key = `BOOK ${scope} ${playWayId} ${book ?? ''}`;
  const [whole, unit, most] = [tenThousandths(stake), tenThousandths(unitStake), tenThousandths(maxPayout)];
  if (book === null) {
    const loss = most - unit;
    add(sums, key, mayPush ? (loss > 0n ? loss : 0n) : most - whole);
    return;
  }
  add(sums, key, mayPush ? 0n : -whole);
  if (mayPush) sums.floored.add(key);
  const known = sums.cells.get(key) ?? new Set();
  sums.cells.set(key, known);
  for (const [number, payout] of cells ?? []) {
    const cell = `CELL ${scope} ${playWayId} ${book} ${number}`;
    const more = mayPush ? payout - unit : payout;
    if (more < 0n) sums.fallen.add(key);
    add(sums, cell, more);
    known.add(cell);
  }
}

function addLine(sums: Sums, line: rows.TakenLine, gameId: number, limits: readonly rows.KeptLimit[]): void {
  const { playWayId, userId, stake, maxPayout } = line;
  const scope = (kind: keyof Limited) => scopeOf(limits, kind, gameId, playWayId);
  const [ofUser, ofNumber, ofLoss] = [scope('maxUserStake'), scope('maxNumberPayout'), scope('maxLoss')];
  const cells = cellsOf(line);
  if (ofUser) add(sums, `USER ${ofUser} ${userId} `, tenThousandths(stake));
  if (ofNumber && cells)
    for (const [number, payout] of cells) add(sums, `NUMBER  ${playWayId} ${number}`, payout);
  else if (ofNumber) add(sums, `NUMBER  ${playWayId} `, tenThousandths(maxPayout));
  if (ofLoss) addLoss(sums, line, ofLoss, cells);
}

function greatest(amounts: readonly bigint[]): bigint {
  let most = amounts[0] ?? 0n;
  for (const each of amounts) if (each > most) most = each;
  return most;
}

/** Where the counters of a phase are not what its slips take. */
function differences(sums: Sums, kept: readonly rows.KeptCounter[]): string[] {
  const counters = new Map(kept.map((row) => [`${row.kind} ${row.scope} ${row.owner} ${row.number}`, row]));
  const losses = new Map<string, bigint>();
  const wrong: string[] = [];
  const say = (key: string, wanted: bigint, is: string) => {
    if (tenThousandths(is) !== wanted) wrong.push(`${key.trim()} 应为 ${amountText(wanted)}，记为 ${is}`);
  };
  for (const [key, wanted] of sums.taken) say(key, wanted, counters.get(key)?.taken ?? '0');
  for (const [key, { kind, scope, taken, worst, bound, isFloored }] of counters) {
    if (kind !== 'LOSS' && !sums.taken.has(key)) say(key, 0n, taken);
    if (kind !== 'BOOK') continue;
    const most = greatest([...(sums.cells.get(key) ?? [])].map((cell) => sums.taken.get(cell) ?? 0n));
    if (!sums.fallen.has(key) || tenThousandths(worst) < most) say(`${key} 最坏`, most, worst);
    if (sums.floored.has(key) && !isFloored) wrong.push(`${key} 应不小于 0`);
    const whole = tenThousandths(taken) + tenThousandths(worst);
    const bounded = isFloored && whole < 0n ? 0n : whole;
    say(`${key} 最大亏损`, bounded, bound);
    losses.set(scope, (losses.get(scope) ?? 0n) + bounded);
  }
  const scopes = new Set([
    ...losses.keys(),
    ...kept.filter(({ kind }) => kind === 'LOSS').map(({ scope }) => scope),
  ]);
  for (const scope of scopes)
    say(`LOSS ${scope} 0 `, losses.get(scope) ?? 0n, counters.get(`LOSS ${scope} 0 `)?.taken ?? '0');
  return wrong;
}

/** What counters of each kind count, for whoever reads of a wrong one. */
const words: Readonly<Record<string, string>> = {
  USER: '用户投注',
  NUMBER: '号码派彩',
  LOSS: '亏损',
  BOOK: '玩法亏损',
  CELL: '号码亏损',
};

/** Where the counters of one phase are not what its slips take, as a transaction sees it. */
export async function problemsOfPhase(tx: Db, gameId: number, phase: string): Promise<string[]> {
  const limits = await rows.readLimits(tx);
  const sums: Sums = { taken: new Map(), floored: new Set(), cells: new Map(), fallen: new Set() };
  for await (const lines of rows.takenLines(tx, gameId, phase))
    for (const line of lines) addLine(sums, line, gameId, limits);
  const kept = await rows.readCounters(tx, gameId, phase);
  return differences(sums, kept).map(
    (each) =>
      `游戏 ${gameId} 期号 ${phase} 的限额计数 ${each.replace(/^[A-Z]+/, (kind) => words[kind] ?? kind)}`,
  );
}

/** Where counters of limits are not what slips take, phase by phase, each in one snapshot. */
export async function problemsOfLimits(db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const { gameId, phase } of await inOneSnapshot(db, rows.countedPhases))
    problems.push(
      ...(await inOneSnapshot(db, async (tx) =>
        (await rows.isCountedStill(tx, gameId, phase)) ? problemsOfPhase(tx, gameId, phase) : [],
      )),
    );
  return problems;
}
