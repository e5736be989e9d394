import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Unit } from './unit.ts';

/** A program that is kept running as systemd keeps it. */
export interface Service {
  isRunning(): boolean;
  /** SIGKILL to all its processes; it is started anew. */
  kill(): Promise<void>;
  /** SIGKILL, as the machine went down: it stays away until `start`. */
  down(): Promise<void>;
  start(): void;
  /** SIGTERM, and it stays away. */
  stop(): Promise<void>;
}

/** The account of the machine, when we may become it and it is there; else whoever we are. */
function account(name: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : {};
}

/** Gives a folder and what lies in it to an account. */
export function own(folder: string, user: string): void {
  const { uid, gid } = account(user);
  if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, folder]);
}

/** A test that fails half way leaves nothing running. */
const living = new Set<() => void>();
process.once('exit', () => {
  for (const kill of living) kill();
});

/** Starts a unit's program, in a group of processes of its own; what it says goes into a file. */
export function startService(unit: Unit, log: string): Service {
  let child: ChildProcess | undefined;
  let wanted = true;
  const killLeft = () => signal('SIGKILL');
  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // It ended meanwhile.
    }
  };
  const start = (): void => {
    wanted = true;
    const [program, ...args] = unit.command;
    const { LANG, PATH, HOME } = process.env;
    child = spawn(program, args, {
      cwd: unit.folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LANG: LANG ?? 'C.UTF-8', PATH, HOME, ...unit.environment },
      ...account(unit.user),
    });
    const started = child;
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (text) => appendFileSync(log, text));
    child.on('error', (error) => appendFileSync(log, `${error.message}\n`));
    child.once('exit', async (code, by) => {
      appendFileSync(log, `ended with ${code ?? by}\n`);
      await sleep(unit.restartMs);
      if (wanted && child === started) start();
    });
  };
  const ended = async (name: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    signal(name);
    await exit;
  };
  living.add(killLeft);
  start();
  return {
    start,
    isRunning: () => child?.pid !== undefined && child.exitCode === null && child.signalCode === null,
    kill: () => ended('SIGKILL'),
    down: async () => {
      wanted = false;
      await ended('SIGKILL');
    },
    stop: async () => {
      wanted = false;
      await ended('SIGTERM');
      living.delete(killLeft);
    },
  };
}
