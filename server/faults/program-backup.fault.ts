import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRole } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { proveSeals } from '#server/features/seals/prove-seals.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import {
  type SystemPostgres,
  startSystemPostgres,
  systemProgram,
  systemVersion,
} from '#server/testing/system-postgres.ts';
import { testClient } from '#server/testing/test-client.ts';
import { createVault } from '#server/vault.ts';

// The program before and after, with the commands of docs/operations.md, on the newest server the machine has: pg_dump does not come with the
// embedded PostgreSQL and refuses servers newer than itself.

/** Addresses of a new database and of its two roles, which bear its name. */
async function databaseOf(server: SystemPostgres, name: string) {
  const admin = connect(server.url, { timeZone: 'UTC', max: 1 });
  const addressOf = async (role: string): Promise<string> => {
    await sql`create role ${sql.ref(role)} login password 'backup'`.execute(admin);
    return Object.assign(new URL(server.url), { username: role, pathname: name }).href;
  };
  const addresses = {
    DATABASE_OWNER_URL: await addressOf(`${name}_owner`),
    DATABASE_URL: await addressOf(`${name}_server`),
  };
  await sql`create database ${sql.ref(name)} owner ${sql.ref(`${name}_owner`)}`.execute(admin);
  await admin.destroy();
  return addresses;
}

/** Every table of the database with the digest of all its rows. */
async function contents(url: string): Promise<Record<string, string>> {
  const db = connect(url, { timeZone: 'UTC', max: 1 });
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`.execute(db);
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' ' || md5(coalesce(string_agg(row::text, '|' order by row::text), '')) as digest
      from ${sql.raw(name)} as row`.execute(db);
    digests[name] = rows[0]?.digest ?? '';
  }
  await db.destroy();
  return digests;
}

describe.skipIf(systemVersion < 15)(`backup and restore with pg_dump ${systemVersion}`, () => {
  let folder: string;
  let source: SystemPostgres;
  let target: SystemPostgres;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'back-office-backup-'));
    execFileSync('chmod', ['755', folder]);
    source = await startSystemPostgres(join(folder, 'source'));
    target = await startSystemPostgres(join(folder, 'target'));
  });
  afterAll(async () => {
    for (const server of [source, target]) await server.stop();
    rmSync(folder, { recursive: true });
  });

  test('a dump restored into a fresh server, for roles of other names, holds every row, and the program goes on with it', async () => {
    const [from, to] = [await databaseOf(source, 'original'), await databaseOf(target, 'restored')];
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const before = await startProgram({ ...from, SAMPLE_DATA: 'true' });
    const { envelope } = await testClient(before.origin).call(login, { username, password });
    const token = envelope.data?.access_token;
    await testClient(before.origin, token).call(addRole, { desc: '备份', name: 'backed-up' });
    expect(await before.end('SIGTERM')).toBe(0);

    const dump = join(folder, 'dump');
    execFileSync(systemProgram('pg_dump'), ['-Fc', '--no-owner', '--no-acl', '-f', dump, from.DATABASE_URL]);
    execFileSync(systemProgram('pg_restore'), [
      '--no-owner',
      '--no-acl',
      '--exit-on-error',
      '-d',
      to.DATABASE_OWNER_URL,
      dump,
    ]);
    const held = await contents(from.DATABASE_OWNER_URL);
    expect(Object.keys(held).length).toBeGreaterThan(10);
    expect(await contents(to.DATABASE_OWNER_URL)).toEqual(held);

    const after = await startProgram({ ...to, SAMPLE_DATA: 'true' });
    expect(after.said.join('\n')).not.toContain('首次运行');
    const client = testClient(after.origin, token);
    expect((await client.call(addRole, { desc: '备份', name: 'backed-up' })).envelope.msg).toBe(
      '角色标识已存在',
    );
    const restored = connect(to.DATABASE_URL, { timeZone: 'Asia/Shanghai', max: 2, patient: true });
    const proof = await expectProven(restored);
    expect(proof.rows).toBeGreaterThan(100);
    expect((await proveBets(restored)).breaks).toEqual([]);
    const vault = createVault(Buffer.from(programEnvironment.APP_SECRET, 'base64'));
    expect((await proveSeals(restored, vault, { timeZone: 'Asia/Shanghai' })).problems).toEqual([]);
    for (const table of ['account_history', 'change_record'])
      for (const change of [
        `update ${table} set "createTime" = now()`,
        `delete from ${table}`,
        `truncate ${table}`,
      ])
        await expect(sql.raw(change).execute(restored), change).rejects.toMatchObject({ code: '42501' });
    await restored.destroy();
    expect(await after.end('SIGTERM')).toBe(0);
    console.log(`${Object.keys(held).length} tables restored`);
  });
});
