import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { Counts } from './counts.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What a run of these files is reported as. */
async function reported(files: Readonly<Record<string, string>>): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'back-office-unit-report-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const report = join(folder, 'report.json');
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const args = ['run', '--globals', '--retry=1', `--reporter=${pathOf('unit-report.ts')}`, '--root', folder];
  const runner = spawn(process.execPath, [pathOf('../node_modules/vitest/vitest.mjs'), ...args], {
    env: { ...Object.fromEntries(own), UNIT_REPORT: report },
    stdio: 'ignore',
  });
  await once(runner, 'exit');
  return JSON.parse(readFileSync(report, 'utf8'));
}

it('counts what passed, failed and was skipped, and names what failed or passed only when repeated', async () => {
  const counts = await reported({
    'tests.test.js': `
      it('passes', () => {});
      it('fails', () => expect('this').toBe('that'));
      it.skipIf(true)('is skipped', () => {});
      let times = 0;
      it('passes the second time', () => expect(times++).toBe(1));`,
    'around.test.js': `
      afterAll(() => { throw new Error('left behind'); });
      it('passes as well', () => {});`,
    'unloaded.test.js': `import './nothing.js';`,
    'beside.test.js': `
      it('leaves a promise', async () => {
        void Promise.reject(new Error('of nobody'));
        await new Promise((resolve) => setTimeout(resolve, 50));
      });`,
  });
  expect(counts).toMatchObject({ passed: 4, failed: 4, skipped: 1, unfinished: [] });
  const named = [
    /^tests\.test\.js > fails\n.*expected 'this' to be 'that'/,
    /^tests\.test\.js > passes the second time \(passed when repeated\)\n/,
    /^around\.test\.js\nError: left behind/,
    /^unloaded\.test\.js\n.*nothing\.js/,
    /^Error: of nobody/,
  ];
  for (const name of named) expect(counts.failures).toContainEqual(expect.stringMatching(name));
  expect(counts.failures).toHaveLength(named.length);
});

it('tells how a process ended that broke down, and counts nothing of its file', async () => {
  const counts = await reported({
    'broken.test.js': `
      it('passes before', () => {});
      it('breaks down', async () => {
        process.kill(process.pid, 'SIGKILL');
        await new Promise(() => {});
      });`,
    'whole.test.js': `it('passes beside', () => {});`,
  });
  expect(counts).toMatchObject({ passed: 1, failed: 0, unfinished: ['broken.test.js'] });
  expect(counts.failures).toEqual([expect.stringContaining('signal SIGKILL')]);
});
