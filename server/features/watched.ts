import type { Db } from '#server/db/database.ts';
import { lastBroken } from './bets-proof/daily-proof.ts';
import { countAlarms } from './draw-plans/draw-alarms.ts';

/** What features let be watched from outside: gauges of /metrics, by name. */
export const watched: readonly { name: string; help: string; read: (db: Db) => Promise<number> }[] = [
  {
    name: 'draw_alarms',
    help: 'Phases that cannot be opened, drawn or promised at present',
    read: countAlarms,
  },
  {
    name: 'bets_proof_broken',
    help: 'What did not agree when all slips were last worked out once more',
    read: lastBroken,
  },
];
