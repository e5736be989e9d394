import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const draws = [
  ...globSync('server/{outbound,features/{draw-plans,draw-records,spiders,beacons}}/**/*.ts', { cwd: root }),
  ...globSync('server/jobs/{plan-life,draw-beacons,draws-under-way,due-sources,late-plans,plans-ahead}.ts', {
    cwd: root,
  }),
].filter((path) => !path.endsWith('.test.ts'));

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What a file imports of the server for more than its types. */
const importsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gms)].flatMap(
    ([, from = '']) => {
      if (from.startsWith('#server/')) return [from.slice(1)];
      return from.startsWith('.') ? [relative(root, join(root, dirname(path), from))] : [];
    },
  );

function reachedFrom(start: readonly string[]): Set<string> {
  const reached = new Set(start);
  for (const path of reached) for (const next of importsOf(path)) reached.add(next);
  return reached;
}

it('no code of draws names slips, settlements or what the house stands to lose', () => {
  expect(draws.length).toBeGreaterThan(30);
  const naming = draws.filter((path) => /\bslips?\b|slip_|\bsettlements?\b|\bexposure\b/i.test(textOf(path)));
  expect(naming).toEqual([]);
});

it('nothing of bets can be reached from draws but the pure reading of what won, which knows no database', () => {
  const reached = [...reachedFrom(draws)];
  expect(
    reached.filter((path) => /features\/(slips|settlements?|exposure|sample-data)\//.test(path)),
  ).toEqual([]);
  const ofBets = reached.filter((path) => path.startsWith('server/features/bets/'));
  expect(ofBets).toContain('server/features/bets/shown.ts');
  expect(ofBets.filter((path) => /#server\/db|kysely/.test(textOf(path)))).toEqual([]);
});
