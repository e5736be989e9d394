import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { login } from '#contract/sign-in.ts';
import { connect, type Db } from '#server/db/database.ts';
import { embeddedUrl } from '#server/embedded-postgres/embedded-postgres.ts';
import { type BuiltUser, balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient, under } from '#server/testing/test-client.ts';

// The server with the PostgreSQL it brings along, its data, its log and its file of anchors on one small disk, which fills up.

const root = fileURLToPath(new URL('../..', import.meta.url));
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const FULL_MS = 6_000;
const WRITERS = 4;
const SIZE = '320m';

const folder = mkdtempSync(join(tmpdir(), 'back-office-disk-'));
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]).status === 0;
if (!hasDisk) console.log('a full disk: left out, since only root makes a small one');

const [dataDir, log, filler] = ['data', 'log', 'filler'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];

/** Takes what is left of the disk, to the last byte. */
function fill(): void {
  const file = openSync(filler, 'a');
  try {
    for (let size = 1_048_576; size >= 1; )
      try {
        writeSync(file, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
  } finally {
    closeSync(file);
  }
}
const free = () => rmSync(filler, { force: true });

/** Has PostgreSQL ask for room for its log, without which it goes down, and comes up only once there is some. */
async function wantLog(): Promise<void> {
  const url = new URL(given(embeddedUrl(dataDir)));
  const { adminPassword } = JSON.parse(readFileSync(`${dataDir}/postgres.json`, 'utf8'));
  Object.assign(url, { username: 'postgres', password: adminPassword, pathname: 'postgres' });
  const superuser = connect(url.href, { timeZone: 'UTC', max: 1 });
  for (let n = 0; n < 20; n++)
    await sql`select pg_switch_wal(), txid_current()`.execute(superuser).catch(() => undefined);
  await superuser.destroy();
}

/** With its output in a file on that disk; `tail` tells where it listens. */
const start = () =>
  startProgram({ DATA_DIR: dataDir, ANCHOR_FILE: join(folder, 'anchors'), LOG_LEVEL: 'info' }, [
    'sh',
    '-c',
    'tail --pid=$$ -n 0 -F "$1" & exec "$0" server/main.ts >> "$1" 2>&1',
    process.execPath,
    log,
  ]);

describe.skipIf(!hasDisk)('a disk that is full', () => {
  let program: Program;
  let admin: TestClient;
  let db: Db;
  let player: BuiltUser;
  const acknowledged = new Set<string>();
  const unanswered = new Set<string>();
  const statuses = new Map<string, number>();

  async function signIn(): Promise<void> {
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const { envelope } = await testClient(program.origin).call(login, { username, password });
    admin = testClient(program.origin, given(envelope.data).access_token);
  }
  const open = () =>
    connect(given(embeddedUrl(dataDir)), { timeZone: 'Asia/Shanghai', max: 2, patient: true });

  beforeAll(async () => {
    chmodSync(folder, 0o755);
    closeSync(openSync(log, 'w'));
    program = await start();
    await signIn();
    db = open();
    player = await buildUser(db);
  });
  afterAll(async () => {
    free();
    await db?.destroy();
    await program?.end('SIGTERM');
    spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  /** A credit of 1 under a key of its own; whether it was acknowledged. */
  async function credit(key: string): Promise<boolean> {
    unanswered.add(key);
    const { status, envelope } = await admin.call(
      addBalance,
      { id: player.accountId, balance: '1' },
      under(key),
    );
    const told = `${status} ${envelope.msg}`;
    statuses.set(told, (statuses.get(told) ?? 0) + 1);
    if (!envelope.success) return false;
    unanswered.delete(key);
    acknowledged.add(key);
    return true;
  }
  async function write(isOver: () => boolean): Promise<void> {
    for (let key = randomUUID(); !isOver(); )
      if (await credit(key)) key = randomUUID();
      else await sleep(50);
  }
  async function expectWhole(): Promise<void> {
    for (const key of unanswered) await expect.poll(() => credit(key), { timeout: 30_000 }).toBe(true);
    expect((await balanceOf(db, player.userId)).totalAmount).toBe(`${acknowledged.size}.00`);
    await expectProven(db);
  }

  test(`${ROUNDS} times under ${WRITERS} writers: every call is answered, 503 while there is no room; afterwards all goes on by itself, and nothing acknowledged is lost or doubled`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      let over = false;
      const writing = Promise.all(Array.from({ length: WRITERS }, () => write(() => over)));
      await sleep(1_000);
      const before = acknowledged.size;
      expect(before).toBeGreaterThan(0);
      fill();
      if (round % 2) await wantLog();
      for (const until = performance.now() + FULL_MS; performance.now() < until; await sleep(250)) {
        fill();
        expect((await fetch(`${program.origin}/healthz`)).status).toBe(200);
      }
      const during = acknowledged.size - before;
      free();
      const freed = performance.now();
      await expect
        .poll(() => acknowledged.size, { timeout: 60_000, interval: 20 })
        .toBeGreaterThan(before + during);
      const back = performance.now() - freed;
      over = true;
      await writing;
      await expectWhole();
      console.log(
        `round ${round + 1}: ${during} credits while the disk was full, the next ${Math.round(back)} ms after there was room`,
      );
    }
    console.log(`${acknowledged.size} credits acknowledged:`, Object.fromEntries(statuses));
    expect([...statuses.keys()].filter((told) => !/^(200 操作成功|503 系统无响应)$/.test(told))).toEqual([]);
    expect(statuses.get('503 系统无响应') ?? 0).toBeGreaterThan(0);
    expect(program.process.exitCode).toBeNull();
    if (ROUNDS > 1) expect(program.said.join('\n')).toContain('内置 PostgreSQL 曾意外停止，已重新启动');
    // The log has whole lines, and those of now.
    const lines = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('{'));
    for (const line of lines()) expect(() => JSON.parse(line), line).not.toThrow();
    const known = lines().length;
    await credit(randomUUID());
    await expect.poll(() => lines().length, { timeout: 5_000 }).toBeGreaterThan(known);
  });

  test('a dump that it does not take is told in a sentence, and leaves nothing', async () => {
    fill();
    const { DATA_DIR, PATH = '' } = { ...process.env, DATA_DIR: dataDir };
    const dumping = promisify(execFile)(process.execPath, ['scripts/dump.ts', join(folder, 'dump')], {
      cwd: root,
      env: { PATH, DATA_DIR },
    });
    const failed = await dumping.then(
      () => undefined,
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, told: stderr.trim() }),
    );
    free();
    expect(failed).toEqual({ code: 1, told: expect.stringMatching(/^无法写入导出文件 .*$/) });
    expect(readdirSync(folder).filter((name) => name.startsWith('dump'))).toEqual([]);
  });

  test('a server that is stopped ends, a start says why it cannot, and the next one with room finds everything', async () => {
    await db.destroy();
    fill();
    await sleep(500);
    const asked = performance.now();
    const code = await program.end('SIGTERM');
    console.log(`stopped on a full disk: exit ${code} after ${Math.round(performance.now() - asked)} ms`);
    expect(code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(15_000);
    fill();
    await expect(startProgram({ DATA_DIR: dataDir })).rejects.toThrow(
      /ended with 1:\n环境变量 DATA_DIR 指向的目录无法读写/,
    );
    free();
    program = await start();
    await signIn();
    db = open();
    await expectWhole();
  });
});
