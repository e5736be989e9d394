import type { KeptRules } from './handlers-proof.ts';
import { tenThousandths } from './line.ts';

/*
 * What players turned over, worked out once more: every unit of a line of single numbers is a bet by itself, and bets that stand against each
 * other are crossed out of the list.
 */

/** A line that won or lost, as it stands in the database. */
export interface PlayedLine {
  readonly userId: number;
  readonly gameId: number;
  readonly phase: string;
  readonly chain: string;
  readonly rulesId: number;
  readonly selection: string;
  readonly unitStake: string;
  readonly stake: string;
  readonly refund: string;
}

export interface PlayedRules extends KeptRules {
  readonly latitude: { readonly resultIndex: string; readonly id: number };
}

const words: Readonly<Record<string, (options: KeptRules['options']) => string>> = {
  BigSmallHandler: () => '大小',
  OddEvenHandler: () => '单双',
  SumBigSmallHandler: ({ tripleLoses }) => (tripleLoses ? '' : '大小'),
  SumOddEvenHandler: ({ tripleLoses }) => (tripleLoses ? '' : '单双'),
  SumCombinationHandler: ({ tripleLoses }) => (tripleLoses ? '' : '大单,大双,小单,小双'),
  DragonTigerHandler: ({ tie }) => (tie === 'LOSE' ? '龙虎和' : '龙虎'),
  ColourWaveHandler: () => '红波,绿波,蓝波',
  ShapeHandler: () => '豹子,顺子,对子,半顺,杂六',
};
const listed = (text: string): string[] => (text.includes(',') ? text.split(',') : [...text]);
const ofNumbers = ['ValueHandler', 'SumHandler'];

function lesser(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}

interface Bet {
  readonly line: number;
  readonly number: string;
  readonly odds: bigint;
  amount: bigint;
}

const SCALE = 10n ** 24n;

/** What a tie gave back stands against nothing; before version 0.26 it was crossed out once more, of the 和 of its line. */
export const everyTies = ['APART', 'CROSSED_OUT'] as const;
type Ties = (typeof everyTies)[number];

/** The sets of numbers, of those bet on, that leave no outcome out. */
function againstEachOther(bets: readonly Bet[], rules: readonly PlayedRules[]): string[][] {
  const has = (set: readonly string[]) => set.every((number) => bets.some((bet) => bet.number === number));
  const sets = ['大小', '单双', '龙虎'].map((pair) => [...pair]).filter(has);
  for (const { handler, options } of rules) {
    const whole = listed(words[handler]?.(options) ?? '');
    if (whole.length > 1 && has(whole)) sets.push(whole);
    if (!ofNumbers.includes(handler)) continue;
    const least = new Map<string, bigint>();
    for (const { number, odds } of bets) least.set(number, lesser(least.get(number) ?? odds, odds));
    const staked = [...least.values()].reduce((sum, odds) => sum + (SCALE * 10_000n) / odds, 0n);
    if (least.size > 1 && staked + BigInt(least.size) >= SCALE) sets.push([...least.keys()]);
  }
  return [...new Map(sets.map((set) => [set.toSorted().join(), set])).values()];
}

/** Crosses so much out of the bets on a number, the last ones first, and tells from which lines. */
function crossOut(bets: readonly Bet[], number: string, amount: bigint, out: Map<number, bigint>): void {
  let rest = amount;
  for (const bet of bets.toReversed()) {
    if (bet.number !== number || rest === 0n) continue;
    const taken = lesser(rest, bet.amount);
    bet.amount -= taken;
    rest -= taken;
    out.set(bet.line, (out.get(bet.line) ?? 0n) + taken);
  }
}

/** What is crossed out of lines of one player on one latitude and phase, by their places. */
function crossedOut(
  lines: readonly (readonly [place: number, line: PlayedLine, rules: PlayedRules])[],
  opposing: string,
  ties: Ties,
): Map<number, bigint> {
  const bets = lines.flatMap(([line, { selection, unitStake, refund }, own]): Bet[] => {
    const chosen = selection.split(own.separator);
    const isTied = words[own.handler]?.(own.options) === '龙虎' && tenThousandths(refund) > 0n;
    const back = isTied && ties === 'APART' ? ['龙', '虎'] : [];
    return own.odds
      .filter(({ number }) => chosen.includes(number) && !back.includes(number))
      .map((row) => ({
        ...{ line, number: row.number, odds: tenThousandths(row.odds), amount: tenThousandths(unitStake) },
      }));
  });
  const out = new Map<number, bigint>();
  const sumOn = (number: string) =>
    bets.filter((bet) => bet.number === number).reduce((sum, { amount }) => sum + amount, 0n);
  for (const set of againstEachOther(
    bets,
    lines.map(([, , rules]) => rules),
  )) {
    const sums = set.map(sumOn);
    const least = sums.reduce(lesser, sums[0] ?? 0n);
    for (const [place, number] of set.entries())
      crossOut(bets, number, opposing === 'BOTH' ? (sums[place] ?? 0n) : least, out);
  }
  return out;
}

export const turnoverKey = (userId: number, gameId: number, chain: string): string =>
  `${userId} ${gameId} ${chain}`;

/** What lines turned over, by player, game and chain of agents. */
export function playedTurnover(
  lines: readonly PlayedLine[],
  rules: ReadonlyMap<number, PlayedRules>,
  opposing: string,
  ties: Ties = 'APART',
): Map<string, bigint> {
  const groups = new Map<string, [number, PlayedLine, PlayedRules][]>();
  for (const [place, line] of lines.entries()) {
    const own = rules.get(line.rulesId);
    if (!own || own.selection !== null) continue;
    const key = JSON.stringify([line.userId, line.gameId, line.phase, own.latitude.id]);
    groups.set(key, [...(groups.get(key) ?? []), [place, line, own]]);
  }
  const out = new Map<number, bigint>();
  for (const group of groups.values())
    for (const [place, amount] of crossedOut(group, opposing, ties)) out.set(place, amount);
  const sums = new Map<string, bigint>();
  for (const [place, { userId, gameId, chain, stake, refund }] of lines.entries()) {
    const played = tenThousandths(stake) - tenThousandths(refund) - (out.get(place) ?? 0n);
    const key = turnoverKey(userId, gameId, chain);
    sums.set(key, (sums.get(key) ?? 0n) + (played > 0n ? played : 0n));
  }
  return sums;
}
