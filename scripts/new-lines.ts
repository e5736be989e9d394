import type { Named } from './new-files.ts';

/** The list of screens with one more, after the last of its folder; nothing when there is no such folder. */
export function withScreen(screens: string, { path, title }: Named): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const lines = screens.split('\n');
  const ofFolder = new RegExp(`^  screen\\('${folder}/[^']*', '([^']*)'`);
  const at = lines.findLastIndex((line) => ofFolder.test(line));
  const menu = ofFolder.exec(lines[at] ?? '')?.[1];
  return (
    menu &&
    lines.toSpliced(at + 1, 0, `  screen('${path}', '${menu}', '${title}', 'FileTextOutlined'),`).join('\n')
  );
}
