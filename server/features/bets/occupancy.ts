import { choices } from './counting.ts';
import type { HitWays } from './hit-ways.ts';

/** A member of a unit: how many of the drawn numbers count as it, and what hits it brings when so many of them come in each group. */
export interface Member {
  readonly balls: number;
  hits(times: readonly number[]): readonly number[];
}

interface Draw {
  /** How many numbers there are. */
  readonly numbers: number;
  readonly repeat: boolean;
  /** How many are drawn in each group of positions. */
  readonly groups: readonly number[];
}

/** In how many ways `times` of a member's balls come in each group that has `room` left. */
function waysOf(balls: number, times: readonly number[], room: readonly number[], repeat: boolean): bigint {
  let left = balls;
  let ways = 1n;
  for (const [group, count] of times.entries()) {
    ways *= repeat ? choices(room[group] ?? 0, count) * BigInt(balls) ** BigInt(count) : choices(left, count);
    left -= count;
  }
  return ways;
}

/** Every way to have between none and `most` in each group. */
const upTo = (most: readonly number[]): number[][] =>
  most.reduce<number[][]>(
    (all, size) => all.flatMap((one) => Array.from({ length: size + 1 }, (_, count) => [...one, count])),
    [[]],
  );

interface State {
  readonly room: readonly number[];
  readonly hits: readonly number[];
  readonly ways: bigint;
}

const minus = (one: readonly number[], other: readonly number[]) =>
  one.map((each, index) => each - (other[index] ?? 0));
const plus = (one: readonly number[], other: readonly number[]) =>
  one.map((each, index) => each + (other[index] ?? 0));

function next(states: readonly State[], { balls, hits }: Member, repeat: boolean): State[] {
  const sums = new Map<string, State>();
  for (const { room, hits: before, ways } of states)
    for (const times of upTo(room.map((free) => (repeat ? free : Math.min(free, balls))))) {
      const more = waysOf(balls, times, room, repeat);
      if (more === 0n) continue;
      const state = { room: minus(room, times), hits: plus(before, hits(times)), ways: ways * more };
      const key = `${state.room}:${state.hits}`;
      sums.set(key, { ...state, ways: state.ways + (sums.get(key)?.ways ?? 0n) });
    }
  return [...sums.values()];
}

/** How many draws bring a unit of these members which hits, and how many draws there are. `width` is how many hits are told apart. */
export function occupancy(
  { numbers, repeat, groups }: Draw,
  members: readonly Member[],
  width: number,
): { ways: HitWays; total: bigint } {
  const none = Array<number>(width).fill(0);
  let states: State[] = [{ room: groups, hits: none, ways: 1n }];
  for (const member of members) states = next(states, member, repeat);
  const others = numbers - members.reduce((sum, { balls }) => sum + balls, 0);
  const ways = new Map<string, bigint>();
  for (const { room, hits, ways: some } of states) {
    const all = some * waysOf(others, room, room, repeat);
    if (all > 0n) ways.set(hits.join(), (ways.get(hits.join()) ?? 0n) + all);
  }
  return { ways, total: waysOf(numbers, groups, groups, repeat) };
}
