import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#server/db/database.ts';
import type { Bounds } from './decide.ts';
import { endFinished, gatherNew } from './gathering.ts';
import { retryHeld } from './holds.ts';
import { firstPace, readBounds, settleNext } from './settle-batch.ts';

const pace = firstPace();

/** How often new settlements are looked for while there is other work, since those of local draws come first. */
const LOOK_MS = 250;

/** How many transactions of a server settle at once, each for different accounts: while the server judges slips for one, the database writes another. */
const LANES = 2;
/** One connection more looks for new settlements meanwhile. */
export const settlingConnections = LANES + 1;
/** The first statement of a session that settles: it plans its statements before it holds locks. */
export const settlingOpening = 'select rehearse_settling()';

interface Lanes {
  bounds: Bounds;
  /** Whether any of them found work since this was last asked. */
  isBusy: boolean;
  failure?: { readonly error: unknown };
  isStopping(): boolean;
}

/** A failure ends all lanes; the first one is thrown. */
const failing =
  (lanes: Lanes) =>
  (error: unknown): void => {
    lanes.failure = lanes.failure ?? { error };
  };

/** Settles batch after batch until nothing is left. */
async function settleOn(db: Db, lanes: Lanes): Promise<void> {
  while (!lanes.failure && !lanes.isStopping()) {
    const done = await settleNext(db, pace, lanes.bounds);
    // Only who does the last of a row can have done the last of its settlement.
    if (done !== 'SOME') await endFinished(db);
    if (done === 'NOTHING') return;
    lanes.isBusy = true;
  }
}

/** Lists new settlements' slips and keeps lanes going, until they find nothing. */
async function drive(db: Db, lanes: Lanes, open: Set<Promise<void>>): Promise<void> {
  while (lanes.isBusy && !lanes.failure && !lanes.isStopping()) {
    lanes.isBusy = false;
    await gatherNew(db);
    lanes.bounds = { ...lanes.bounds, holdAbove: (await readBounds(db)).holdAbove };
    while (open.size < LANES) {
      const lane = settleOn(db, lanes)
        .catch(failing(lanes))
        .finally(() => open.delete(lane));
      open.add(lane);
    }
    await Promise.race([Promise.all(open), sleep(LOOK_MS, undefined, { ref: false })]);
    lanes.isBusy ||= open.size > 0;
  }
}

/**
 * Works on settlements until nothing is left or this server stops: lists the slips of new ones, settles them batch by batch, and ends those that
 * are done. Any number of servers may do so at once.
 */
export async function settleDue(db: Db, isStopping: () => boolean = () => false): Promise<void> {
  await retryHeld(db);
  const lanes: Lanes = { bounds: await readBounds(db), isBusy: true, isStopping };
  const open = new Set<Promise<void>>();
  await drive(db, lanes, open).catch(failing(lanes));
  await Promise.all(open);
  if (lanes.failure) throw lanes.failure.error;
}
