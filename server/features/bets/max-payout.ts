import { canonical, partsOf, WON } from '../result-handlers/result-handler.ts';
import { choices } from './counting.ts';
import { roundedDown, tenThousandths } from './decimal.ts';
import { type DrawSpace, everyDraw, sizeOf } from './draw-space.ts';
import { type HitWays, hitWays, together } from './hit-ways.ts';
import { type GroupRule, judge, rowsOf } from './judge.ts';
import { byLowest, compareOdds } from './lowest.ts';
import { oddsWon } from './payout.ts';
import type { Play } from './play.ts';
import type { Chosen, Selection } from './selection.ts';
import { sumsOf } from './sums.ts';
import { groupSets, groupWays, unitsOf } from './units.ts';

/** Games with at most so many draws are gone through draw by draw. */
const FEW_DRAWS = 1_000n;

const greatest = (all: Iterable<bigint>): bigint =>
  [...all].reduce((most, each) => (each > most ? each : most), 0n);
const sum = (all: readonly bigint[]): bigint => all.reduce((total, each) => total + each, 0n);
const total = (counts: readonly number[]): number => counts.reduce((all, each) => all + each, 0);
const worth = (play: Play, row: string): bigint => tenThousandths(play.oddsOf(row) ?? '0');

function* byDraws(play: Play, space: DrawSpace, selection: Selection, date: string): Generator<bigint> {
  for (const values of everyDraw(space))
    yield oddsWon(judge(selection, play, play.readValues({ values, date })), play.oddsOf);
}

/** How many positions are looked at; more than there can be where nobody said what a result is. */
const positionsOf = ({ space, rules: { latitude } }: Play): number =>
  space?.positions ?? (latitude.resultIndex === '*' ? 100 : latitude.resultIndex.split(',').length);

/** Numbers of so many parts each: no more of them come at once than there are ways to choose their parts of what is drawn. */
function topOfBag(play: Play, numbers: readonly string[]): bigint {
  const bySize = Map.groupBy(numbers, (number) => partsOf(number).length);
  return sum(
    [...bySize].map(([size, alike]) => {
      const most = choices(positionsOf(play), size);
      const odds = alike.map((number) => play.oddsOf(number) ?? '0').toSorted((a, b) => compareOdds(b, a));
      return sum(odds.filter((_, place) => BigInt(place) < most).map(tenThousandths));
    }),
  );
}

function ofSingles(play: Play, selection: Selection): bigint {
  const numbers = selection.flatMap((part) => part.numbers);
  if (play.handler.exactlyOne(play.options) !== null)
    return greatest(numbers.map((number) => worth(play, number)));
  if (play.units && !play.units.seen) return topOfBag(play, numbers);
  return sum(numbers.map((number) => worth(play, number)));
}

/** Where all that is looked at is the sum: sum by sum. */
function ofSums(play: Play, selection: Selection, sums: readonly string[]): bigint {
  const draws = sums.map((each) => play.readValues({ values: [each], date: '' }));
  return greatest(draws.map((draw) => oddsWon(judge(selection, play, draw), play.oddsOf)));
}

/** Of several sums at most one comes: all units win by a banker, by another number those that have it. */
function ofSeen(play: Play, chosen: Chosen, choose: number, sums: readonly string[] | undefined): bigint {
  const { bankers, numbers } = chosen;
  const comes = (number: string) => sums?.includes(canonical(number)) ?? true;
  const others = choose - bankers.length;
  if (bankers.some(comes)) return choices(numbers.length, others) * worth(play, WON);
  return numbers.some(comes) ? choices(numbers.length - 1, others - 1) * worth(play, WON) : 0n;
}

/** Places that each show what they like: all that is wanted is one number in each that can be drawn there. */
function ofFreePlaces(play: Play, selection: Selection, { parts, positions }: DrawSpace): bigint | undefined {
  const places = parts.flatMap(({ pool, repeat, unordered, places: own }) =>
    own.map((at) => ({ at, pool: new Set(pool.map(canonical)), isFree: repeat && !unordered })),
  );
  if (positions !== selection.length || places.some(({ at, isFree }) => !isFree || at.length > 1))
    return undefined;
  const isPossible = places.every(({ at: [place = 0], pool }) =>
    selection[place]?.numbers.some((number) => pool.has(canonical(number))),
  );
  return isPossible ? worth(play, WON) : 0n;
}

/** Whether all that is looked at is drawn from one drum, and all that was chosen is in it. */
function isOneDrum({ parts: [part, ...others] }: DrawSpace, selection: Selection): boolean {
  if (!part || others.length > 0 || part.places.some((own) => own.length > 1)) return false;
  const pool = new Set(part.pool.map(canonical));
  return selection.every(({ numbers }) => numbers.every((number) => pool.has(canonical(number))));
}

