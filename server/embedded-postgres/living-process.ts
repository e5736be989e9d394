import { existsSync, readFileSync } from 'node:fs';

/** What a process runs; undefined when there is none, or only a corpse that nobody has buried, as in containers whose first process does not. */
function commandLine(pid: number): string | undefined {
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
    return state === 'Z' || state === 'X' ? undefined : readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Whether a process lives and, where the system tells (Linux), has `mark` in its command line: a process number may by
 * now be another program's.
 */
export function isAlive(pid: number, mark = ''): boolean {
  if (existsSync('/proc/self/stat')) return commandLine(pid)?.includes(mark) ?? false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
