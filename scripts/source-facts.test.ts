import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { castsOf, circlesOf, isGround, isProgram, retypedInputs, type SourceFile } from './source-facts.ts';

const root = new URL('../', import.meta.url);

/** The program's sources as they stand in the folder. */
const ours = (): SourceFile[] =>
  globSync('{contract,server,console}/**/*.{ts,tsx}', { cwd: root })
    .filter(isProgram)
    .map((name) => ({ name, text: readFileSync(new URL(name, root), 'utf8') }));

const feature = (name: string, ...imports: string[]): SourceFile => ({
  name: `server/features/${name}`,
  text: imports.map((path) => `import { x } from '${path}';\n`).join(''),
});

test('a cast is told by its place, and a constant is none', () => {
  const text = [
    "import { a as b } from './a.ts';",
    'const one = b as string;',
    "const two = ['x', 'y'] as const;",
    'const three = [one as unknown as { n: number }];',
    'const four = two[0]!;',
    "const five = 'as string'; // as number",
  ].join('\n');
  expect(castsOf({ name: 'server/features/x/x.ts', text })).toEqual([
    { name: 'server/features/x/x.ts', line: 2, text: 'b as string' },
    { name: 'server/features/x/x.ts', line: 4, text: 'one as unknown as { n: number }' },
    { name: 'server/features/x/x.ts', line: 5, text: 'two[0]!' },
  ]);
});

test('a circle is told by its folders, however long the way around', () => {
  const files = [
    feature('a/a.ts', '../b/b.ts', './other.ts'),
    feature('b/b.ts', '#server/features/c/c.ts', '#server/db/database.ts'),
    feature('c/c.ts', '../a/a.ts'),
    feature('d/d.ts', '../a/a.ts'),
    feature('a/a.test.ts', '../d/d.ts'),
  ];
  expect(circlesOf(files)).toEqual([['a', 'b', 'c']]);
  expect(circlesOf(files.slice(0, 2))).toEqual([]);
});

test('feature folders import one another in one direction', () => {
  const files = ours();
  expect(files.length).toBeGreaterThan(300);
  expect(circlesOf(files)).toEqual([]);
});

test('the compiler is overruled only where its types end', () => {
  expect(
    ours()
      .filter(({ name }) => !isGround(name))
      .flatMap(castsOf),
  ).toEqual([]);
});

const inputs = Object.values<AnyEndpoint>(contract).map(({ input }) => new Set(Object.keys(shapeOf(input))));

test('an input said again is told by its fields, and a row is none', () => {
  const text = [
    'interface Filter { status?: string | undefined; bankOrderNo?: string | undefined; currentPage: number }',
    'interface Target { id: number; version?: number | undefined }',
    'interface Row { number: string; desc?: string | null | undefined }',
    'const payer = (who: { fromName?: string | undefined; fromAccountNo?: string | undefined }) => who;',
  ].join('\n');
  const told = retypedInputs({ name: 'server/features/x/x.ts', text }, inputs);
  expect(told.map(({ line }) => line)).toEqual([1, 4]);
});

test('no handler or store says again what a call takes', () => {
  const features = ours().filter(({ name }) => name.startsWith('server/features/'));
  expect(features.flatMap((file) => retypedInputs(file, inputs))).toEqual([]);
});
