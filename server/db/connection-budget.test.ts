import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { allParts } from '#server/jobs/all-parts.ts';
import { startProgram } from '#server/testing/program.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { checkBudget } from './connection-budget.ts';
import { connectionsOfParts, fewestConnections, mostConnections, sharesOf } from './connection-shares.ts';
import { openConnections } from './connections.ts';
import { DatabaseUnfit } from './database.ts';
import { poolStates } from './driver/connection-pool.ts';

// The tests' PostgreSQL takes 400 connections, and keeps 3 of them for superusers.
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

test('what the background work takes is what its parts have', () => {
  const taken = allParts().reduce((sum, { connections = 1 }) => sum + connections, 0);
  expect(connectionsOfParts).toBe(taken);
});

describe('a budget of connections', () => {
  it.each([fewestConnections, mostConnections, 100])('of %i is all that the shares come to', (most) => {
    const shares = sharesOf(most);
    expect(Object.values(shares).every((share) => share >= 1)).toBe(true);
    expect(Object.values(shares).reduce((sum, each) => sum + each, connectionsOfParts)).toBe(most);
  });

  it('is not passed by queries, however many come', async () => {
    const own = openConnections(database.url, { timeZone: 'Asia/Shanghai', most: fewestConnections });
    const asked = Array.from({ length: 20 }, () => own.reads.selectFrom('role').select('id').execute());
    const open = () => poolStates().findLast(({ name }) => name === 'reads')?.open;
    await Promise.all(asked);
    expect(open()).toBe(1);
    await own.destroy();
  });

  it('that the database cannot give is refused in words, and told where none was set', async () => {
    expect(await checkBudget(database.db, { each: 99, servers: 4 })).toBeUndefined();
    const refused = checkBudget(database.db, { each: 100, servers: 4 });
    await expect(refused).rejects.toThrow(DatabaseUnfit);
    await expect(refused).rejects.toThrow(
      '数据库最多给 397 条连接（max_connections 减去保留的），本机的服务可能要用 4 个进程各 100 条，共 400 条；请减小环境变量 DATABASE_CONNECTIONS 或 SERVERS',
    );
    expect(await checkBudget(database.db, { each: null, servers: 9 })).toBeUndefined();
    expect(await checkBudget(database.db, { each: null, servers: 10 })).toContain('不够时调用排队等待');
  });

  it('ends the start with that sentence', async () => {
    // A database of its own, which takes as many: that of the tests forgets too easily to start on.
    const folder = mkdtempSync(join(tmpdir(), 'back-office-budget-'));
    const starting = startProgram({ DATA_DIR: folder, DATABASE_CONNECTIONS: '398' });
    await expect(starting).rejects.toThrow('本机的服务可能要用 398 条；请减小环境变量 DATABASE_CONNECTIONS');
    rmSync(folder, { recursive: true, force: true });
  });
});
