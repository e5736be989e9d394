import type { Db } from '#server/db/database.ts';
import { endFinished, gatherNew } from './gathering.ts';
import { retryHeld } from './holds.ts';
import { type Done, firstPace, readBounds, settleNext } from './settle-batch.ts';

const pace = firstPace();

/** New settlements are looked for this often while there is other work: those of local draws come first. */
const LOOK_MS = 250;

/**
 * Does what settlements have to do until nothing is left, or this server stops: lists the slips of new ones, settles them by and by, and
 * ends those that are through. Any number of servers do so at once.
 */
export async function settleDue(db: Db, isStopping: () => boolean = () => false): Promise<void> {
  await retryHeld(db);
  let bounds = await readBounds(db);
  for (let isBusy = true; isBusy && !isStopping(); ) {
    await gatherNew(db);
    bounds = { ...bounds, holdAbove: (await readBounds(db)).holdAbove };
    const until = performance.now() + LOOK_MS;
    isBusy = false;
    for (let done: Done = 'SOME'; done !== 'NOTHING' && performance.now() < until && !isStopping(); ) {
      done = await settleNext(db, pace, bounds);
      isBusy ||= done !== 'NOTHING';
      // Only who does the last of a row can have done the last of its settlement.
      if (done !== 'SOME') await endFinished(db);
    }
  }
}
