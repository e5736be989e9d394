import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contract, nouns } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { nounEntries } from '#contract/nouns.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { screens } from '#contract/screens.ts';
import { screenName } from './screen-names.ts';

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

  it('lead to rows by the contract, never by a search of their own for their number', () => {
    for (const { path, text } of sources('console/screens/**/*.{ts,tsx}'))
      expect(/<ScreenLink\b[^>]*search=\{\{ id\b/.test(text), path).toBe(false);
  });

  it('have what the forms above their lists add offered by Ctrl-K', () => {
    const added = sources('console/screens/**/*Screen.tsx').flatMap(({ path, text }) => {
      const [, above = ''] = /\n {6}toolbar=\{([\s\S]*?)\n {6}\}/.exec(text) ?? [];
      const forms = [...above.matchAll(/<FormButton\s+endpoint=\{(\w+)\}/g)].map(([, name = '']) => name);
      const adds = forms.filter((name) =>
        calls.some(([each, { effect }]) => each === name && effect === 'add'),
      );
      return adds.map((name) => `${path.slice(path.lastIndexOf('/') + 1)} ${name}`);
    });
    const offered = screens.flatMap(({ path, adds }) =>
      adds.map((name) => `${screenName(path)}.tsx ${name}`),
    );
    expect(offered.length).toBeGreaterThan(10);
    expect(added.toSorted()).toEqual(offered.toSorted());
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
