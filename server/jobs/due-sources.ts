import { takeDueSources, untilNextSource } from '#server/features/spiders/due-sources.ts';
import { runSource } from '#server/features/spiders/spider-run.ts';
import type { Part } from './part.ts';
import type { Signal } from './signal.ts';

const SOURCES_AT_ONCE = 24;
/** A host that does not answer keeps no more of the places than this. */
const AT_ONE_HOST = 4;
/** When all places are taken, one may come free at any moment. */
const FULL_PAUSE_MS = 100;

/**
 * Asks sources whenever a spider is due and its host may be asked, side by side, as many as there is room for. `drawn` tells that one has
 * spoken.
 */
export function dueSources(drawn: Signal): Part {
  const running = new Map<Promise<void>, string>();
  const busyHosts = (): string[] => {
    const counts = Map.groupBy(running.values(), (host) => host);
    return [...counts].filter(([, { length }]) => length >= AT_ONE_HOST).map(([host]) => host);
  };
  return {
    name: 'due-sources',
    what: '到点向来源采集结果',
    everyMs: 1_000,
    connections: 2,
    nextDue: async ({ db, clock }) => {
      const asked = clock();
      if (running.size >= SOURCES_AT_ONCE) return asked.getTime() + FULL_PAUSE_MS;
      const wait = await untilNextSource(db, asked, busyHosts());
      return wait === undefined ? undefined : asked.getTime() + wait;
    },
    run: async (services, turn) => {
      const { db, clock } = services;
      const room = SOURCES_AT_ONCE - running.size;
      if (room <= 0) return;
      for (const source of await takeDueSources(db, clock(), { room, busyHosts: busyHosts() })) {
        const run = turn
          .beside('source-runs', () => runSource({ ...services, chance: Math.random }, source))
          .finally(() => {
            running.delete(run);
            drawn.give();
          });
        running.set(run, source.host);
      }
    },
  };
}
