import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contract, nouns } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { nounEntries } from '#contract/nouns.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';

const root = new URL('../', import.meta.url);
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }));

const calls = Object.entries<AnyEndpoint>(contract);
const nounTitles = new Set(nounEntries.map(([, { title }]) => title));

/** The calls that give a noun's rows, also those that no `ref` needs. */
const lists = calls
  .filter(([, { kind, output }]) => kind === 'query' && shapeOf(rowSchemaOf(output)).id !== undefined)
  .map(([name]) => name);

describe('screens', () => {
  it('make no choices by hand of what is a noun', () => {
    expect(nounTitles.size).toBeGreaterThan(20);
    for (const { path, text } of sources('console/screens/**/*.{ts,tsx}'))
      for (const [, name = ''] of text.matchAll(/optionsOf\((\w+)/g))
        expect(lists, `${path} makes choices of ${name}`).not.toContain(name);
  });

  it('lead to rows by the contract, never by an address of their own', () => {
    for (const { path, text } of sources('console/screens/**/*.{ts,tsx}'))
      expect(/<ScreenLink\b/.test(text), path).toBe(false);
  });
});

describe('a label', () => {
  const labels = new Set(
    calls.flatMap(([, { input, output }]) =>
      [...Object.values(shapeOf(input)), ...Object.values(shapeOf(rowSchemaOf(output)))].flatMap(
        (schema) => metaOf(schema).title ?? [],
      ),
    ),
  );

  it('is a key nowhere', () => {
    expect(labels.size).toBeGreaterThan(100);
    expect(Object.keys(nouns).length).toBeGreaterThan(20);
    for (const { path, text } of sources('{console,server}/**/*.{ts,tsx}'))
      for (const [, key = ''] of text.matchAll(/(?:^|[{,])\s*['"]?([\p{Script=Han}\w ]+)['"]?\s*:/gmu))
        if (!path.includes('testing/'))
          expect(labels.has(key) && /\p{Script=Han}/u.test(key), `${path}: ${key}`).toBe(false);
  });
});
