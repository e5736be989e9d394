import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { type ExternalPostgres, externalPostgres } from '#server/testing/external-postgres.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

const version = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync('pgbouncer', ['--version']).stdout ?? ''));
/** From 1.21 on it knows prepared statements. */
const prepares = Number(version?.[1]) > 1 || Number(version?.[2]) >= 21;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

describe.skipIf(!version)('two servers behind PgBouncer in transaction mode', () => {
  let postgres: ExternalPostgres;
  let folder: string;
  let stopPooler: () => Promise<void>;
  let programs: Program[];

  beforeAll(async () => {
    postgres = await externalPostgres();
    const direct = new URL(postgres.url);
    folder = mkdtempSync(join(tmpdir(), 'back-office-pooler-'));
    const port = await freePort();
    writeFileSync(join(folder, 'users.txt'), `"${direct.username}" "${direct.password}"\n`);
    // As in docs/operations.md.
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]
back_office = host=127.0.0.1 port=${direct.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
${prepares ? 'max_prepared_statements = 500' : ''}
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout
`,
    );
    const asRoot = process.getuid?.() === 0;
    if (asRoot) execFileSync('chown', ['-R', 'nobody', folder]);
    const pooler = spawn('pgbouncer', [
      ...(asRoot ? ['-u', 'nobody'] : []),
      '-q',
      join(folder, 'pgbouncer.ini'),
    ]);
    stopPooler = async () => {
      pooler.kill('SIGKILL');
      await once(pooler, 'exit');
    };
    await sleep(500);
    const url = new URL(direct);
    url.port = String(port);
    if (!prepares) url.searchParams.set('prepare', 'false');
    programs = await Promise.all([1, 2].map(() => startProgram({ DATABASE_URL: url.href })));
  });
  afterAll(async () => {
    for (const program of programs) expect(await program.end('SIGTERM')).toBe(0);
    await stopPooler();
    await postgres.remove();
    rmSync(folder, { recursive: true });
  });

  test('they migrate once, and 400 changes and queries from 40 callers over 4 connections all succeed', async () => {
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const clients = await Promise.all(
      programs.map(async ({ origin }) => {
        const { envelope } = await testClient(origin).call(login, { username, password });
        return testClient(origin, envelope.data?.access_token);
      }),
    );
    const callers = Array.from({ length: 40 }, async (_, caller) => {
      const statuses: number[] = [];
      for (let i = 0; i < 5; i++) {
        for (const client of clients) {
          const added = await client.call(addRole, {
            desc: '池',
            name: `p-${caller}-${i}-${clients.indexOf(client)}`,
          });
          const listed = await client.call(listRoles, { name: `p-${caller}-` });
          statuses.push(added.status, listed.status);
          expect(added.envelope.success && listed.envelope.success).toBe(true);
        }
      }
      return statuses;
    });
    expect(new Set((await Promise.all(callers)).flat())).toEqual(new Set([200]));
  });
});
