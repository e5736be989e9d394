import { nextProof, proveToday } from '#server/features/bets-proof/daily-proof.ts';
import type { Part } from './part.ts';

/** Every slip is worked out once more each night; whatever does not agree is an alarm, in the log and in /metrics until the next night. */
export const betsProof: Part = {
  name: 'bets-proof',
  what: '每日复算全部注单',
  everyMs: 10 * 60_000,
  firstMs: 60_000,
  patient: true,
  // A proof takes as long as there are slips.
  patienceMs: 6 * 60 * 60_000,
  nextDue: ({ db }) => nextProof(db),
  run: async ({ db, log }) => {
    const proof = await proveToday(db);
    if (!proof) return;
    for (const found of proof.breaks.slice(0, 20)) log.error(found, 'a bet does not prove');
    log.info({ slips: proof.slips, broken: proof.broken }, 'bets proven');
  },
};
