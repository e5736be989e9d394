import { Decimal } from 'decimal.js';
import type { Db } from '#server/db/database.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import type { LineRules } from '../bets/line-rules.ts';
import { slipTarget } from '../settlements/target.ts';
import { type BettingPlays, bettingPlays } from '../slips/betting-plays.ts';
import { type OfferedPlayWay, readCatalogue } from '../slips/catalogue.ts';
import { contentOf } from '../slips/kept-rules.ts';
import { type ReadLine, readLines, type WantedSlip } from '../slips/wanted-lines.ts';
import { chooseOn } from './crowd-choice.ts';
import type { Dice } from './dice.ts';
import type { SampleDraw, SampleDraws } from './sample-draws.ts';

/** A line of the sample month, and what its draw made of it. */
export interface SampleLine extends ReadLine {
  readonly judged: ReturnType<ReturnType<typeof judgeOfDraw>>;
}

/** A slip of the sample month, and what its draw made of it. Money is exact text. */
export interface SampleSlip {
  readonly person: number;
  readonly draw: SampleDraw;
  readonly placed: Date;
  readonly settled: Date;
  readonly lines: readonly SampleLine[];
  readonly wanted: Pick<WantedSlip, 'lines'>;
  readonly stake: number;
  readonly status: string;
  readonly payout: string;
  readonly refund: string;
}

/** Where the sample players bet: gives the slip that somebody places who has so many whole units of money; nothing where nothing is open. */
export type Bookmaker = (
  dice: Dice,
  better: { readonly person: number; readonly at: Date; readonly money: number },
) => SampleSlip | undefined;

const unitStakes = [1, 2, 2, 5, 5, 10, 20, 50, 100] as const;
/** Somebody needs a moment after a phase has begun. */
const FIRST_SECONDS = 3;
const TRIES = 4;

/** The first draw whose betting is open at that moment or later, and the moment itself or when it opens. */
function openAt(
  { draws, stopBetSecond }: SampleDraws,
  at: Date,
): { draw: SampleDraw; placed: Date } | undefined {
  const [first] = draws;
  if (!first) return undefined;
  const seconds = at.getTime() / 1000;
  const place = Math.max(0, Math.floor((seconds - first.start) / (first.end - first.start)) - 1);
  const draw = draws.slice(place, place + 4).find(({ end }) => seconds < end - stopBetSecond);
  return draw && { draw, placed: new Date(Math.max(seconds, draw.start + FIRST_SECONDS) * 1000) };
}

/** Most people bet on single numbers. */
function playWayFor(dice: Dice, playWays: readonly OfferedPlayWay[]): OfferedPlayWay | undefined {
  const isSingle = dice.chance(0.85);
  const [first, ...others] = playWays.filter(({ selection }) => (selection === null) === isSingle);
  return first && dice.pick([first, ...others]);
}

function wantedLines(dice: Dice, playWays: readonly OfferedPlayWay[]): WantedSlip['lines'] {
  return Array.from({ length: dice.between(1, 3) }).flatMap(() => {
    const playWay = playWayFor(dice, playWays);
    const selection = playWay && chooseOn(dice, playWay);
    return selection ? [{ playWayId: playWay.id, selection, unitStake: String(dice.pick(unitStakes)) }] : [];
  });
}

const stakeOf = (lines: readonly ReadLine[]): number =>
  lines.reduce((sum, { units, unitStake }) => sum + units * Number(unitStake), 0);

/** Reads lines as placing does; a selection once, for a stake of one, of which others are so many times. */
function lineReader(playsOf: BettingPlays) {
  const known = new Map<string, ReadLine>();
  return (wanted: WantedSlip['lines'][number], day: string): ReadLine | undefined => {
    const { unitStake } = wanted;
    const key = `${wanted.playWayId} ${wanted.selection}`;
    const line = known.get(key) ?? readLines({ lines: [{ ...wanted, unitStake: '1' }] }, playsOf, day)[0];
    if (line) known.set(key, line);
    return line && { ...line, unitStake, maxPayout: new Decimal(line.maxPayout).times(unitStake).toFixed() };
  };
}

/** Judges lines by their draw as settling does, by the rules that their slip keeps. */
function lineJudge() {
  const rulesOf = new Map<number, LineRules>();
  const judges = new Map<string, ReturnType<typeof judgeOfDraw>>();
  return (line: ReadLine, draw: SampleDraw): SampleLine => {
    const rules = rulesOf.get(line.playWay.id) ?? contentOf(line).rules;
    rulesOf.set(line.playWay.id, rules);
    const judge = judges.get(draw.phase) ?? judgeOfDraw(draw);
    judges.set(draw.phase, judge);
    return { ...line, judged: judge({ ...line, rules }) };
  };
}

/** Betting on the draws of the sample month: what is there to bet on, read and judged by the code that places and settles. */
export async function openBook(db: Db, month: SampleDraws): Promise<Bookmaker | undefined> {
  const catalogue = await readCatalogue(db, month.gameId);
  if (!catalogue) return undefined;
  const read = lineReader(bettingPlays(catalogue));
  const judge = lineJudge();
  const choose = (dice: Dice, money: number, day: string) => {
    for (let left = TRIES; left > 0; left--) {
      const lines = wantedLines(dice, catalogue.playWays);
      const placed = lines.flatMap((line) => read(line, day) ?? []);
      if (placed.length > 0 && stakeOf(placed) <= money) return { wanted: { lines }, placed };
    }
    return undefined;
  };
  return (dice, { person, at, money }) => {
    const open = openAt(month, at);
    const chosen = open && choose(dice, money, open.draw.drawTime.slice(0, 10));
    if (!chosen) return undefined;
    const { draw, placed } = open;
    const lines = chosen.placed.map((line) => judge(line, draw));
    const settled = new Date(draw.end * 1000);
    const target = slipTarget(lines.map(({ judged }) => judged));
    const { wanted } = chosen;
    return { person, draw, placed, settled, lines, wanted, stake: stakeOf(lines), ...target };
  };
}
