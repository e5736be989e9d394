import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { addBalance, pageAccounts } from '#contract/accounts.ts';
import { login } from '#contract/sign-in.ts';
import { connect } from '#server/db/database.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { type SystemPostgres, startSystemPostgres, systemVersion } from '#server/testing/system-postgres.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// A platform moves from the embedded PostgreSQL 18 to the machine's own (Debian has 15) and back again, by the commands that
// operators use. Without one (`apt install postgresql`) there is nothing to move to.
if (systemVersion < 15) console.log('dump and restore: skipped, this machine has no PostgreSQL of its own');

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command as an operator would; gives what it said, and throws unless it ended well. */
async function command(
  script: string,
  files: string[],
  environment: Record<string, string>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...files], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
  });
  return stdout;
}

/** Whose account the tests credit, and how many times that was done. */
async function creditedTo(client: TestClient) {
  const { envelope } = await client.call(pageAccounts, { pageSize: 1 });
  const { id, userId } = given(envelope.data?.data[0]);
  const asked = { userId, changeType: 'MANUAL_ADDITION', pageSize: 1 } as const;
  const { envelope: listed } = await client.call(pageAccountHistory, asked);
  return { id, credits: given(listed.data).totalCount };
}

describe.skipIf(systemVersion < 15)(`embedded to PostgreSQL ${systemVersion} and back`, () => {
  let folder: string;
  let target: SystemPostgres;
  let external: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'back-office-moving-'));
    execFileSync('chmod', ['755', folder]);
    target = await startSystemPostgres(join(folder, 'target'));
    const admin = connect(target.url, { timeZone: 'UTC', max: 1 });
    await sql`create role another_name login password 'moved'`.execute(admin);
    await sql`create database moved owner another_name`.execute(admin);
    await admin.destroy();
    const url = new URL(target.url);
    [url.username, url.password, url.pathname] = ['another_name', 'moved', 'moved'];
    external = url.href;
  });
  afterAll(async () => {
    await target?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Starts the program on a database, works with it, and stops it. */
  async function work(
    environment: Record<string, string>,
    during: (client: TestClient) => Promise<void> = async () => {},
  ): Promise<string> {
    const program = await startProgram({ SAMPLE_DATA: 'true', ...environment });
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const { envelope } = await testClient(program.origin).call(login, { username, password });
    await during(testClient(program.origin, given(envelope.data).access_token));
    expect(await program.end('SIGTERM')).toBe(0);
    return program.said.join('\n');
  }

  test('holds every row both ways, proves, and goes on', async () => {
    const [there, back] = [join(folder, 'there.dump'), join(folder, 'back.dump')];
    await work({ DATA_DIR: join(folder, 'embedded') });
    expect(await command('dump', [there], { DATA_DIR: join(folder, 'embedded') })).toMatch(/已导出 \d+ 个表/);
    expect(await command('restore', [there], { DATABASE_URL: external })).toMatch(
      /已恢复 \d+ 个表，\d+ 行，逐行核对相符/,
    );
    const moved = connect(external, { timeZone: 'Asia/Shanghai', max: 1, patient: true });
    const proof = await expectProven(moved);
    expect(proof.rows).toBeGreaterThan(100);
    // Dumped again while a server works on it, and operators write.
    const credits = { before: 0, atMost: 0 };
    const said = await work({ DATABASE_URL: external }, async (client) => {
      const { id, credits: known } = await creditedTo(client);
      let [acknowledged, isOver] = [0, false];
      const write = async () => {
        for (; !isOver; acknowledged++)
          expect((await client.call(addBalance, { id, balance: '1' })).envelope.success).toBe(true);
      };
      const writing = Promise.all([write(), write(), write(), write()]);
      await expect.poll(() => acknowledged, { timeout: 30_000 }).toBeGreaterThan(20);
      credits.before = known + acknowledged;
      await command('dump', [back], { DATABASE_URL: external });
      isOver = true;
      await writing;
      credits.atMost = known + acknowledged;
    });
    expect(said).not.toContain('首次运行');
    await expect(sql`update account_history set amount = 1`.execute(moved)).rejects.toMatchObject({
      code: '42501',
    });
    await moved.destroy();

    const again = { DATA_DIR: join(folder, 'again') };
    expect(await command('restore', [back], again)).toMatch(/逐行核对相符/);
    expect(existsSync(join(folder, 'again', 'app-secret'))).toBe(false);
    let kept = 0;
    const saidAgain = await work(again, async (client) => {
      kept = (await creditedTo(client)).credits;
    });
    expect(saidAgain).not.toContain('首次运行');
    console.log(`credits: ${credits.before} before the dump, ${kept} in it, ${credits.atMost} after it`);
    expect(kept).toBeGreaterThanOrEqual(credits.before);
    expect(kept).toBeLessThanOrEqual(credits.atMost);
    const { APP_SECRET } = programEnvironment;
    for (const script of ['ledger-verify', 'bets-verify', 'prove'])
      expect(await command(script, [], { ...again, APP_SECRET })).toContain('全部相符');
  });

  test('a used database, a file that is none and another zone are refused with a sentence', async () => {
    const refused = (script: string, file: string, environment: Record<string, string>) => {
      const { status, stderr } = spawnSync(process.execPath, [`scripts/${script}.ts`, file], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, ...environment },
      });
      expect(status).toBe(1);
      return stderr.trim();
    };
    expect(refused('restore', join(folder, 'there.dump'), { DATABASE_URL: external })).toBe(
      '目标数据库不是空的，恢复只能写入空库',
    );
    expect(refused('restore', join(root, 'package.json'), { DATABASE_URL: external })).toBe(
      '导出文件已损坏或不完整',
    );
    expect(refused('restore', '', { DATABASE_URL: external })).toContain('用法');
    await expect(work({ DATABASE_URL: external, PLATFORM_TIME_ZONE: 'Asia/Tokyo' })).rejects.toThrow(
      /平台时区是 Asia\/Shanghai.*请改回/,
    );
  });
});
