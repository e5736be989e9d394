import type { DrawSpace, SpacePart } from './draw-space.ts';

/** How many draws have which sum. */
type Sums = ReadonlyMap<number, bigint>;

function added(sums: Sums, value: number, into: Map<number, bigint>): void {
  for (const [sum, ways] of sums) into.set(sum + value, (into.get(sum + value) ?? 0n) + ways);
}

/** Of values drawn again and again: one position after the other. */
function withRepeats(values: readonly number[], count: number): Sums {
  let sums: Sums = new Map([[0, 1n]]);
  for (let position = 0; position < count; position++) {
    const next = new Map<number, bigint>();
    for (const value of values) added(sums, value, next);
    sums = next;
  }
  return sums;
}

/** Of values drawn once each: by how many are taken, each value taken or not. */
function withoutRepeats(values: readonly number[], count: number): Sums {
  const taken: Map<number, bigint>[] = Array.from({ length: count + 1 }, () => new Map());
  taken[0]?.set(0, 1n);
  for (const [before, value] of values.entries())
    for (let size = Math.min(count, before + 1); size > 0; size--)
      added(taken[size - 1] ?? new Map(), value, taken[size] ?? new Map());
  return taken[count] ?? new Map();
}

const known = new Map<string, Sums>();
const MOST_KNOWN = 100;

function sumsOfPart({ pool, repeat, places }: SpacePart): Sums {
  const values = pool.map(Number);
  const key = `${repeat}|${places.length}|${values.join()}`;
  const present = known.get(key);
  if (present) return present;
  if (known.size >= MOST_KNOWN) known.clear();
  const sums = (repeat ? withRepeats : withoutRepeats)(values, places.length);
  known.set(key, sums);
  return sums;
}

/** How many draws have which sum; nothing where the numbers are no numbers, or one is looked at twice. */
export function sumsOf({ parts }: DrawSpace): Sums | undefined {
  const isPlain = ({ pool, places }: SpacePart) =>
    pool.every((number) => /^\d{1,6}$/.test(number)) && places.every(({ length }) => length === 1);
  if (!parts.every(isPlain)) return undefined;
  return parts.map(sumsOfPart).reduce<Sums>(
    (all, part) => {
      const both = new Map<number, bigint>();
      for (const [sum, ways] of part)
        for (const [other, more] of all) both.set(sum + other, (both.get(sum + other) ?? 0n) + ways * more);
      return both;
    },
    new Map([[0, 1n]]),
  );
}
