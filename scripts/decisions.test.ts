import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../docs/decisions/', import.meta.url).pathname;
const read = (name: string): string => readFileSync(folder + name, 'utf8');
const records = readdirSync(folder)
  .filter((name) => /^\d{4}-/.test(name))
  .sort()
  .map((name) => ({ name, number: name.slice(0, 4), text: read(name) }));

/** What records say that they take back of earlier ones. */
const amended = records.flatMap(({ number, text }) =>
  [...new Set([...text.matchAll(/\bamends (\d{4})\b/gi)].map(([, of]) => of))].map((of) => ({
    of,
    by: number,
  })),
);

/** What the index says of a record. */
function lineOf({ name, number, text }: (typeof records)[number]): string {
  const title = text.split('\n', 1)[0]?.replace(/^# (\d{4}:? )?/, '');
  const later = amended.filter(({ of }) => of === number).map(({ by }) => by);
  return `- [${number}](${name}) ${title}${later.length > 0 ? `, amended by ${later.join(' and ')}` : ''}`;
}

it('the index names every record once, with its title and what amends it', () => {
  const lines = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  expect(lines.toSorted()).toEqual(records.map(lineOf));
});
