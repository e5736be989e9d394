import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { describedContract } from './described.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The same as the console is built with: without zod. */
async function asBuilt(): Promise<unknown> {
  const built = await build({
    configFile: here('../../vite.config.ts'),
    logLevel: 'error',
    build: { write: false, ssr: here('described.ts'), rolldownOptions: { output: { codeSplitting: false } } },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const [{ code }] = output;
  expect(code).not.toContain('zod');
  const { describedContract: seen } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return seen;
}

describe('the schemas that stand in for zod in the console', () => {
  it('say of every call what zod says', async () => {
    expect(Object.keys(describedContract).length).toBeGreaterThan(200);
    expect(await asBuilt()).toEqual(describedContract);
  });

  it('are asked to check nothing', () => {
    const root = here('../..');
    const sources = globSync('console/**/*.{ts,tsx}', { cwd: root }).filter(
      (path) => !path.includes('.test.'),
    );
    const asking = sources.filter((path) => readFileSync(`${root}/${path}`, 'utf8').includes('.safeParse('));
    expect(sources.length).toBeGreaterThan(100);
    expect(asking).toEqual([]);
  });
});
