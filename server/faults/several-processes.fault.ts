import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRole, listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { type Program, programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

// Several processes behind one port, over a PostgreSQL of their own.
let dataDir: string;
let program: Program;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'back-office-several-'));
  program = await startProgram({ DATA_DIR: dataDir, SERVERS: '2', LOG_LEVEL: 'info', DRAIN_SECONDS: '1' });
  // The log tells of the first process that listens, before both do.
  while (!program.said.some((line) => line.includes('运营后台已启动'))) await sleep(50);
}, 300_000);
afterAll(async () => {
  if (program.process.exitCode === null) await program.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** The servers that the program started, without PostgreSQL. */
function servers(): number[] {
  const pid = program.process.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return children.map(Number).filter((child) => commandOf(child).includes('main.ts'));
}

/** What anybody may read, and what leaves a line in the log: looks at health do not. */
const LOGGED = '/api/openapi.json';

/** The processes that said in the log that they answered this path. */
const answeredBy = (path: string): Set<number> =>
  new Set(
    program.said.flatMap((line) => {
      if (!line.includes('"answered"') || !line.includes(path)) return [];
      return [Number(JSON.parse(line).pid)];
    }),
  );

/** On a connection of its own each, since connections are what is shared out. */
const callAlone = (path: string, token = '') =>
  fetch(`${program.origin}${path}`, { headers: { connection: 'close', authorization: `Bearer ${token}` } });

async function signIn(): Promise<string> {
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
  return (
    (await testClient(program.origin).call(login, { username, password })).envelope.data?.access_token ?? ''
  );
}

it('calls are answered by both, and what they measured is told together', async () => {
  expect(servers()).toHaveLength(2);
  expect(program.said.filter((line) => line.includes('运营后台已启动'))).toHaveLength(1);
  for (let n = 0; n < 8; n++) expect((await callAlone('/healthz')).status).toBe(200);
  expect((await callAlone('/readyz')).status).toBe(200);
  for (let n = 0; n < 4; n++) expect((await callAlone(LOGGED)).status).toBe(200);
  await expect.poll(() => answeredBy(LOGGED)).toEqual(new Set(servers()));
  const figures = await (await callAlone('/metrics')).text();
  const counted = figures
    .split('\n')
    .find((line) => line.startsWith('http_request_duration_seconds_count') && line.includes('"/healthz"'));
  expect(counted).toMatch(/ 8$/);
  expect(figures).toMatch(/^background_overdue_seconds\{part="[^"]+"\} \d/m);
});

it('who signed in at one is known to the other, and so is who signed out', async () => {
  const token = await signIn();
  const path = `/api${listRoles.path}`;
  const asked = () =>
    fetch(program.origin + path, {
      method: 'POST',
      headers: { connection: 'close', authorization: `Bearer ${token}` },
    });
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await asked()).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  // The log comes a moment after the answers.
  await expect.poll(() => answeredBy(path)).toEqual(new Set(servers()));
});

it('one that is killed is replaced, while the other answers', async () => {
  const first = servers();
  const [killed = 0] = first;
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => servers().includes(killed)).toBe(false);
  const status = () =>
    callAlone(LOGGED).then(
      (response) => response.status,
      () => 0,
    );
  await expect.poll(status, { timeout: 10_000 }).toBe(200);
  const told = new Set<number>();
  const answeredByAnother = async () => {
    // Connections go to one and the other in turn: with an even number of them each time, the same path would go to the same process.
    for (let n = 0; n < 2; n++) await status();
    // Also while the new one is only starting: this is when somebody looks.
    told.add((await callAlone('/metrics')).status);
    return [...answeredBy(LOGGED)].some((pid) => !first.includes(pid));
  };
  await expect.poll(answeredByAnother, { timeout: 120_000 }).toBe(true);
  expect([...told]).toEqual([200]);
  expect(servers()).toHaveLength(2);
  expect(program.said.some((line) => line.includes('一个服务进程意外退出'))).toBe(true);
});

it('SIGTERM ends both after what was received is answered', async () => {
  const client = testClient(program.origin, await signIn());
  const added = Array.from({ length: 20 }, (_, n) =>
    client.call(addRole, { desc: '停机', name: `stop-${n}` }),
  );
  const ended = program.end('SIGTERM');
  const answers = await Promise.all(added);
  expect(answers.map(({ envelope }) => envelope.success)).toEqual(Array(20).fill(true));
  expect(await ended).toBe(0);
  await expect(callAlone('/healthz')).rejects.toThrow();
});
