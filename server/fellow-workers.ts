import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Said, Told } from './workers.ts';

/** Whether this process is one of several behind one port. */
export const { isWorker } = cluster;

const say = (said: Said): void => {
  process.send?.(said);
};

/** Tells whoever looks after this process where it listens. */
export const sayListening = (listening: string): void => say({ listening });

let asked = 0;

/** The measurements of all processes behind the port together, of which these registries are this one's part. */
export function measurementsOfAll(registries: readonly Registry[]): () => Promise<string> {
  AggregatorRegistry.setRegistries([...registries]);
  new AggregatorRegistry();
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  process.on('message', ({ measurements, text }: Told) => {
    const answer = waiting.get(measurements);
    waiting.delete(measurements);
    if (text === null) answer?.reject(new Error('a server process did not tell its measurements'));
    else answer?.resolve(text);
  });
  return () => {
    const answer = Promise.withResolvers<string>();
    waiting.set(++asked, answer);
    say({ measurements: asked });
    return answer.promise;
  };
}
