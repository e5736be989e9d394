import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const bench = fileURLToPath(new URL('../../bench/exports.ts', import.meta.url));

/** The process that a PostgreSQL in this folder has; nothing before it runs. */
function postmasterIn(folder: string): number | undefined {
  const file = join(folder, 'postgres', 'postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
}
/** Whether it runs; one that has ended counts until somebody has taken note of it. */
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a bench that is cut off', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s leaves neither its PostgreSQL nor its rows',
    async (signal) => {
      const cwd = mkdtempSync(join(tmpdir(), 'cut-bench-'));
      const { BENCH_DIR: _, ...env } = process.env;
      const child = spawn(process.execPath, [bench], {
        cwd,
        env: { ...env, BENCH_SCALE: '0.5' },
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      const folder = join(cwd, 'data', `bench-${child.pid}`);
      await expect.poll(() => postmasterIn(folder), { timeout: 120_000 }).toBeGreaterThan(0);
      const postmaster = postmasterIn(folder) ?? 0;
      expect(lives(postmaster)).toBe(true);
      child.kill(signal);
      const [code] = await ended;
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
      expect(readdirSync(join(cwd, 'data'))).toEqual([]);
      await expect.poll(() => lives(postmaster), { timeout: 10_000 }).toBe(false);
      rmSync(cwd, { recursive: true, force: true });
    },
  );
});
