import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { running } from './written.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  // One connection: whatever a COPY leaves behind, the next meets.
  db = connect(database.url, { timeZone: 'Asia/Shanghai', max: 1 });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

/** PostgreSQL sends what has come together to so many bytes. */
const SENT_BYTES = 8_192;
/** What follows the end of the rows: COMPLETE and READY take 19. */
const STEP = 8;
/** More than the stream holds for a reader that is not quick. */
const ROW_BYTES = 80_000;

it('a COPY that is read whole frees its connection, wherever the last bytes of it are parted', async () => {
  for (let more = 0; more < SENT_BYTES; more += STEP) {
    const bytes = await db.transaction().execute(async (tx) => {
      let copied = 0;
      const rows = sql`select repeat('x', ${ROW_BYTES + more}::int) as text`;
      for await (const lines of running(tx, rows, { wanted: [['text']] })) copied += lines.length;
      return copied;
    });
    expect(bytes).toBe(ROW_BYTES + more + 1);
  }
}, 60_000);
