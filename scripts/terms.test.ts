import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const DECISION = 'docs/decisions/0795-one-word-for-one-thing.md';

/** The decision's table: words, and those that stand for the same thing and are not used. */
const terms = [...read(DECISION).matchAll(/^\| (\p{Script=Han}\S*) \|.*\| (\p{Script=Han}\S*) \|$/gmu)].map(
  ([, words = '', others = '']) => ({ words: words.split('、'), others: others.split('、') }),
);

/** What somebody reads: not tests, nor migrations, which keep the words of their day. */
const files = globSync(
  [
    '{contract,console,server}/**/*.{ts,tsx,html}',
    'deploy/**/*.{yml,json}',
    'README.md',
    'docs/{operations,deployment}.md',
  ],
  { cwd: root, exclude: ['**/*.{test,fault}.{ts,tsx}', 'server/{testing,faults}/**', 'console/dist/**'] },
);

it('knows terms, and the files that use them', () => {
  expect(terms.length).toBeGreaterThan(10);
  expect(files.length).toBeGreaterThan(1_000);
});

it('finds one word for one thing', () => {
  const chosen = terms.flatMap(({ words }) => words);
  const found = files.flatMap((path) => {
    // A word may hold one that is not used, as 玩家站 does.
    const rest = chosen.reduce((text, word) => text.replaceAll(word, ' '), read(path));
    return terms.flatMap(({ words, others }) =>
      others.filter((other) => rest.includes(other)).map((other) => `${path}: ${other}, say ${words[0]}`),
    );
  });
  expect(found, `see ${DECISION}`).toEqual([]);
});
