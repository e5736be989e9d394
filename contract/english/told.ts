import contract from './contract.json' with { type: 'json' };
import server from './server.json' with { type: 'json' };
import { isChinese, plural } from './writing.ts';

/** The English of what the server says, by its Chinese. */
export const serverTexts: Readonly<Record<string, string>> = server;

const texts: Readonly<Record<string, string>> = { ...contract, ...server };

/** A text with places for values, such as `{what}不存在`. */
interface Pattern {
  readonly shape: RegExp;
  readonly english: string;
  readonly names: readonly string[];
  /** How much of it stands fast, its beginning before all: the more, the surer it is meant. */
  readonly weight: number;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function patternOf([chinese, english]: readonly [string, string]): Pattern {
  const parts = chinese.split(/\{(\w+)\}/);
  const names = parts.filter((_, place) => place % 2 === 1);
  const fixed = parts.filter((_, place) => place % 2 === 0);
  const shape = new RegExp(`^${fixed.map(escaped).join('(.*?)')}$`, 's');
  return { shape, english, names, weight: fixed.join('').length + (fixed[0] ? 0.5 : 0) };
}

const entries = Object.entries(texts);

/** What is said of a label, which stands before it. */
const predicates = entries
  .filter(([, english]) => /^(must|is|are|contains|has|cannot)\b|^:/.test(english))
  .map(([chinese, english]) => {
    const gap = english.startsWith(':') ? '' : ' ';
    return [`{label}${chinese}`, `{label}${gap}${english}`] as const;
  });

const patterns = [...entries.filter(([chinese]) => /\{\w+\}/.test(chinese)), ...predicates]
  .map(patternOf)
  .sort((one, other) => other.weight - one.weight);

function byPattern(text: string): string | undefined {
  for (const { shape, english, names } of patterns) {
    const values = shape.exec(text)?.slice(1);
    if (!values) continue;
    const of = (name: string): string => values[names.indexOf(name)] ?? '';
    return english
      .replace(plural, (_, name, one, many) => (of(name) === '1' ? one : many))
      .replace(/\{(\w+)\}/g, (_, name) => toldInEnglish(of(name)));
  }
  return undefined;
}

/** What texts are strung together by, the widest first. */
const breaks = [
  ['\n', '\n'],
  [' · ', ' · '],
  ['。', '. '],
  ['；', '; '],
  ['，', ', '],
  ['、', ', '],
] as const;

function byParts(text: string): string | undefined {
  for (const [chinese, english] of breaks) {
    const parts = text.split(chinese);
    if (parts.length === 1) continue;
    const said = parts.map((part) => toldInEnglish(part));
    // What holds nothing of ours stands as somebody wrote it.
    return said.some((part, place) => part !== parts[place]) ? said.join(english) : undefined;
  }
  return undefined;
}

/**
 * What the server said, in English as far as it is known; names and whatever operators wrote stay as they are. `file` tells which words are
 * meant, where the same Chinese has several meanings.
 */
export function toldInEnglish(text: string, file = ''): string {
  if (!isChinese(text)) return text;
  return texts[`${file}|${text}`] ?? texts[text] ?? byPattern(text) ?? byParts(text) ?? text;
}
