import type { ResultRule } from '#contract/result-rules.ts';
import { arrangements, choices } from './counting.ts';

/** Positions of one part of a result that are looked at. */
export interface SpacePart {
  readonly pool: readonly string[];
  readonly repeat: boolean;
  /** Whether the order in the part says nothing: then all its positions are looked at. */
  readonly unordered: boolean;
  /** For each of its different positions where its value goes among those that are looked at. */
  readonly places: readonly (readonly number[])[];
}

/** All draws of a game, by the positions that a latitude looks at: all are equally likely. */
export interface DrawSpace {
  readonly parts: readonly SpacePart[];
  readonly positions: number;
}

/** The positions that `0,1,2` or `*` names in a result of so many. */
const indexesOf = (resultIndex: string, length: number): number[] =>
  resultIndex === '*' ? Array.from({ length }, (_, index) => index) : resultIndex.split(',').map(Number);

/** How many numbers a result has. */
export const lengthOf = ({ parts }: ResultRule): number => parts.reduce((sum, { count }) => sum + count, 0);

/**
 * The draws of a game as a latitude sees them. Nothing where it looks beyond the result, or at some positions only of a part whose order
 * says nothing.
 */
export function drawSpace(rule: ResultRule, resultIndex: string): DrawSpace | undefined {
  const indexes = indexesOf(resultIndex, lengthOf(rule));
  let start = 0;
  const parts: SpacePart[] = [];
  for (const { count, of, repeat, ordered } of rule.parts) {
    const placesOf = (index: number) => indexes.flatMap((wanted, place) => (wanted === index ? [place] : []));
    const places = Array.from({ length: count }, (_, offset) => placesOf(start + offset));
    const used = places.filter((own) => own.length > 0);
    start += count;
    if (used.length === 0) continue;
    if (!ordered && used.length < count) return undefined;
    parts.push({ pool: of, repeat, unordered: !ordered, places: used });
  }
  return indexes.some((index) => index >= start) ? undefined : { parts, positions: indexes.length };
}

const sizeOfPart = ({ pool, repeat, unordered, places }: SpacePart): bigint => {
  if (repeat) return BigInt(pool.length) ** BigInt(places.length);
  return unordered ? choices(pool.length, places.length) : arrangements(pool.length, places.length);
};

/** How many different draws there are. */
export const sizeOf = ({ parts }: DrawSpace): bigint =>
  parts.map(sizeOfPart).reduce((product, size) => product * size, 1n);

function* drawsOfPart({ pool, repeat, unordered, places }: SpacePart): Generator<number[]> {
  const drawn: number[] = [];
  function* next(from: number): Generator<number[]> {
    if (drawn.length === places.length) {
      yield drawn;
      return;
    }
    for (let ball = unordered && !repeat ? from : 0; ball < pool.length; ball++) {
      if (!repeat && drawn.includes(ball)) continue;
      drawn.push(ball);
      yield* next(ball + 1);
      drawn.pop();
    }
  }
  yield* next(0);
}

/** Every draw, as the values at the positions that are looked at. The list is used anew for each. */
export function* everyDraw({ parts, positions }: DrawSpace): Generator<readonly string[]> {
  const values = Array<string>(positions).fill('');
  function* from(index: number): Generator<readonly string[]> {
    const part = parts[index];
    if (!part) {
      yield values;
      return;
    }
    for (const drawn of drawsOfPart(part)) {
      for (const [position, places] of part.places.entries())
        for (const place of places) values[place] = part.pool[drawn[position] ?? 0] ?? '';
      yield* from(index + 1);
    }
  }
  yield* from(0);
}
