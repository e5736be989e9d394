import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const walk = read('docs/specification.md');

/** Paths in code marks: what has a slash and an ending. */
const paths = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:tsx?|sql|md|css|json|mjs))`/g)].map(
      (match) => match[1] ?? '',
    ),
  ),
];

/** `file` “the test's name”. */
const cited = [...walk.matchAll(/`([^`\s]+\.(?:test|spec|fault)\.tsx?)` “([^”]+)”/g)].map(
  ([, file = '', name = '']) => [file, name] as const,
);

describe('the walk through the specification', () => {
  it.each(paths(walk))('names %s, which is there', (path) => {
    expect(existsSync(new URL(path, root))).toBe(true);
  });

  it('cites tests', () => {
    expect(cited.length).toBeGreaterThan(40);
  });

  it.each(cited)('cites from %s a test that is there: %s', (file, name) => {
    expect(read(file)).toContain(name);
  });

  it('tells of each call where it lives now', () => {
    const check = ['scripts/launch.mjs', 'scripts/specification-calls.ts', '--check'];
    const { stderr, status } = spawnSync(process.execPath, check, { cwd: root, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }, 60_000);
});
