/** Chance that falls the same way every time, so that two sample installations look alike. */
export interface Dice {
  /** From 0 up to below 1. */
  roll(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** The mulberry32 generator: enough for made-up people, and for nothing else. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (low: number, high: number): number => low + Math.floor(roll() * (high - low + 1));
  return {
    roll,
    between,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    chance: (probability) => roll() < probability,
  };
}
