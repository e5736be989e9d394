import { nextSettlement } from '#server/features/settlements/holds.ts';
import { settleDue, settlingConnections, settlingOpening } from '#server/features/settlements/settle.ts';
import type { Part } from './part.ts';
import type { Signal } from './signal.ts';

/** Slips of phases that were drawn, corrected or voided, on all servers at once. */
export function settlements(drawn: Signal): Part {
  return {
    name: 'settlements',
    what: '结算注单：派彩、退本金、更正、作废',
    // Whoever drew settles at once; other servers find the rows that say so.
    connections: settlingConnections,
    opening: settlingOpening,
    everyMs: 250,
    wokenBy: drawn,
    // What waits behind a large settlement, or for a slip still being placed, comes in its turn.
    patienceMs: 5 * 60_000,
    nextDue: ({ db }) => nextSettlement(db),
    run: ({ db }, turn) => settleDue(db, turn.isStopping),
  };
}
