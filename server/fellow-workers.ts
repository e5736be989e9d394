import cluster from 'node:cluster';
import type { Registry } from 'prom-client';
import type { Measurements } from './growing-sums.ts';
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
  const waiting = new Map<number, (text: string) => void>();
  process.on('message', (told: Told) => {
    if ('ask' in told) {
      const own = Promise.all(registries.map((registry) => registry.getMetricsAsJSON()));
      const tell = (own: readonly Measurements[]) => say({ own, asked: told.ask });
      void own.then(tell, () => tell([]));
    } else {
      waiting.get(told.measurements)?.(told.text);
      waiting.delete(told.measurements);
    }
  });
  return () =>
    new Promise((resolve) => {
      waiting.set(++asked, resolve);
      say({ measurements: asked });
    });
}
