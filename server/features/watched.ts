import type { Db } from '#server/db/database.ts';
import { lastBroken } from './bets-proof/daily-proof.ts';
import { countAlarms } from './draw-plans/draw-alarms.ts';
import { drawLateness } from './draw-plans/draw-lateness.ts';
import { countUnplannedGames } from './draw-plans/generate-ahead.ts';
import { mailsFailedInARow } from './mail/outbox-store.ts';
import { queueAges } from './queue-ages.ts';
import { chainHeads, sealedHeads, unsealedSeconds } from './seals/chain-heads.ts';
import { settledSlips } from './settlements/settled-slips.ts';

/** What features let be watched from outside: figures of /metrics, by name; those with a `label` have one for each of its values. */
export const watched: readonly {
  name: string;
  help: string;
  label?: string;
  read: (db: Db) => Promise<number | Record<string, number>>;
}[] = [
  {
    name: 'draw_alarms',
    help: 'Phases that cannot be opened, drawn or promised at present, or whose result is out before betting closed',
    read: countAlarms,
  },
  {
    name: 'unplanned_days',
    help: 'Days of games that should have been planned by now and have no plans',
    read: countUnplannedGames,
  },
  {
    name: 'draw_lateness_seconds',
    help: 'How long after its draw time the latest of the results of the last two minutes was there',
    label: 'how',
    read: drawLateness,
  },
  {
    name: 'queue_age_seconds',
    help: 'For how long the oldest of each kind of waiting work has waited',
    label: 'queue',
    read: queueAges,
  },
  {
    name: 'mails_failed_in_a_row',
    help: 'How many of the newest mails that came to an end were given up, of the last day',
    read: mailsFailedInARow,
  },
  {
    name: 'settled_slips_total',
    help: 'Outcomes that slips were given so far, corrections included',
    read: settledSlips,
  },
  {
    name: 'chain_head',
    help: 'The number of the newest row of each chain',
    label: 'chain',
    read: chainHeads,
  },
  {
    name: 'chain_sealed_head',
    help: 'The number of the newest row of each chain that is under a seal',
    label: 'chain',
    read: sealedHeads,
  },
  {
    name: 'chain_unsealed_seconds',
    help: 'For how long the oldest row of each chain that is under no seal has been there',
    label: 'chain',
    read: unsealedSeconds,
  },
  {
    name: 'bets_proof_broken',
    help: 'What did not agree when all slips were last worked out once more',
    read: lastBroken,
  },
];
