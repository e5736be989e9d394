import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';

// The server with the PostgreSQL it brings along. Whatever is killed, what was acknowledged is still there.

let dataDir: string;
let program: Program;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-embedded-'));
});
afterAll(async () => {
  await program.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const start = () => startProgram({ DATA_DIR: dataDir });
const pidFile = () => join(dataDir, 'postgres', 'postmaster.pid');
const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0]);

async function signedIn(origin: string): Promise<TestClient> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  const { envelope } = await testClient(origin).call(login, { username, password });
  return testClient(origin, envelope.data?.access_token);
}

const acknowledged: string[] = [];
let sent = 0;
/** Whether it was acknowledged. */
async function write(client: TestClient): Promise<boolean> {
  const name = `kept-${++sent}`;
  const { envelope } = await client.call(addRole, { desc: '保留', name });
  if (envelope.success) acknowledged.push(name);
  return envelope.success;
}
/** Changes without pause, until the server is gone. */
async function writeOn(client: TestClient): Promise<void> {
  while (await write(client).catch(() => false));
}

async function expectAllThere(client: TestClient): Promise<void> {
  const { envelope } = await client.call(listRoles, {});
  expect(envelope.data?.map((role) => role.name)).toEqual(expect.arrayContaining(acknowledged));
}

test('the first start makes everything, with its passwords for their owner only', async () => {
  program = await start();
  expect(program.said.join('\n')).toContain('操作员账号：admin');
  expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
  expect(await write(await signedIn(program.origin))).toBe(true);
});

test('kill -9 of the server, ten times: the next start finds PostgreSQL running and loses nothing', async () => {
  for (let round = 0; round < 10; round++) {
    const client = await signedIn(program.origin);
    const before = postmaster();
    const known = acknowledged.length;
    const writing = Promise.all([writeOn(client), writeOn(client)]);
    await sleep(60 + round * 37);
    await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 1 }).toBeGreaterThan(known);
    await program.end('SIGKILL');
    await writing;
    program = await start();
    expect(postmaster()).toBe(before);
    expect(program.said.join('\n')).not.toContain('首次运行');
    await expectAllThere(await signedIn(program.origin));
  }
});

test('kill -9 of PostgreSQL, ten times: the same server starts it again and loses nothing', async () => {
  const client = await signedIn(program.origin);
  let slowest = 0;
  for (let round = 0; round < 10; round++) {
    expect(await write(client)).toBe(true);
    // Some are under way at that moment.
    const writing = Promise.allSettled([write(client), write(client), write(client)]);
    await sleep(round);
    const before = postmaster();
    process.kill(before, 'SIGKILL');
    const killed = performance.now();
    await expect
      .poll(() => existsSync(pidFile()) && postmaster() !== before, { timeout: 10_000, interval: 20 })
      .toBe(true);
    await expect
      .poll(async () => (await client.call(listRoles, {})).status, { timeout: 10_000, interval: 20 })
      .toBe(200);
    slowest = Math.max(slowest, performance.now() - killed);
    await writing;
    await expectAllThere(client);
  }
  console.log(
    `PostgreSQL killed 10 times: calls succeed again within ${Math.round(slowest)} ms; ${acknowledged.length} of ${sent} changes acknowledged so far`,
  );
});

test('kill -9 of both: the next start gets over the pid file left behind', async () => {
  process.kill(postmaster(), 'SIGKILL');
  await program.end('SIGKILL');
  // A number that belongs to another living process by now.
  const text = readFileSync(pidFile(), 'utf8').replace(/^\d+/, String(process.pid));
  writeFileSync(pidFile(), text);
  program = await start();
  await expectAllThere(await signedIn(program.origin));
});

test('a second server on the same folder is refused with a sentence, and the first goes on', async () => {
  await expect(start()).rejects.toThrow(/正被另一个正在运行的服务使用/);
  await expectAllThere(await signedIn(program.origin));
});

test('two servers that start together on a fresh folder: one runs, the other is refused', async () => {
  const fresh = mkdtempSync(join(tmpdir(), 'back-office-embedded-'));
  const results = await Promise.allSettled([1, 2].map(() => startProgram({ DATA_DIR: fresh })));
  const [winner] = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(reasons).toEqual([expect.stringMatching(/正被另一个正在运行的服务使用/)]);
  await expect.poll(() => readdirSync(fresh).sort()).toEqual(['postgres', 'postgres.json']);
  expect(await winner?.end('SIGTERM')).toBe(0);
  rmSync(fresh, { recursive: true });
});

test('SIGTERM: exit 0, and PostgreSQL is gone too', async () => {
  const pid = postmaster();
  const asked = performance.now();
  expect(await program.end('SIGTERM')).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
  expect(existsSync(pidFile())).toBe(false);
  // Gone, or a corpse for its parent to bury.
  const state = () =>
    existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] : 'Z';
  await expect.poll(state).toBe('Z');
  program = await start();
});

test('npm start: SIGTERM to npm ends everything with exit 0; kill -9 of npm leaves no server behind', async () => {
  await program.end('SIGTERM');
  program = await startProgram({ DATA_DIR: dataDir }, ['npm', 'start']);
  expect(await program.end('SIGTERM')).toBe(0);
  expect(existsSync(pidFile())).toBe(false);
  program = await startProgram({ DATA_DIR: dataDir }, ['npm', 'start']);
  const { origin } = program;
  await program.end('SIGKILL');
  await expect
    .poll(
      () =>
        fetch(`${origin}/healthz`).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(false);
  program = await start();
  await expectAllThere(await signedIn(program.origin));
});

test('Ctrl-C, which reaches the server twice, ends it properly', async () => {
  program.process.kill('SIGINT');
  expect(await program.end('SIGINT')).toBe(0);
  expect(existsSync(pidFile())).toBe(false);
  program = await start();
});

test('a wrong setting stops the start with its sentence alone', async () => {
  const wrong = spawn(process.execPath, ['server/main.ts'], { env: { PATH: process.env.PATH, PORT: 'x' } });
  let said = '';
  wrong.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((resolve) => wrong.on('close', resolve));
  expect({ code, said }).toEqual({ code: 1, said: '环境变量 PORT 须为 0 到 65535 的整数\n' });
});
