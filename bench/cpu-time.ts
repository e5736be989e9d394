import { readFileSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It ended meanwhile.
    return '';
  }
};

/** CPU time of a process of one thread, in milliseconds. */
const ofProcess = (pid: string): number => Number(read(`/proc/${pid}/schedstat`).split(' ')[0] ?? 0) / 1e6;

/** CPU time by process: this one and all of PostgreSQL but its vacuuming, which comes when it comes. Linux only. */
function readCpu(postmaster: number): Map<string, number> {
  const { user, system } = process.cpuUsage();
  const children = read(`/proc/${postmaster}/task/${postmaster}/children`).trim().split(' ');
  const working = children.filter((pid) => !read(`/proc/${pid}/cmdline`).includes('autovacuum'));
  return new Map([
    ['self', (user + system) / 1e3],
    ...working.map((pid): [string, number] => [pid, ofProcess(pid)]),
  ]);
}

/** What some work answers, and the CPU time it took, in milliseconds. */
export async function cpuOf<T>(
  postmaster: number,
  work: () => Promise<T>,
): Promise<{ done: T; cpu: number }> {
  const before = readCpu(postmaster);
  const done = await work();
  const cpu = [...readCpu(postmaster)].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
  return { done, cpu };
}
