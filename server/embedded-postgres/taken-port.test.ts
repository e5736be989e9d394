import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'taken-port-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Listens there as soon as nobody else does. */
async function taken(port: number): Promise<Server> {
  for (;;) {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    const listens = once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (await listens) return server;
    await sleep(1);
  }
}

it('PostgreSQL that ended comes back where the server looks for it, though another program had its port meanwhile', async () => {
  const told: string[] = [];
  const postgres = await startEmbeddedPostgres({
    ...{ dataDir, durable: false },
    onEvent: (sentence) => told.push(sentence),
  });
  const db = connect(postgres.url, { timeZone: 'UTC', max: 1 });
  try {
    await sql`select`.execute(db);
    process.kill(
      Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
      'SIGKILL',
    );
    const other = await taken(Number(new URL(postgres.url).port));
    await expect.poll(() => told.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await sleep(1_000);
    other.close();
    expect(told).toEqual([expect.stringContaining('正在重试')]);
    await expect.poll(() => told.at(-1), { timeout: 20_000 }).toBe('内置 PostgreSQL 曾意外停止，已重新启动');
    await sql`select`.execute(db);
  } finally {
    await db.destroy();
    await postgres.stop();
  }
}, 60_000);
