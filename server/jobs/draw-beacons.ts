import { collectBeacons, dueBeacons, nextBeacon } from '#server/features/beacons/collect-beacons.ts';
import type { Part } from './part.ts';

/**
 * Public values that local draws wait for: fetched once they are published, for all games that wait for the same. Hosts are asked side by side:
 * draws that wait for one that is silent hold up no others.
 */
export function drawBeacons(): Part {
  const asking = new Set<string>();
  return {
    name: 'draw-beacons',
    what: '取开奖所等的公开随机值',
    everyMs: 2_000,
    // A round comes a little late as a rule, and one that does not come alarms by itself.
    patienceMs: 5 * 60_000,
    nextDue: ({ db, clock }) => nextBeacon(db, clock(), [...asking]),
    run: async (services, turn) => {
      const { db, clock, log } = services;
      for (const [host, due] of await dueBeacons(db, clock(), [...asking])) {
        asking.add(host);
        const collecting = turn.beside('beacon-runs', async () => {
          for (const phase of await collectBeacons(services, due))
            log.error(phase, 'a public value does not come');
        });
        void collecting.finally(() => asking.delete(host));
      }
    },
  };
}
