import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE_MS = 120_000;

/** The credentials and the secret a program of the tests runs with. */
export const programEnvironment = {
  APP_SECRET: Buffer.alloc(32, 'test').toString('base64'),
  ADMIN_USERNAME: 'admin',
  ADMIN_PASSWORD: 'the tests sign in by this',
  SAMPLE_DATA: 'false',
  LOG_LEVEL: 'error',
  DRAIN_SECONDS: '0',
  PORT: '0',
  // Node's own, by which it finds what another program has compiled.
  ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};

export interface Program {
  readonly process: ChildProcess;
  readonly origin: string;
  /** Everything it has said so far, line by line. */
  readonly said: readonly string[];
  /** Sends the signal and waits for the end; gives the exit code, null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts the real program as a process of its own, `server/main.ts` or another command, and waits until it says where
 * it listens. `environment` is added to the minimum above. Throws with what it said when it ends before that.
 */
export async function startProgram(
  environment: Readonly<Record<string, string>>,
  command: readonly [string, ...string[]] = [process.execPath, 'server/main.ts'],
  cwd = root,
): Promise<Program> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...programEnvironment, ...environment },
  });
  // A test that fails half way leaves nothing running.
  const killLeft = () => child.kill('SIGKILL');
  process.once('exit', killLeft);
  child.once('exit', () => process.off('exit', killLeft));
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const said: string[] = [];
  const origin = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}:\n${said.join('\n')}`));
    const timer = setTimeout(() => fail('the program does not listen'), PATIENCE_MS);
    const hear = (line: string) => {
      said.push(line);
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) resolve(address);
      if (address) clearTimeout(timer);
    };
    for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on('line', hear);
    child.once('close', (code) => {
      clearTimeout(timer);
      fail(`the program ended with ${code}`);
    });
  });
  return {
    process: child,
    origin,
    said,
    end: async (signal) => {
      child.kill(signal);
      const [code] = await exit;
      return code;
    },
  };
}
