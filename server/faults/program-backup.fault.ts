import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRole } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { type Cluster, startPostmaster, stopPostmaster } from '#server/db/postmaster.ts';
import { chooseRunner } from '#server/db/unprivileged.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

// The program before and after, on the newest server the machine has: pg_dump does not come with the embedded PostgreSQL
// and refuses servers newer than itself.
const HOME = '/usr/lib/postgresql';
const versions = existsSync(HOME)
  ? readdirSync(HOME)
      .map(Number)
      .sort((a, b) => b - a)
  : [];
const newest = versions.find((version) => existsSync(`${HOME}/${version}/bin/initdb`)) ?? 0;
const bin = (program: string): string => join(HOME, String(newest), 'bin', program);

interface Server {
  readonly cluster: Cluster;
  readonly url: string;
}

async function makeServer(folder: string): Promise<Server> {
  mkdirSync(folder);
  const binaries = { initdb: bin('initdb'), pgCtl: bin('pg_ctl'), postgres: bin('postgres') };
  const runner = await chooseRunner(folder, folder, [binaries.postgres, '--version']);
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, 'backup');
  if (runner.owner) execFileSync('chown', ['-R', `${runner.owner.uid}:${runner.owner.gid}`, folder]);
  const data = join(folder, 'data');
  await runner.run(binaries.initdb, [
    '-D',
    data,
    '-U',
    'owner',
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    `--pwfile=${passwordFile}`,
  ]);
  const cluster: Cluster = { folder: data, binaries, runner, durable: true };
  const port = await startPostmaster(cluster, 0);
  return { cluster, url: `postgres://owner:backup@127.0.0.1:${port}/postgres` };
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

describe.skipIf(newest < 15)(`backup and restore with pg_dump ${newest}`, () => {
  let folder: string;
  let source: Server;
  let target: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'back-office-backup-'));
    execFileSync('chmod', ['755', folder]);
    [source, target] = [await makeServer(join(folder, 'source')), await makeServer(join(folder, 'target'))];
  });
  afterAll(async () => {
    for (const { cluster } of [source, target]) await stopPostmaster(cluster);
    rmSync(folder, { recursive: true });
  });

  test('a dump restored into a fresh server holds every row, and the program goes on with it', async () => {
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const before = await startProgram({ DATABASE_URL: source.url, SAMPLE_DATA: 'true' });
    const { envelope } = await testClient(before.origin).call(login, { username, password });
    const token = envelope.data?.access_token;
    await testClient(before.origin, token).call(addRole, { desc: '备份', name: 'backed-up' });
    expect(await before.end('SIGTERM')).toBe(0);

    const dump = join(folder, 'dump');
    execFileSync(bin('pg_dump'), ['-Fc', '--no-owner', '-f', dump, source.url]);
    execFileSync(bin('pg_restore'), ['--no-owner', '--exit-on-error', '-d', target.url, dump]);
    const held = await contents(source.url);
    expect(Object.keys(held).length).toBeGreaterThan(10);
    expect(await contents(target.url)).toEqual(held);
    const restored = connect(target.url, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
    await expectProven(restored);
    await restored.destroy();

    const after = await startProgram({ DATABASE_URL: target.url, SAMPLE_DATA: 'true' });
    expect(after.said.join('\n')).not.toContain('首次运行');
    const client = testClient(after.origin, token);
    expect((await client.call(addRole, { desc: '备份', name: 'backed-up' })).envelope.msg).toBe(
      '角色标识已存在',
    );
    expect(await after.end('SIGTERM')).toBe(0);
    console.log(`${Object.keys(held).length} tables restored`);
  });
});
