import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Load } from './load.ts';

/** Requests per second of one round, sent by a process of its own. */
export function loadOnce(load: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)));
    child.once('message', (rate: number) => resolve(rate));
    child.once('error', reject);
    child.once('exit', (code) => code && reject(new Error(`load process ended with ${code}`)));
    child.send(load);
  });
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/**
 * Runs every contender once a round, so that the machine's moods hit all alike, and gives each one's median. A first
 * round warms up and is not counted. Every second round goes the other way: what one leaves to be written to the disk is not always the next one's.
 */
export async function interleaved(
  contenders: Readonly<Record<string, () => Promise<number>>>,
  rounds: number,
): Promise<Record<string, number>> {
  const results = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    const order = Object.entries(contenders);
    for (const [name, measure] of round % 2 === 0 ? order : order.reverse()) {
      const value = await measure();
      if (round > 0) results.set(name, [...(results.get(name) ?? []), value]);
    }
  }
  return Object.fromEntries([...results].map(([name, values]) => [name, median(values)]));
}
