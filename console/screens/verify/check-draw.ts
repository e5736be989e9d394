import type { DrawVerification } from '#contract/draw-records.ts';

/** What this browser computed by itself from a revealed seed. */
export interface CheckedDraw {
  /** The lines whose SHA-256 is the commitment. */
  readonly text: string;
  readonly commitment: string;
  readonly result: string;
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

const WORD = 2 ** 32;

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text));
}

/** Eight numbers 0 … 2^32 - 1 a block: HMAC-SHA256(key, counter). The key is the seed, or with a beacon HMAC-SHA256(seed, its value). */
async function* wordsOf(seed: string, beaconValue: string | null): AsyncGenerator<number> {
  const key = beaconValue === null ? bytesOf(seed) : await hmac(bytesOf(seed), beaconValue);
  for (let counter = 0; ; counter++) {
    const block = new DataView(await hmac(key, String(counter)));
    for (let offset = 0; offset < block.byteLength; offset += 4) yield block.getUint32(offset);
  }
}

async function below(size: number, words: AsyncGenerator<number>): Promise<number> {
  const limit = WORD - (WORD % size);
  for (;;) {
    const { value } = await words.next();
    if (value < limit) return value % size;
  }
}

/** Computes commitment and result anew, in the browser, from what the draw revealed. Needs a secure context. */
export async function checkDraw(draw: DrawVerification, seed: string): Promise<CheckedDraw> {
  const { gameId, phase, rules, beaconValue } = draw;
  const { count, pool, repeat, beacon } = rules;
  const drawn = `draw ${count} of ${pool.join(',')}${repeat ? ' repeat' : ''}`;
  const awaited = beacon
    ? [`beacon ${beacon.address} ${beacon.value} at ${beacon.time} within ${beacon.waitMinutes} minutes`]
    : [];
  const text = [`game ${gameId}`, `phase ${phase}`, drawn, ...awaited, seed].join('\n');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const words = wordsOf(seed, beacon ? beaconValue : null);
  const left = [...pool];
  const numbers: string[] = [];
  while (numbers.length < count) {
    const place = await below(left.length, words);
    numbers.push((repeat ? left[place] : left.splice(place, 1)[0]) ?? '');
  }
  return { text, commitment: hexOf(digest), result: numbers.join(',') };
}
