import { collectBeacons, nextBeacon } from '#server/features/beacons/collect-beacons.ts';
import type { Part } from './part.ts';

/** Public values that local draws wait for: fetched once they are published, for all games that wait for the same. */
export const drawBeacons: Part = {
  name: 'draw-beacons',
  what: '取开奖所等的公开随机值',
  everyMs: 2_000,
  // A round comes a little late as a rule, and one that does not come alarms by itself.
  patienceMs: 5 * 60_000,
  nextDue: ({ db, clock }) => nextBeacon(db, clock()),
  run: async (services) => {
    for (const phase of await collectBeacons(services))
      services.log.error(phase, 'a public value does not come');
  },
};
