import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#server/config.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowPromises } from '#server/testing/draw-permits.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { createVault } from '#server/vault.ts';
import { assertSecret } from './assert-secret.ts';

const vaultOf = (letter: string) => createVault(Buffer.alloc(32, letter));
const [ours, foreign] = [vaultOf('a'), vaultOf('b')];

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  await sql`delete from secret_canary`.execute(database.db);
});
afterEach(() => database.drop());

/** Promises of which the first `mine` were sealed under our secret and the others under a foreign one. */
async function promise(mine: number, others: number): Promise<void> {
  const gameId = await buildGame(database.db);
  await allowPromises(database.db, gameId);
  for (let n = 0; n < mine + others; n++) {
    const seed = (n < mine ? ours : foreign).seal('00', `draw_commitment/${gameId}/${n}`);
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
      select ${gameId}, ${String(n)}, at, at + interval '1 second' from (select now() + ${n}::int * interval '1 second' as at) as due`.execute(
      database.db,
    );
    await sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed)
      values (${gameId}, ${String(n)}, '{}', 'x', ${seed})`.execute(database.db);
  }
}

describe('APP_SECRET at the start', () => {
  it('is remembered by the first start and demanded by every later one, also of many at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => assertSecret(database.db, ours)));
    await expect(assertSecret(database.db, foreign)).rejects.toThrow('APP_SECRET');
    await assertSecret(database.db, ours);
  });

  it('is judged by what is sealed where nothing was remembered yet', async () => {
    await promise(1, 0);
    await expect(assertSecret(database.db, foreign)).rejects.toThrow('APP_SECRET');
    await assertSecret(database.db, ours);
  });

  it.each([
    ['a one-time code', `update operator set "googleSecret" = $`, 'operator:1:googleSecret'],
    [
      'an SMTP password',
      `insert into mail_config (host, port, active, password) values ('h', 25, true, $)`,
      'mail_config:1:password',
    ],
    [
      'the key of a chat session',
      `with p as (insert into player (username, "nickName") values ('p', 'p') returning id)
        insert into chat_session ("operatorId", "userId", "databaseKey") select o.id, p.id, $ from operator o, p`,
      'chat_session:1:databaseKey',
    ],
  ])('is refused when it does not open %s', async (_, statement, binding) => {
    const sealed = ours.seal('x', binding).toString('hex');
    await sql.raw(statement.replace('$', `decode('${sealed}', 'hex')`)).execute(database.db);
    await expect(assertSecret(database.db, foreign)).rejects.toThrow('APP_SECRET');
    await assertSecret(database.db, ours);
  });

  it('is the one that sealed most: a short run under another leaves the right one right', async () => {
    await promise(3, 2);
    await expect(assertSecret(database.db, foreign)).rejects.toThrow('APP_SECRET');
    await assertSecret(database.db, ours);
  });

  it('may be a new one once somebody has said that the old one is lost', async () => {
    await promise(2, 0);
    await sql`insert into secret_canary values (true, null)
      on conflict (singleton) do update set sealed = null`.execute(database.db);
    await assertSecret(database.db, foreign);
    await expect(assertSecret(database.db, ours)).rejects.toThrow('APP_SECRET');
  });

  it('is not made anew beside a database that another one sealed', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'config-'));
    mkdirSync(join(dataDir, 'postgres'));
    expect(() => loadConfig({ DATA_DIR: dataDir })).toThrow(/缺少 .*app-secret.*APP_SECRET/);
    const APP_SECRET = Buffer.alloc(32, 1).toString('base64');
    expect(loadConfig({ DATA_DIR: dataDir, APP_SECRET }).secret).toHaveLength(32);
    rmSync(dataDir, { recursive: true });
  });
});
