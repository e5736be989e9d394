import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { sentenceOf } from './plain-errors.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const changes: [string, (url: URL) => void, string][] = [
  ['another database', (url) => (url.pathname = '/nosuch'), 'database "nosuch" does not exist'],
  ['another user', (url) => (url.username = 'nobody'), '"nobody"'],
  ['a wrong password', (url) => (url.password = 'wrong'), 'password authentication failed'],
  ['a port where nobody is', (url) => (url.port = '1'), 'ECONNREFUSED'],
  ['a parameter that PostgreSQL has not', (url) => (url.search = '?sslrootcert=/x'), '"sslrootcert"'],
  ['a database that lets nobody in', (url) => (url.pathname = '/template0'), '"template0"'],
];

it.each(changes)(
  '%s is told in a sentence that names the variable and no password',
  async (_, change, why) => {
    const url = new URL(database.url);
    change(url);
    const db = connect(url.href, { timeZone: 'UTC', max: 1, patient: true });
    const sentence = await sql`select 1`.execute(db).then(() => '', sentenceOf);
    await db.destroy();
    expect(sentence).toContain('无法连接数据库');
    expect(sentence).toContain('DATABASE_URL');
    expect(sentence).toContain(why);
    expect(sentence.split('\n')).toHaveLength(1);
    if (url.password) expect(sentence).not.toContain(url.password);
  },
);

it('a time zone that the database does not know is told in a sentence that names the variable', async () => {
  const db = connect(database.url, { timeZone: 'Asia/Nowhere', max: 1, patient: true });
  const sentence = await sql`select 1`.execute(db).then(() => '', sentenceOf);
  await db.destroy();
  expect(sentence).toContain('PLATFORM_TIME_ZONE');
  expect(sentence).toContain('Asia/Nowhere');
  expect(sentence.split('\n')).toHaveLength(1);
});

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('a certificate of the database that is not believed is told in a sentence: %s', (code) => {
  const sentence = sentenceOf(Object.assign(new Error('not believed'), { code }));
  expect(sentence).toMatch(/^无法连接数据库.*not believed.*DATABASE_URL/);
  expect(sentence.split('\n')).toHaveLength(1);
});

it('a database whose disk is full is told in a sentence', () => {
  const message = 'could not extend file "base/16384/2619": No space left on device';
  const sentence = sentenceOf(Object.assign(new Error(message), { code: '53100', severity: 'ERROR' }));
  expect(sentence).toBe(`数据库的磁盘已满（${message}）；请腾出空间之后重做`);
});

it('a session that ends while the program is busy with something else is told in a sentence too', async () => {
  const db = connect(database.url, { timeZone: 'UTC', max: 1, patient: true });
  const lost = db.transaction().execute(async (tx) => {
    await sql`set local idle_in_transaction_session_timeout = 50`.execute(tx);
    // Nothing that comes is read meanwhile, so the next statement meets a closed socket.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await sql`select 1`.execute(tx);
  });
  const sentence = await lost.then(() => '', sentenceOf);
  await db.destroy();
  expect(sentence).toContain('连接中断');
  expect(sentence.split('\n')).toHaveLength(1);
});

it('a file that is missing is no matter of the database', async () => {
  const sentence = await readFile('/nosuch').then(() => '', sentenceOf);
  expect(sentence).not.toContain('数据库');
});
