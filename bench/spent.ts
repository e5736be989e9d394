import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of a tick of a process's clock, as Linux tells them. */
const TICK_MS = 10;
const PATIENCE_MS = 1_000;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
};

const childrenOf = (pid: number): number[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);

/** Processor time of a process, and of those it started that have ended, in milliseconds. */
function timesOf(pid: number): { own: number; ended: number } {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ').slice(11, 15).map(Number) ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields;
  return { own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS };
}

/** Processor time of a process, of those it started, and of those that have ended, in milliseconds. */
export function ofTree(pid: number): number {
  const { own, ended } = timesOf(pid);
  return childrenOf(pid).reduce((sum, child) => sum + timesOf(child).own, own + ended);
}

/** Processor time by who spent it, in milliseconds: `asking` are the programs that were started to ask, and have ended. */
export interface Spent {
  readonly asking: number;
  readonly server: number;
  readonly database: number;
}

/** What some work answers, and the processor time that all of it took. Linux only. */
export async function spentOn<T>(
  { postmaster, server }: { readonly postmaster: number; readonly server: number },
  work: () => Promise<T>,
): Promise<{ done: T; spent: Spent }> {
  const look = (): Spent => ({
    asking: timesOf(process.pid).ended,
    server: timesOf(server).own,
    database: ofTree(postmaster),
  });
  const there = () => childrenOf(postmaster).length + childrenOf(process.pid).length;
  const were = there();
  const before = look();
  const done = await work();
  // A session, or who asked, is counted once it has ended.
  const began = performance.now();
  while (there() > were && performance.now() - began < PATIENCE_MS) await sleep(10);
  const after = look();
  return {
    done,
    spent: {
      asking: after.asking - before.asking,
      server: after.server - before.server,
      database: after.database - before.database,
    },
  };
}
