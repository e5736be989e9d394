import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeOperator } from '#server/features/operators/operator-store.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { startProgram } from '#server/testing/program.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { listeningHost } from './known-password.ts';
import { SAMPLE_PASSWORD } from './sample-account.ts';
import { hashPassword } from './sign-in/password.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const LISTENING = '0A';

/** The addresses on which something of this machine listens on a port, as Linux writes them: 0100007F is 127.0.0.1. */
function listenersOn(port: number): string[] {
  const lines = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1),
  );
  return lines.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    const [address = '', hexPort = ''] = local.split(':');
    return state === LISTENING && Number.parseInt(hexPort, 16) === port ? [address] : [];
  });
}

describe('a known password never faces a network', () => {
  it('any operator with the sample password keeps the server on loopback, and the reason names them', async () => {
    const { db } = database;
    expect(await listeningHost(db, '0.0.0.0')).toEqual({ host: '0.0.0.0' });
    const { id, username } = await buildOperator(db);
    await changeOperator(db, { id }, async () => ({ passwordHash: await hashPassword(SAMPLE_PASSWORD) }));
    const { host, reason } = await listeningHost(db, '0.0.0.0');
    expect(host).toBe('127.0.0.1');
    expect(reason).toContain(`操作员 ${username} 的密码仍是公开的演示密码`);
    expect(reason).toContain('0.0.0.0');
    // From a server without a browser nobody reaches the screen where it is changed.
    expect(reason).toContain(`npm run password:reset -- ${username}`);
    await changeOperator(db, { id }, async () => ({ passwordHash: await hashPassword('no longer known') }));
    expect(await listeningHost(db, '::')).toEqual({ host: '::' });
  });

  it('looks at each password once', async () => {
    const { db } = database;
    await buildOperator(db);
    await listeningHost(db, '0.0.0.0');
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from operator where "checkedHash" is distinct from "passwordHash"`.execute(db);
    expect(rows[0]?.n).toBe(0);
  });

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('%s needs no look', async (wanted) => {
    expect(await listeningHost(database.db, wanted)).toEqual({ host: wanted });
  });

  // Only programs that find the sample password are started with this HOST; another would listen on a network.
  it('holds at a second start, whatever ADMIN_PASSWORD and SAMPLE_DATA say by then', {
    timeout: 180_000,
  }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'back-office-known-'));
    const first = await startProgram({ DATA_DIR: dataDir, SAMPLE_DATA: 'true', ADMIN_PASSWORD: '' });
    await first.end('SIGTERM');
    for (const later of [
      { SAMPLE_DATA: 'true', ADMIN_PASSWORD: 'another password than before' },
      { SAMPLE_DATA: 'false', ADMIN_PASSWORD: '' },
    ]) {
      const second = await startProgram({ DATA_DIR: dataDir, HOST: '0.0.0.0', ...later });
      const listening = listenersOn(Number(new URL(second.origin).port));
      await second.end('SIGTERM');
      expect(second.said.join('\n')).toContain('操作员 admin 的密码仍是公开的演示密码');
      expect(listening).toEqual(['0100007F']);
    }
    rmSync(dataDir, { recursive: true, force: true });
  });
});
