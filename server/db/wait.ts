import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { isOutage } from './driver/outage.ts';

const PATIENCE_MS = 60_000;

/** Waits for a database that starts together with this server, a minute at most. `onWait` is told once, and why. */
export async function waitForDatabase(db: Db, onWait: (error: unknown) => void): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (let tries = 0; ; tries++) {
    try {
      await sql`select 1`.execute(db);
      return;
    } catch (error) {
      if (!isOutage(error) || performance.now() > giveUpAt) throw error;
      if (tries === 0) onWait(error);
      await sleep(500);
    }
  }
}
