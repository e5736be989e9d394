import { BEAT_MS, placeCrowdSlip } from '#server/features/sample-data/sample-crowd.ts';
import type { Part } from './part.ts';

/** With sample data the sample players go on betting, so that whoever looks at the product sees it at work. */
export const sampleCrowd: Part = {
  name: 'sample-crowd',
  what: '演示用户在演示游戏上投注',
  everyMs: BEAT_MS,
  run: async ({ db, config, clock }) => {
    if (config.sampleData) await placeCrowdSlip(db, clock());
  },
};