/** The exact answer where it takes no look at single draws. */
function byArithmetic(play: Play, selection: Selection, space: DrawSpace): bigint | undefined {
  const { rule } = play;
  const all = play.handler.bySum(play.options) ? sumsOf(space) : undefined;
  const sums = all && [...all.keys()].map(String);
  if (rule === null) return sums && ofSums(play, selection, sums);
  const [chosen] = selection;
  if (rule.kind === 'COMBINATION' && play.units?.seen && sums && chosen)
    return ofSeen(play, chosen, rule.choose, sums);
  if (rule.kind === 'PLACES' && !rule.distinct) return ofFreePlaces(play, selection, space);
  if (rule.kind === 'GROUP' && isOneDrum(space, selection)) return ofGroup(play, selection, rule);
  return undefined;
}

/** Every way in which at most `most` numbers come, so many for each of these parts. */
const shares = (
  parts: readonly { readonly size: number; readonly each: number }[],
  most: number,
): number[][] =>
  parts.reduce<number[][]>(
    (all, { size, each }) =>
      all.flatMap((before) => {
        const used = before.reduce((total, count, part) => total + count * (parts[part]?.each ?? 1), 0);
        const room = Math.min(size, Math.floor((most - used) / each));
        return Array.from({ length: room + 1 }, (_, count) => [...before, count]);
      }),
    [[]],
  );

/** By how many numbers of each part come as often as they must; of a shared set one that comes more often serves for less as well. */
function ofGroup(play: Play, selection: Selection, { parts, shared = false }: GroupRule): bigint {
  const sets = groupSets(selection, parts);
  const isOnce = play.space?.parts.every((part) => !part.repeat) ?? false;
  const wanted = parts.map(({ repeat }, part) => ({
    size: isOnce && repeat > 1 ? 0 : (sets[part]?.length ?? 0),
    each: repeat,
  }));
  const all = shares(wanted, positionsOf(play));
  const ways = shared ? all.filter((came) => total(came) <= (sets[0]?.length ?? 0)) : all;
  const units = ways.map((came) => {
    const sizes = parts.map(({ repeat }, part) =>
      shared
        ? came.reduce((all, count, other) => all + ((parts[other]?.repeat ?? 0) >= repeat ? count : 0), 0)
        : (came[part] ?? 0),
    );
    return groupWays(sizes, parts, shared);
  });
  return greatest(units) * worth(play, WON);
}

/** How often each of at most `size` numbers may come in `room` positions; those that do not come are left out. */
function spreads(size: number, room: number, mayRepeat: boolean, most = room): number[][] {
  if (!mayRepeat)
    return Array.from({ length: Math.min(size, room) + 1 }, (_, count) => Array<number>(count).fill(1));
  if (size === 0 || room === 0) return [[]];
  const first = Array.from({ length: Math.min(most, room) }, (_, less) => less + 1);
  return [
    [],
    ...first.flatMap((times) => spreads(size - 1, room - times, true, times).map((rest) => [times, ...rest])),
  ];
}

interface Group {
  readonly group: number;
  readonly size: number;
  readonly mayRepeat: boolean;
}
/** How often bankers and other numbers come in one group of positions. */
type Came = readonly [bankers: readonly number[], others: readonly number[]];

const waysToCome = ({ bankers, numbers }: Chosen, { size, mayRepeat }: Group): Came[] =>
  spreads(bankers.length, size, mayRepeat).flatMap((banked) =>
    spreads(numbers.length, size - total(banked), mayRepeat).map((others): Came => [banked, others]),
  );

/** The units of a part by hits, for every way in which its bankers and its other numbers may come in these groups of positions. */
function waysOfPart(
  chosen: Chosen,
  choose: number,
  groups: readonly Group[],
  width: number,
): { ways: HitWays; hit: number }[] {
  const some = groups.reduce<Came[][]>(
    (all, group) => all.flatMap((before) => waysToCome(chosen, group).map((came) => [...before, came])),
    [[]],
  );
  return some.flatMap((came) => {
    const hits = new Map<string, number[]>();
    const [banked, others] = [0, 1].map((kind) =>
      came.flatMap((each, place) =>
        (each[kind] ?? []).map((times) => ({ times, group: groups[place]?.group })),
      ),
    );
    if (!banked || !others || banked.length > chosen.bankers.length || others.length > chosen.numbers.length)
      return [];
    for (const [numbers, coming] of [
      [chosen.bankers, banked],
      [chosen.numbers, others],
    ] as const)
      for (const [place, { times, group }] of coming.entries())
        hits.set(
          numbers[place] ?? '',
          Array.from({ length: width }, (_, each) => (each === group ? times : 0)),
        );
    const none = Array<number>(width).fill(0);
    const ways = hitWays(chosen, choose, (number) => hits.get(number) ?? none, width);
    return [{ ways, hit: total([...banked, ...others].map(({ times }) => times)) }];
  });
}

