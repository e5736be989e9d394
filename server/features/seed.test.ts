import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import { startProgram } from '#server/testing/program.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { seed } from './seed.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase({ seeded: false });
});
afterEach(() => database.drop());

const operators = () => database.db.selectFrom('operator').select('userName').execute();
const seeded = (adminPassword: string, adminUsername = 'admin') =>
  seed(database.db, { ...testConfig(), adminPassword, adminUsername, sampleData: false });

describe('servers that start at the same time', () => {
  it('wait for the first one’s rows however long it takes, also where a pooler hands out sessions with limits on time', async () => {
    const impatient = connect(database.url, { timeZone: 'Asia/Shanghai', max: 1 });
    await sql`set lock_timeout = '100ms'; set statement_timeout = '150ms'`.execute(impatient);
    const config = { ...testConfig(), sampleData: false };
    const waiting = await database.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('seed', 0))`.execute(tx);
      const second = seed(impatient, config).then(
        () => undefined,
        (error: unknown) => error,
      );
      await sql`select pg_sleep(0.5)`.execute(tx);
      return { second };
    });
    expect(await waiting.second).toBeUndefined();
    expect(await operators()).toHaveLength(1);
    await impatient.destroy();
  });
});

describe('a first start that cannot listen', () => {
  it.each(['1', '2'])(
    'has told the random password all the same, which nobody is told again; SERVERS=%s',
    {
      timeout: 120_000,
    },
    async (servers) => {
      const taken = createServer().listen(0, '127.0.0.1');
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const dataDir = mkdtempSync(join(tmpdir(), 'back-office-seed-'));
      const starting = startProgram({
        ...{ DATA_DIR: dataDir, SERVERS: servers, PORT: String(port), ADMIN_PASSWORD: '' },
      });
      const said: string = await starting.then(
        () => '',
        (error: Error) => error.message,
      );
      taken.close();
      rmSync(dataDir, { recursive: true, force: true });
      expect(said).toMatch(/首次运行，操作员账号：admin\n密码：[\w-]{16}\n/);
      expect(said).toContain(`端口 ${port} 已被占用，请用环境变量 PORT 另选端口`);
      expect(said).not.toMatch(/^ +at /m);
    },
  );
});

describe('ADMIN_PASSWORD', () => {
  it.each([
    ['12345678', 'admin', '密码过于常见，请换一个'],
    ['Passw0rd!', 'admin', '密码过于常见，请换一个'],
    ['the-Admin-of-this', 'admin', '密码不能包含用户名'],
    ['orchid under glass', 'orchid', '密码不能包含用户名'],
  ])('%s stops the first start for %s, and nothing is made', async (password, username, why) => {
    await expect(seeded(password, username)).rejects.toMatchObject({
      name: 'ConfigError',
      message: `环境变量 ADMIN_PASSWORD 不能用作首个操作员的密码：${why}`,
    });
    expect(await operators()).toEqual([]);
    // One that nobody tries first is taken.
    await seeded('orchids keep under glass', 'admin');
    expect(await operators()).toEqual([{ userName: 'admin' }]);
  });

  it('is not looked at once there is a first operator', async () => {
    await seeded('orchids keep under glass');
    await seeded('12345678');
    expect(await operators()).toEqual([{ userName: 'admin' }]);
  });

  it('that is refused ends the program with the sentence and exit code 1', { timeout: 60_000 }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'back-office-seed-'));
    try {
      await expect(startProgram({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'qwertyuiop' })).rejects.toThrow(
        /^the program ended with 1:\n(.*\n)*环境变量 ADMIN_PASSWORD 不能用作首个操作员的密码：密码过于常见，请换一个$/,
      );
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
