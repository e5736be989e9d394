import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const versionOf = (name: string): unknown => JSON.parse(read(name)).version;

interface Entry {
  readonly version: string;
  readonly day: string;
  readonly text: string;
}

/** The entries of CHANGELOG.md, from the first to the last heading. */
const entries: Entry[] = read('CHANGELOG.md')
  .split(/^## /m)
  .slice(1)
  .map((entry) => {
    const [, version = '', day = ''] = /^(\d+\.\d+\.\d+)（(\d{4}-\d{2}-\d{2})）\n/.exec(entry) ?? [];
    return { version, day, text: entry };
  });

const compare = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

test('the version of the package has an entry, which is the newest', () => {
  expect(entries[0]?.version, 'write what changes for operators into CHANGELOG.md').toBe(
    versionOf('package.json'),
  );
  expect(versionOf('package-lock.json'), 'run `npm run lockfile`').toBe(versionOf('package.json'));
});

test('versions and days only grow', () => {
  expect(entries.length).toBeGreaterThan(3);
  for (const [place, { version, day }] of entries.slice(1).entries()) {
    const next = entries[place];
    expect(compare(next?.version ?? '', version), `${next?.version} follows ${version}`).toBe(1);
    expect(compare(next?.day ?? '', day), `${next?.version} is no older than ${version}`).not.toBe(-1);
  }
});

test('each says what is different and what to do', () => {
  for (const { version, text } of entries)
    expect(text, version).toMatch(/\n有何不同\n\n- .+\n(.*\n)*\n升级时\n\n- ./);
});
