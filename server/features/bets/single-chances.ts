import { betNumber } from '../result-handlers/winning-numbers.ts';
import { type DrawSpace, everyDraw, sizeOf } from './draw-space.ts';
import type { Play } from './play.ts';
import { sumsOf } from './sums.ts';
import { bagChances, bagOfNumber, ballsOf, type Chances, MOST_DRAWS, rowChances } from './unit-chances.ts';

/** Of so many equally likely draws how many make a number win, and how many give it back. */
export interface NumberChances {
  readonly won: bigint;
  readonly pushed: bigint;
  readonly total: bigint;
}

interface Tally {
  readonly won: Map<string, bigint>;
  readonly pushed: Map<string, bigint>;
  total: bigint;
}

/** Adds what one reading says, for as many draws as it stands for. */
function count(tally: Tally, { winners, pushes }: ReturnType<Play['readValues']>['reading'], draws: bigint) {
  tally.total += draws;
  const add = (counts: Map<string, bigint>, numbers: readonly string[]) => {
    for (const number of new Set(numbers.map((each) => betNumber(each).plain)))
      counts.set(number, (counts.get(number) ?? 0n) + draws);
  };
  add(tally.won, winners);
  add(tally.pushed, pushes);
}

const tallied =
  ({ won, pushed, total }: Tally) =>
  (number: string): NumberChances => {
    const { plain } = betNumber(number);
    const back = pushed.get(plain) ?? 0n;
    return { won: won.get(plain) ?? 0n, pushed: back, total };
  };

const known = new Map<string, Tally | null>();
const MOST_KNOWN = 2_000;

function tallyOf(play: Play, space: DrawSpace, date: string): Tally | null {
  const tally: Tally = { won: new Map(), pushed: new Map(), total: 0n };
  if (sizeOf(space) <= MOST_DRAWS) {
    for (const values of everyDraw(space)) count(tally, play.readValues({ values, date }).reading, 1n);
    return tally;
  }
  const sums = play.handler.bySum(play.options) ? sumsOf(space) : undefined;
  if (!sums) return null;
  for (const [sum, draws] of sums)
    count(tally, play.readValues({ values: [String(sum)], date }).reading, draws);
  return tally;
}

/** The same latitude of the same game is asked about again and again: by its page, and while odds are typed. */
function knownTally(play: Play, space: DrawSpace, date: string): Tally | null {
  const { latitude, resultRule } = play.rules;
  const { resultIndex, resultHandlerName, handlerOptions } = latitude;
  const key = JSON.stringify([resultRule, resultIndex, resultHandlerName, handlerOptions, date]);
  const present = known.get(key);
  if (present !== undefined) return present;
  if (known.size >= MOST_KNOWN) known.clear();
  const told = tallyOf(play, space, date);
  known.set(key, told);
  return told;
}

const first = ({ won, total }: Chances): NumberChances => ({
  won: won.values().next().value ?? 0n,
  pushed: 0n,
  total,
});

/** Chances of numbers that are looked for at any position. Those made of alike parts have the same chances, and are reckoned once. */
function bagReader(play: Play, space: DrawSpace, date: string) {
  const alike = new Map<string, Chances | undefined>();
  return (number: string): Chances | undefined => {
    const bag = bagOfNumber(number);
    const key = [...bag]
      .map(([part, times]) => `${ballsOf({ play, date, part: space.parts[0] }, part)}x${times}`)
      .toSorted()
      .join();
    if (!alike.has(key)) alike.set(key, bagChances(play, space, bag, date));
    return alike.get(key);
  };
}

/** Where several positions must show several values in order. */
function ordered(play: Play, space: DrawSpace, number: string): NumberChances | undefined {
  if (!play.handler.judges.includes('PLACES')) return undefined;
  const told = rowChances(space, betNumber(number).parts);
  return told && first(told);
}

/** The chances of single numbers; nothing for one of which neither arithmetic nor a list of all draws can tell. */
export function singleChances(play: Play, date: string): (number: string) => NumberChances | undefined {
  const { space, units } = play;
  if (!space) return () => undefined;
  const bag = units !== null && !units.mayPush && !units.seen ? bagReader(play, space, date) : undefined;
  return (number) => {
    const told = bag?.(number);
    if (told) return first(told);
    // Draws in several parts are told by what the handler lists, and that names no combinations.
    if (bag && betNumber(number).parts.length > 1) return undefined;
    const tally = knownTally(play, space, date);
    return tally ? tallied(tally)(number) : ordered(play, space, number);
  };
}