/** What one group of positions is drawn from; unknown where nobody said what a result is, or where each number counts once. */
function drawnFrom({ space, units }: Play, group: number, sizes: readonly number[]) {
  const place = total(sizes.slice(0, group));
  if (units?.counts !== 'POSITIONS') return undefined;
  return space?.parts.find(({ places }) => places.some((own) => own.includes(place)));
}

/** Of one part of a selection: the units by hits of every draw there can be. */
function waysOfDraws(play: Play, chosen: Chosen, choose: number, own: readonly number[]): HitWays[] {
  const sizes = play.units?.groups ?? [positionsOf(play)];
  const from = drawnFrom(play, own[0] ?? 0, sizes);
  const groups = own.map((group) => ({
    ...{ group, size: sizes[group] ?? 0 },
    mayRepeat: from?.repeat ?? false,
  }));
  const drawn = total(groups.map(({ size }) => size));
  const left = from ? from.pool.length - chosen.bankers.length - chosen.numbers.length : drawn;
  // What of the draw does not hit is among the numbers that were not chosen.
  const others = from?.repeat && left > 0 ? drawn : left;
  return waysOfPart(chosen, choose, groups, sizes.length)
    .filter(({ hit }) => drawn - hit <= others)
    .map(({ ways }) => ways);
}

function ofHits(play: Play, selection: Selection, chooses: readonly number[]): bigint {
  const { units, rule } = play;
  if (!units) return 0n;
  const [first] = selection;
  if (units.seen) return first ? ofSeen(play, first, chooses[0] ?? 0, undefined) : 0n;
  const sizes = units.groups ?? [positionsOf(play)];
  const byPart = selection.map((chosen, part) =>
    waysOfDraws(play, chosen, chooses[part] ?? 0, rule?.kind === 'TICKET' ? [part] : [...sizes.keys()]),
  );
  const none: HitWays = new Map([[sizes.map(() => 0).join(), 1n]]);
  const all = byPart.reduce<HitWays[]>(
    (before, ways) => before.flatMap((one) => ways.map((other) => together(one, other))),
    [none],
  );
  const paid = (ways: HitWays) =>
    [...rowsOf(ways, units, total(chooses), positionsOf(play))].map(
      ([row, count]) => count * worth(play, row),
    );
  return greatest(all.map((ways) => sum(paid(ways))));
}

/** The dearest numbers come: each that comes makes more units win. */
function ofLowest(play: Play, chosen: Chosen, choose: number, lowest: (number: string) => string): bigint {
  const others = chosen.numbers.toSorted((one, other) => compareOdds(lowest(other), lowest(one)));
  const come = others.slice(0, Math.max(0, positionsOf(play) - chosen.bankers.length));
  if (choose > positionsOf(play))
    return BigInt(unitsOf([chosen], play.rule)) * tenThousandths(lowest(others[0] ?? ''));
  const rows = byLowest({ ...chosen, numbers: come }, lowest, ({ bankers, numbers }) =>
    choices(numbers.length, choose - bankers.length),
  );
  return sum(rows.map(({ row, units }) => units * worth(play, row)));
}

function mostOdds(play: Play, selection: Selection, date: string): bigint {
  const { rule, space } = play;
  const told = space && byArithmetic(play, selection, space);
  if (told !== undefined) return told;
  if (space && sizeOf(space) <= FEW_DRAWS) return greatest(byDraws(play, space, selection, date));
  if (rule === null) return ofSingles(play, selection);
  if (rule.kind === 'PLACES') return worth(play, WON);
  if (rule.kind === 'GROUP') return ofGroup(play, selection, rule);
  if (rule.kind === 'TICKET')
    return ofHits(
      play,
      selection,
      rule.parts.map(({ choose }) => choose),
    );
  const [chosen] = selection;
  if (play.lowest && chosen) return ofLowest(play, chosen, rule.choose, play.lowest);
  return ofHits(play, selection, [rule.choose]);
}

const known = new WeakMap<Selection, { readonly play: Play; readonly date: string; readonly most: bigint }>();

/** As `mostOdds`; whoever asks for the same selection once more is told what was worked out. */
function mostOddsKnown(play: Play, selection: Selection, date: string): bigint {
  const before = known.get(selection);
  if (before?.play === play && before.date === date) return before.most;
  const most = mostOdds(play, selection, date);
  known.set(selection, { play, date, most });
  return most;
}

/**
 * The most that a line can be paid in any one draw, which is less than all its units at the best odds: they do not all win at once. Exact
 * but for numbers that are combinations of a game without selections, where it is a bound. `date` is the day of the draw.
 */
export const maxPayout = (play: Play, selection: Selection, unitStake: string, date: string): string =>
  roundedDown(mostOddsKnown(play, selection, date) * tenThousandths(unitStake));
