import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PATIENCE_MS = 180_000;

/** What the players’ site calls the server under test with. */
export const platformKey = 'platform-key-of-the-browser-tests';

/** The first operator of the server under test. */
export const firstOperator = { username: 'admin', password: 'browser tests' };

const environmentOf = (dataDir: string): NodeJS.ProcessEnv => ({
  ...process.env,
  DATABASE_URL: '',
  DATABASE_REPLICA_URL: '',
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: '0',
  PLATFORM_API_KEY: platformKey,
  ADMIN_USERNAME: firstOperator.username,
  ADMIN_PASSWORD: firstOperator.password,
  LOG_LEVEL: 'warn',
  SPIDER_ALLOWED_HOSTS: new URL(process.env.DRAW_SOURCE ?? '').host,
});

/** A source of draw results, which answers the body that its address carries, so that tests share it and it keeps nothing. */
async function startDrawSource(): Promise<() => void> {
  const source = createServer((request, response) => {
    response.end(new URL(request.url ?? '', 'http://source').searchParams.get('body'));
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  process.env.DRAW_SOURCE = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
  return () => source.close();
}

/** Reads the server's output until it says where it listens; the rest goes to our own output. */
function originFrom(output: NodeJS.ReadableStream): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`no server after ${PATIENCE_MS} ms:\n${said.join('\n')}`)),
      PATIENCE_MS,
    );
    const lines = createInterface({ input: output });
    lines.on('line', (line) => {
      said.push(line);
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (origin) {
        clearTimeout(timer);
        resolve(origin);
      } else if (said.length > 1) console.log(line);
    });
    lines.on('close', () => {
      clearTimeout(timer);
      reject(new Error(`the server ended:\n${said.join('\n')}`));
    });
  });
}

/** Before all browser tests: the real server, as `npm start` runs it, on data of its own. */
export default async function startServer(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'back-office-browser-'));
  const stopSource = await startDrawSource();
  const server = spawn(process.execPath, [join(root, 'scripts/launch.mjs'), 'server/main.ts'], {
    cwd: root,
    env: environmentOf(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(server, 'exit');
  const stop = async () => {
    server.kill('SIGTERM');
    await exit;
    stopSource();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    process.env.CONSOLE_ORIGIN = await originFrom(server.stdout);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
