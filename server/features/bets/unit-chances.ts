import type { SelectionRule } from '#contract/selections.ts';
import { canonical, partsOf, WON } from '../result-handlers/result-handler.ts';
import { type DrawSpace, everyDraw, type SpacePart, sizeOf } from './draw-space.ts';
import { type HitWays, together } from './hit-ways.ts';
import { type GroupRule, judge, rowsOf } from './judge.ts';
import { type Member, occupancy } from './occupancy.ts';
import type { Play } from './play.ts';
import type { Selection } from './selection.ts';

/** Of so many equally likely draws how many make a unit win which row, and how many give it back. */
export interface Chances {
  readonly won: ReadonlyMap<string, bigint>;
  readonly pushed: bigint;
  readonly total: bigint;
}

/** Games with at most so many draws are gone through draw by draw where arithmetic has no answer. */
export const MOST_DRAWS = 20_000n;

const apart = (rule: SelectionRule | null) => (rule?.kind === 'GROUP' ? { ...rule, shared: false } : rule);

/** Goes through every draw and judges the unit by each. */
export function listedChances(play: Play, space: DrawSpace, unit: Selection, date: string): Chances {
  const judging = { ...play, rule: apart(play.rule) };
  const won = new Map<string, bigint>();
  let [pushed, total] = [0n, 0n];
  for (const values of everyDraw(space)) {
    total++;
    const told = judge(unit, judging, play.readValues({ values, date }));
    pushed += BigInt(told.pushed);
    for (const { row, units } of told.won) won.set(row, (won.get(row) ?? 0n) + BigInt(units));
  }
  return { won, pushed, total };
}

/** The groups of positions that lie in a part, by their numbers; nothing where a group lies in several. */
function groupsByPart({ parts, positions }: DrawSpace, sizes: readonly number[]): number[][] | undefined {
  if (sizes.reduce((sum, size) => sum + size, 0) !== positions) return undefined;
  const partOf = (place: number) =>
    parts.findIndex(({ places }) => places.some((own) => own.includes(place)));
  let start = 0;
  const owners = sizes.map((size) => {
    const own = new Set(Array.from({ length: size }, (_, offset) => partOf(start + offset)));
    start += size;
    return own.size === 1 ? [...own][0] : undefined;
  });
  if (owners.includes(undefined)) return undefined;
  return parts.map((_, part) => owners.flatMap((owner, group) => (owner === part ? [group] : [])));
}

interface Looked {
  readonly play: Play;
  readonly date: string;
  readonly part: SpacePart;
  /** The groups that lie in the part. */
  readonly groups: readonly number[];
  readonly sizes: readonly number[];
}

/** How many of a part's numbers count as a number that can be bet on. */
export const ballsOf = (
  { play, date, part }: Pick<Looked, 'play' | 'date'> & { readonly part: SpacePart | undefined },
  number: string,
): number =>
  part?.pool.filter((ball) => play.units?.member(ball, date) === play.units?.named(number)).length ?? 0;

/** The hits of a number that is looked for in some groups of a part. */
function memberOf(looked: Looked, number: string, wanted: (group: number) => boolean): Member {
  const most = looked.play.units?.counts === 'NUMBERS' ? 1 : Number.POSITIVE_INFINITY;
  return {
    balls: ballsOf(looked, number),
    hits: (times) =>
      looked.sizes.map((_, group) => {
        const place = looked.groups.indexOf(group);
        return place < 0 || !wanted(group) ? 0 : Math.min(most, times[place] ?? 0);
      }),
  };
}

const drawOf = ({ part, groups, sizes }: Looked) => ({
  numbers: part.pool.length,
  repeat: part.repeat,
  groups: groups.map((group) => sizes[group] ?? 0),
});

