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
