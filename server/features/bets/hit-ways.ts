import { choices } from './counting.ts';
import type { Chosen } from './selection.ts';

/** How many units have which hits; a key is the hits in each group, as `5,1`. */
export type HitWays = ReadonlyMap<string, bigint>;

export const hitsOf = (key: string): number[] => key.split(',').map(Number);

const plus = (one: readonly number[], other: readonly number[], times: number): number[] =>
  one.map((hits, group) => hits + (other[group] ?? 0) * times);

interface Some {
  readonly chosen: number;
  readonly hits: readonly number[];
  readonly ways: bigint;
}

/** Adds up what comes to the same. */
function gathered(all: readonly Some[]): Some[] {
  const sums = new Map<string, Some>();
  for (const each of all) {
    const key = `${each.chosen}:${each.hits.join()}`;
    sums.set(key, { ...each, ways: each.ways + (sums.get(key)?.ways ?? 0n) });
  }
  return [...sums.values()];
}

/** Each way to take some of `size` numbers that bring the same hits. */
const taking = (some: Some, brought: readonly number[], size: number, room: number): Some[] =>
  Array.from({ length: Math.min(size, room) + 1 }, (_, taken) => ({
    chosen: some.chosen + taken,
    hits: plus(some.hits, brought, taken),
    ways: some.ways * choices(size, taken),
  }));

/**
 * Counts the units of `choose` numbers by their hits, bankers always among them. Numbers that bring the same hits are counted together,
 * so that no unit is ever listed.
 */
export function hitWays(
  { bankers, numbers }: Chosen,
  choose: number,
  hitsBy: (number: string) => readonly number[],
  groups: number,
): HitWays {
  const none = Array<number>(groups).fill(0);
  const banked = bankers.reduce<readonly number[]>((sum, banker) => plus(sum, hitsBy(banker), 1), none);
  let all: Some[] = [{ chosen: bankers.length, hits: banked, ways: 1n }];
  const hits = numbers.map(hitsBy);
  for (const alike of Map.groupBy(hits, (each) => each.join()).values()) {
    const brought = alike[0] ?? none;
    all = gathered(all.flatMap((some) => taking(some, brought, alike.length, choose - some.chosen)));
  }
  const units = all.filter(({ chosen }) => chosen === choose);
  return new Map(units.map(({ hits, ways }) => [hits.join(), ways]));
}

/** Of parts that are chosen apart: the hits of a unit are those of its parts together. */
export function together(one: HitWays, other: HitWays): HitWays {
  const ways = new Map<string, bigint>();
  for (const [key, some] of one)
    for (const [otherKey, more] of other) {
      const sum = plus(hitsOf(key), hitsOf(otherKey), 1).join();
      ways.set(sum, (ways.get(sum) ?? 0n) + some * more);
    }
  return ways;
}
