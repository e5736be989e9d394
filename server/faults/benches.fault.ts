import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

// Nothing else runs them but whoever measures, who would learn of a broken one too late. BENCH_ONLY names some of them.
it('every bench comes to its end, and finds figures', async () => {
  const results = mkdtempSync(join(tmpdir(), 'benches-'));
  const small = { BENCH_SCALE: '0.002', BENCH_ROUNDS: '1', BENCH_SECONDS: '1', ROUNDS: '1' };
  const env = { ...process.env, ...small, BENCH_RESULTS: results };
  const child = spawn(process.execPath, ['bench/all.ts'], { cwd: root, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  const [file = ''] = readdirSync(results);
  const { failed, loads, figures } = JSON.parse(readFileSync(join(results, file), 'utf8'));
  expect(failed).toEqual([]);
  expect(code).toBe(0);
  const run = loads.map((load: string) => load.split(' ')[0]);
  expect([...new Set(figures.map(({ bench }: { bench: string }) => bench))]).toEqual(run);
  rmSync(results, { recursive: true, force: true });
});
