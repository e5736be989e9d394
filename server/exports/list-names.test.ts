import { expect, it } from 'vitest';
import { endpointsOf, nouns } from '#contract/all.ts';
import { isExportable } from '#contract/export-formats.ts';
import { nameOf } from './export-list.ts';

const lists = Object.entries(nouns).flatMap(([heading, calls]) =>
  endpointsOf(calls)
    .filter(([, endpoint]) => isExportable(endpoint))
    .map(([name, endpoint]) => ({ name, heading, endpoint })),
);

it('a list is called by its noun or its heading, never by what its call does', () => {
  expect(lists.length).toBeGreaterThan(30);
  for (const { name, heading, endpoint } of lists) {
    expect(nameOf(endpoint), name).toBe(endpoint.noun ?? heading);
    expect(nameOf(endpoint), name).not.toMatch(/查询|^预览/);
  }
});

it('no two lists are called the same, and none says its heading once more', () => {
  expect(new Set(lists.map(({ endpoint }) => nameOf(endpoint))).size).toBe(lists.length);
  for (const { name, heading, endpoint } of lists) expect(endpoint.noun, name).not.toBe(heading);
});
