import { createHash, createHmac } from 'node:crypto';
import type { PromisedBeacon } from './beacon.ts';
import type { DrawRules } from './draw-rules.ts';

/**
 * A draw that anyone can check afterwards. Before betting opens the operator shows the commitment: the SHA-256 of a text
 * that names game, phase, rules and a random seed. At the draw the seed is revealed; with it everybody can compute
 * the commitment again, and the result that follows from the seed and from nothing else; or, where the promise names a beacon, from the seed and the
 * value that it published after betting had closed.
 */
export interface Draw {
  readonly gameId: number;
  readonly phase: string;
  readonly rules: DrawRules;
  /** 32 random bytes, lower-case hexadecimal. */
  readonly seed: string;
}

const beaconLine = ({ address, value, time, waitMinutes }: PromisedBeacon): string =>
  `beacon ${address} ${value} at ${time} within ${waitMinutes} minutes`;

/** The text that is committed to: four lines, and one more before the last where a beacon is promised. */
export function committedText({ gameId, phase, rules, seed }: Draw): string {
  const { count, pool, repeat, beacon } = rules;
  return [
    `game ${gameId}`,
    `phase ${phase}`,
    `draw ${count} of ${pool.join(',')}${repeat ? ' repeat' : ''}`,
    ...(beacon ? [beaconLine(beacon)] : []),
    seed,
  ].join('\n');
}

/** The commitment, 64 hexadecimal digits. */
export const commitmentOf = (draw: Draw): string =>
  createHash('sha256').update(committedText(draw)).digest('hex');

const WORD = 2 ** 32;

/** What the words follow from: the seed, or where a beacon is promised HMAC-SHA256(seed, the beacon's value). */
function keyOf(seed: string, beaconValue: string | null): Buffer {
  const key = Buffer.from(seed, 'hex');
  return beaconValue === null ? key : createHmac('sha256', key).update(beaconValue).digest();
}

/** Numbers 0 … 2^32 - 1 from a key: HMAC-SHA256(key, counter as decimal text), eight big-endian words each. */
function* wordsOf(key: Buffer): Generator<number> {
  for (let counter = 0; ; counter++) {
    const block = createHmac('sha256', key).update(String(counter)).digest();
    for (let offset = 0; offset < block.length; offset += 4) yield block.readUInt32BE(offset);
  }
}

/** A number below `size`, each as likely: words beyond the last whole multiple of `size` are thrown away. */
function below(size: number, words: Generator<number>): number {
  const limit = WORD - (WORD % size);
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % size;
  }
}

/** What the seed, with the value of the beacon where one is promised, draws: positions in the pool one after another; without repeats each drawn number leaves the pool. */
export function drawnNumbers(
  { rules: { count, pool, repeat }, seed }: Pick<Draw, 'rules' | 'seed'>,
  beaconValue: string | null = null,
): string[] {
  const words = wordsOf(keyOf(seed, beaconValue));
  const left = [...pool];
  return Array.from({ length: count }, () => {
    const place = below(left.length, words);
    return (repeat ? left[place] : left.splice(place, 1)[0]) ?? '';
  });
}
