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
import { SAMPLE_PASSWORD, sampleAccount } from './sample-account.ts';
import { seed } from './seed.ts';
import { hashPassword } from './sign-in/password.ts';

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

describe('ADMIN_USERNAME', () => {
  it.each([
    ['аdmin', '用户名只能使用汉字、英文字母、数字与 _ . @ -'],
    ['the admin', '用户名只能使用汉字、英文字母、数字与 _ . @ -'],
    ['平台接口', '用户名不能与操作日志中的“平台接口”“服务器命令”相同'],
  ])('%s stops the first start, and nothing is made', async (username, why) => {
    await expect(seeded('orchids keep under glass', username)).rejects.toMatchObject({
      name: 'ConfigError',
      message: `环境变量 ADMIN_USERNAME 不能用作首个操作员的账号：${why}`,
    });
    expect(await operators()).toEqual([]);
  });

  it('is kept as names are compared, and not looked at once there is a first operator', async () => {
    await seeded('orchids keep under glass', 'Ｏｐｓ');
    expect(await operators()).toEqual([{ userName: 'Ops' }]);
    await seeded('orchids keep under glass', '平台接口');
    expect(await operators()).toHaveLength(1);
  });
});

describe('the sample account that the login page fills in', () => {
  const shown = (changes: object) =>
    sampleAccount(database.db, { ...testConfig(), adminPassword: null, sampleData: true, ...changes });
  const shownAs = async (password: string) => {
    await database.db
      .updateTable('operator')
      .set({ passwordHash: await hashPassword(password) })
      .execute();
    return shown({});
  };

  it('is none where the first start was given a password, also at later starts that are given none', async () => {
    await seeded('orchids keep under glass');
    expect(await shown({})).toBeUndefined();
  });

  it('is the first operator for as long as the password is the published one', async () => {
    const account = { username: 'admin', password: SAMPLE_PASSWORD };
    await seeded('orchids keep under glass');
    expect(await shownAs(SAMPLE_PASSWORD)).toEqual(account);
    // What is given to a later start changes no password.
    expect(await shown({ adminPassword: 'orchids keep under glass' })).toEqual(account);
    expect(await shown({ sampleData: false })).toBeUndefined();
    expect(await shownAs('another one of its own')).toBeUndefined();
  });
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
