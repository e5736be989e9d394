import type { Db } from '#server/db/database.ts';
import { endFinished, gatherNew } from './gathering.ts';
import { retryHeld } from './holds.ts';
import { firstPace, settleNext } from './settle-batch.ts';

const pace = firstPace();

/**
 * Does what settlements have to do until nothing is left, or this server stops: lists the slips of new ones, settles them by and by, and
 * ends those that are through. Any number of servers do so at once.
 */
export async function settleDue(db: Db, isStopping: () => boolean = () => false): Promise<void> {
  await retryHeld(db);
  for (let more = true; more && !isStopping(); ) {
    await gatherNew(db);
    more = await settleNext(db, pace);
    await endFinished(db);
  }
}
