import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCurrentMenus } from '#contract/menus.ts';
import { login } from '#contract/sign-in.ts';
import { programEnvironment, startProgram } from '#server/testing/program.ts';
import { testClient } from '#server/testing/test-client.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

// A folder that, as root's, nobody else may enter: as mktemp makes it.
let clone: string;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'back-office-clone-'));
  chmodSync(clone, 0o700);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of files
    .toString('utf8')
    .split('\0')
    .filter((name) => name && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

/** What a plain shell would have: nothing of this run's own Node and settings. */
const shell = {
  PATH: (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
  HOME: process.env.HOME ?? '/',
};

async function expectServed(
  command: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
) {
  const program = await startProgram(
    { ...shell, DATA_DIR: join(clone, 'data'), ...environment },
    command,
    clone,
  );
  try {
    expect((await fetch(`${program.origin}/readyz`)).status).toBe(200);
    const page = await (await fetch(`${program.origin}/login`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(program.origin + script)).status).toBe(200);
    const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password } = programEnvironment;
    const { envelope } = await testClient(program.origin).call(login, { username, password });
    const client = testClient(program.origin, envelope.data?.access_token);
    expect((await client.call(listCurrentMenus, {})).envelope.data?.length).toBeGreaterThan(0);
    // Nothing but our own sentences: no warning of Node's or of a package's.
    expect(program.said.filter((line) => !line.startsWith('npm ') && /warning|deprecat/i.test(line))).toEqual(
      [],
    );
  } finally {
    expect(await program.end('SIGTERM')).toBe(0);
  }
}

test('npm ci --ignore-scripts, then npm start: console and calls are served, also from a folder of root’s alone', async () => {
  const lock = readFileSync(join(clone, 'package-lock.json'), 'utf8');
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: clone, env: shell, stdio: 'pipe' });
  expect(readFileSync(join(clone, 'package-lock.json'), 'utf8')).toBe(lock);
  await expectServed(['npm', 'start'], {});
});

test.skipIf(process.getuid?.() !== 0)('as root without setpriv, from a folder all may enter', async () => {
  rmSync(join(clone, 'data'), { recursive: true });
  chmodSync(clone, 0o755);
  // Node and npm can be found, setpriv cannot.
  const tools = join(clone, 'tools');
  mkdirSync(tools);
  for (const tool of ['node', 'npm', 'sh'])
    symlinkSync(execFileSync('which', [tool], { env: shell }).toString().trim(), join(tools, tool));
  await expectServed(['npm', 'start'], { PATH: tools });
});

test.skipIf(process.getuid?.() !== 0)('as an ordinary user: npm ci, then npm start', async () => {
  rmSync(join(clone, 'data'), { recursive: true });
  rmSync(join(clone, 'node_modules'), { recursive: true });
  execFileSync('chown', ['-R', '65534:65534', clone]);
  const become = ['--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all'];
  execFileSync('setpriv', [...become, 'npm', 'ci'], {
    cwd: clone,
    env: { ...shell, HOME: clone },
    stdio: 'pipe',
  });
  await expectServed(['setpriv', ...become, 'npm', 'start'], { HOME: clone });
});