/** By hits: the unit's numbers as members of the part they are drawn in. */
function hitChances(play: Play, space: DrawSpace, unit: Selection, date: string): Chances | undefined {
  const { units, rule } = play;
  const sizes = units?.groups ?? [space.positions];
  const byPart = groupsByPart(space, sizes);
  if (
    !units ||
    units.seen ||
    !byPart ||
    space.parts.some(({ places }) => places.some((own) => own.length > 1))
  )
    return undefined;
  const isTicket = rule?.kind === 'TICKET';
  if (!isTicket && space.parts.length > 1) return undefined;
  let all: HitWays = new Map([[sizes.map(() => 0).join(), 1n]]);
  let total = 1n;
  for (const [index, part] of space.parts.entries()) {
    const looked: Looked = { play, date, part, groups: byPart[index] ?? [], sizes };
    const members = unit.flatMap(({ numbers }, chosen) =>
      isTicket && !looked.groups.includes(chosen)
        ? []
        : numbers.map((number) => memberOf(looked, number, (group) => !isTicket || group === chosen)),
    );
    const some = occupancy(drawOf(looked), members, sizes.length);
    all = together(all, some.ways);
    total *= some.total;
  }
  const chosen = unit.reduce((sum, { numbers }) => sum + numbers.length, 0);
  return { won: rowsOf(all, units, chosen, space.positions), pushed: 0n, total };
}

/** How many draws hold each of these numbers at least so many times. */
export function bagChances(
  play: Play,
  space: DrawSpace,
  wanted: ReadonlyMap<string, number>,
  date: string,
): Chances | undefined {
  const [part, ...others] = space.parts;
  if (!part || others.length > 0 || part.places.some((own) => own.length > 1)) return undefined;
  const looked: Looked = { play, date, part, groups: [0], sizes: [space.positions] };
  const members = [...wanted].map(
    ([number, least]): Member => ({
      balls: ballsOf(looked, number),
      hits: ([times = 0]) => [times >= least ? 1 : 0],
    }),
  );
  const { ways, total } = occupancy(drawOf(looked), members, 1);
  return { won: new Map([[WON, ways.get(String(wanted.size)) ?? 0n]]), pushed: 0n, total };
}

/** One draw of all shows these numbers in this order, or none does. */
export function rowChances(space: DrawSpace, numbers: readonly string[]): Chances | undefined {
  if (space.parts.some(({ unordered, places }) => unordered && places.length > 1)) return undefined;
  const isDrawn = ({ pool, repeat, places }: SpacePart) => {
    const known = new Set(pool.map(canonical));
    const wanted = places.map((own) => new Set(own.map((place) => canonical(numbers[place] ?? ''))));
    const each = wanted.flatMap((own) => [...own]);
    return (
      wanted.every(({ size }) => size === 1) &&
      each.every((number) => known.has(number)) &&
      (repeat || new Set(each).size === each.length)
    );
  };
  const isPossible = numbers.length === space.positions && space.parts.every(isDrawn);
  return { won: new Map([[WON, isPossible ? 1n : 0n]]), pushed: 0n, total: sizeOf(space) };
}

/** The numbers of a unit of a group and how often each must come. */
const bagOf = ({ parts }: GroupRule, unit: Selection): Map<string, number> =>
  new Map(parts.flatMap(({ repeat }, part) => (unit[part]?.numbers ?? []).map((number) => [number, repeat])));

function reckoned(play: Play, space: DrawSpace, unit: Selection, date: string): Chances | undefined {
  const { rule } = play;
  if (rule?.kind === 'PLACES')
    return rowChances(
      space,
      unit.map(({ numbers: [number = ''] }) => number),
    );
  if (rule?.kind === 'GROUP') return bagChances(play, space, bagOf(rule, unit), date);
  return play.units?.mayPush ? undefined : hitChances(play, space, unit, date);
}

/**
 * The chances of one unit of several numbers: by arithmetic, or for small games draw by draw. Nothing where neither can tell. A unit of
 * a group names its numbers part by part, also where a player chooses one set for all.
 */
export function unitChances(play: Play, unit: Selection, date: string): Chances | undefined {
  const { space } = play;
  if (!space) return undefined;
  const told = reckoned(play, space, unit, date);
  if (told || sizeOf(space) > MOST_DRAWS) return told;
  return listedChances(play, space, unit, date);
}

/** The numbers that a single number is made of (`1,1,2`) and how often each comes. */
export const bagOfNumber = (number: string): Map<string, number> =>
  new Map([...Map.groupBy(partsOf(number), (part) => part)].map(([part, all]) => [part, all.length]));
