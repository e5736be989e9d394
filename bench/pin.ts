import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const keepOn = (processor: number, pid: number | string): void => {
  execFileSync('taskset', ['-c', '-p', String(processor), String(pid)], { stdio: 'ignore' });
};

/**
 * The database on one processor; this process, and whatever it starts from now on, on another: so that who asks, be it pgbench or our server
 * with its load, has the same share of the machine, and nobody is put aside by whom he wakes. Needs `taskset`.
 */
export function pinApart(dataDir: string): void {
  const [postmaster = ''] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  for (const pid of [postmaster, ...children]) keepOn(1, pid);
  keepOn(0, process.pid);
}
