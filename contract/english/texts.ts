import ownTexts from './console.json' with { type: 'json' };
import contract from './contract.json' with { type: 'json' };
import handbook from './handbook.json' with { type: 'json' };

/** The English of contract and console, by their Chinese. */
export const texts: Readonly<Record<string, string>> = { ...contract, ...ownTexts, ...handbook };

/**
 * The English of a text of contract or console; `{0}` stands for a template's first value. Where the same Chinese means something else in a
 * file, that file's path and `|` stand before it.
 */
export function englishOf(text: string, file: string): string {
  const english = texts[`${file}|${text}`] ?? texts[text];
  if (english === undefined) throw new Error(`no English for “${text}” of ${file}: see contract/english`);
  return english;
}
