import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { connect, type Db } from './database.ts';
import { onStatement } from './driver/statements.ts';
import { readBytes } from './read-bytes.ts';

const GATE = 480_002;

let database: TestDatabase;
let db: Db;
let sent: string[];
let unheard: () => void;
beforeAll(async () => {
  database = await testDatabase();
  db = connect(database.url, { timeZone: 'Asia/Shanghai', max: 4 });
  await sql`insert into role (name, "desc") values ('asked', '0')`.execute(db);
  unheard = onStatement(
    ({ text }) => text.startsWith('select') && text.includes('from role') && sent.push(text),
  );
});
beforeEach(() => {
  sent = [];
});
afterAll(async () => {
  unheard();
  await db.destroy();
  await database.drop();
});

/** What stood there when it was asked, told once the gate is open. */
const behindGate = (which: number) =>
  sql`select "desc", pg_advisory_xact_lock_shared(${sql.lit(GATE)}) from role where name = 'asked' and ${which}::int >= 0`;
const read = async (of: Db, which = 0): Promise<string | undefined> =>
  (await readBytes(of, behindGate(which)))[0]?.[0]?.toString();
const write = (of: Db, n: number) =>
  sql`update role set "desc" = ${String(n)} where name = 'asked'`.execute(of);
const waiting = async (): Promise<number> =>
  (
    await sql`select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`.execute(
      db,
    )
  ).rows.length;

/** Runs something while the gate is shut. */
const whileShut = (run: (tx: Db) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(GATE)})`.execute(tx);
    await run(tx);
  });

it('all who ask the same while an answer is under way share the next one, which is as new as their question', async () => {
  await write(db, 1);
  const first: Promise<string | undefined>[] = [];
  const later: typeof first = [];
  await whileShut(async () => {
    first.push(read(db));
    await expect.poll(waiting, { interval: 5 }).toBe(1);
    await write(db, 2);
    for (let one = 0; one < 10; one++) later.push(read(db));
  });
  expect(await Promise.all(first)).toEqual(['1']);
  expect(await Promise.all(later)).toEqual(Array(10).fill('2'));
  expect(sent).toHaveLength(2);
});

it('other values are another question, and wait for nobody', async () => {
  const asked: Promise<string | undefined>[] = [];
  await whileShut(async () => {
    asked.push(read(db, 1), read(db, 2));
    await expect.poll(waiting, { interval: 5 }).toBe(2);
  });
  await Promise.all(asked);
  expect(sent).toHaveLength(2);
});

it('a transaction reads for itself, as it alone sees', async () => {
  await db.transaction().execute(async (tx) => {
    await write(tx, 7);
    const [within, outside] = await Promise.all([read(tx), read(db)]);
    expect(within).toBe('7');
    expect(outside).not.toBe('7');
  });
});

it('one that fails fails for all who share it, and the next asks anew', async () => {
  const broken = () =>
    readBytes(db, sql`select 1 / "desc"::int from role where name = 'asked' and ${1}::int = 1`);
  await write(db, 0);
  const failed = await Promise.allSettled([broken(), broken(), broken()]);
  expect(failed.map((each) => each.status)).toEqual(['rejected', 'rejected', 'rejected']);
  await write(db, 1);
  expect((await broken())[0]?.[0]?.toString()).toBe('1');
});
