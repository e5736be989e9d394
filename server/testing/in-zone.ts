import { connect, type Db } from '#server/db/database.ts';
import type { TestDatabase } from './test-database.ts';

/** Looks at a database as a platform in another zone does, by the name of the zone or its rules. */
export async function inZone<T>(
  { url }: TestDatabase,
  timeZone: string,
  look: (db: Db) => Promise<T>,
): Promise<T> {
  const db = connect(url, { timeZone, max: 1 });
  try {
    return await look(db);
  } finally {
    await db.destroy();
  }
}
