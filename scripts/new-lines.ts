import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contract, nouns } from '#contract/all.ts';
import { callsOf, type Named } from './new-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What of a noun is there already: two calls of one path would answer in each other's place, two screens of one name be drawn in each other's,
 * and of two headings one be lost.
 */
export function takenOf(named: Named): string[] {
  const made = new Set(Object.values(contract).map(({ verb, path }) => `${verb} ${path}`));
  return [
    ...callsOf(named).filter((call) => made.has(call)),
    ...globSync(`console/screens/**/${named.screen}.tsx`, { cwd: root }),
    ...(named.title in nouns ? [named.title] : []),
  ];
}

const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

/** What a new noun's texts are in English, by the file of `contract/english` that has them. */
export function englishOf({
  name,
  plural,
  title,
}: Named): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [one, many] = [wordsOf(name), wordsOf(plural)];
  return {
    'contract/english/contract.json': {
      [title]: capital(one),
      [`contract/screens.ts|${title}`]: capital(many),
      [`查询${title}`]: capital(many),
      [`新增${title}`]: `Add ${one}`,
      [`编辑${title}`]: `Edit ${one}`,
      [`删除${title}`]: `Delete ${one}`,
    },
    'contract/english/console.json': { [`${title}“{0}”`]: `${capital(one)} “{0}”` },
  };
}

/** A catalogue with more texts; what it has stays. */
export const withTexts = (catalogue: string, more: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ ...more, ...JSON.parse(catalogue) }, null, 2)}\n`;

/** The list of screens with one more, after the last of its folder; nothing when there is no such folder. */
export function withScreen(screens: string, { path, title, type }: Named): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const lines = screens.split('\n');
  const ofFolder = new RegExp(`^  screen\\('${folder}/[^']*', '([^']*)'`);
  const at = lines.findLastIndex((line) => ofFolder.test(line));
  const menu = ofFolder.exec(lines[at] ?? '')?.[1];
  return (
    menu &&
    lines
      .toSpliced(at + 1, 0, `  screen('${path}', '${menu}', '${title}', 'FileTextOutlined', 'add${type}'),`)
      .join('\n')
  );
}
