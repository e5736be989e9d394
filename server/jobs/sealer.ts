import { sealAll } from '#server/features/seals/seal-rows.ts';
import type { Part } from './part.ts';

/** Rows are sealed at most five seconds after their commit. */
export const sealer: Part = {
  name: 'sealer',
  what: '封存账变、操作日志、开奖记录与注单',
  everyMs: 2_000,
  anyClock: true,
  // After an upgrade all rows there are want sealing.
  patienceMs: 30 * 60_000,
  run: ({ db, vault }, turn) => sealAll(db, vault, turn.isStopping),
};
