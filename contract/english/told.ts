import contract from './contract.json' with { type: 'json' };
import server from './server.json' with { type: 'json' };
import { isChinese, plural } from './writing.ts';

/** The English of what the server says, by its Chinese. */
export const serverTexts: Readonly<Record<string, string>> = server;

const texts: Readonly<Record<string, string>> = { ...contract, ...server };

/** A text with places for values, such as `{what}不存在`: what stands fast of it, with a value between any two. */
interface Pattern {
  readonly fixed: readonly string[];
  readonly names: readonly string[];
  readonly english: string;
  /** How much of it stands fast, its beginning before all: the more, the surer it is meant. */
  readonly weight: number;
}

function patternOf([chinese, english]: readonly [string, string]): Pattern {
  const parts = chinese.split(/\{(\w+)\}/);
  const names = parts.filter((_, place) => place % 2 === 1);
  const fixed = parts.filter((_, place) => place % 2 === 0);
  return { fixed, names, english, weight: fixed.join('').length + (fixed[0] ? 0.5 : 0) };
}

const entries = Object.entries(texts);

/** What is said of a label, which stands before it. */
const predicates = entries
  .filter(([, english]) => /^(must|is|are|contains|has|cannot|will)\b|^:/.test(english))
  .map(([chinese, english]) => {
    const gap = english.startsWith(':') ? '' : ' ';
    return [`{label}${chinese}`, `{label}${gap}${english}`] as const;
  });

const surestFirst = (some: readonly Pattern[]): readonly Pattern[] =>
  some.toSorted((one, other) => other.weight - one.weight);

const withPlaces = entries.filter(([chinese]) => /\{\w+\}/.test(chinese));
/** By the file that has them for itself; by nothing those of all. */
const byFile = Map.groupBy(withPlaces, ([chinese]) => /^(.*)\|/.exec(chinese)?.[1] ?? '');
const patternsOf = new Map(
  [...byFile].map(([file, own]) => [
    file,
    surestFirst(own.map(([key, english]) => patternOf([file ? key.slice(file.length + 1) : key, english]))),
  ]),
);
const patterns = surestFirst([...(patternsOf.get('') ?? []), ...predicates.map(patternOf)]);

/** Those that a text may be of, by its first and its last sign. */
const likely = new Map<string, readonly Pattern[]>();
function patternsFor(text: string): readonly Pattern[] {
  const [first, last] = [text.slice(0, 1), text.slice(-1)];
  const known = likely.get(first + last);
  if (known) return known;
  const isLikely = ({ fixed }: Pattern): boolean =>
    (fixed[0] === '' || fixed[0]?.startsWith(first)) === true &&
    (fixed.at(-1) === '' || fixed.at(-1)?.endsWith(last)) === true;
  const found = patterns.filter(isLikely);
  // Of the first and last signs that there are, a list holds few.
  if (likely.size < MOST_LIKELY) likely.set(first + last, found);
  return found;
}
const MOST_LIKELY = 10_000;

/** The values of a text that is of a pattern, each as short as can be. In time that grows with the text alone, whoever wrote it. */
function valuesIn(text: string, fixed: readonly string[]): string[] | undefined {
  const [start = '', ...rest] = fixed;
  if (!text.startsWith(start) || !text.endsWith(rest.at(-1) ?? '')) return undefined;
  const values: string[] = [];
  let at = start.length;
  for (const [place, part] of rest.entries()) {
    const isLast = place === rest.length - 1;
    const end = isLast ? text.length - part.length : text.indexOf(part, at);
    if (end < at) return undefined;
    values.push(text.slice(at, end));
    at = end + part.length;
  }
  return values;
}

function byPattern(
  text: string,
  among: readonly Pattern[],
  sayValue: (value: string) => string,
): string | undefined {
  for (const { fixed, names, english } of among) {
    const values = valuesIn(text, fixed);
    if (!values) continue;
    const of = (name: string): string => values[names.indexOf(name)] ?? '';
    const told = english
      .replace(plural, (_, name, one, many) => (of(name) === '1' ? one : many))
      .replace(/\{(\w+)\}/g, (_, name) => sayValue(of(name)));
    // A value may be empty, or a sentence that stands after a name elsewhere.
    return text.includes('  ') ? told : told.replace(/: : /g, ': ').replace(/ {2,}/g, ' ');
  }
  return undefined;
}

const sentenceBreaks = [
  ['。', '. '],
  ['；', '; '],
] as const;

/** What texts are strung together by, the widest first. */
const breaks = [
  ['\n', '\n'],
  [' / ', ' / '],
  [' · ', ' · '],
  ...sentenceBreaks,
  ['，', ', '],
  ['、', ', '],
] as const;

/** Numbers, names in quotes or whatever else of no language. */
const isBare = (part: string): boolean => /^“[^”]*”$/.test(part) || !isChinese(part);

function byParts(text: string, depth: number): string | undefined {
  for (const [chinese, english] of breaks) {
    const parts = text.split(chinese);
    if (parts.length === 1) continue;
    const told = parts.map((part) => said(part, depth + 1));
    // What holds nothing of ours stands as somebody wrote it, but for what we list in a sentence.
    const isList = depth > 0 && chinese === '、' && parts.every(isBare);
    return isList || told.some((part, place) => part !== parts[place]) ? told.join(english) : undefined;
  }
  return undefined;
}

/** Whether a pattern is of several sentences itself. */
const hasSentences = ({ fixed }: Pattern): boolean => fixed.some((part) => part.includes('；'));

/** Sentences of ours that are strung together, all of them: a pattern that says something of one may find its end in the next. */
function bySentences(text: string, depth: number): string | undefined {
  for (const [chinese, english] of sentenceBreaks) {
    const sentences = text.split(chinese);
    if (sentences.length === 1) continue;
    const told = sentences.map((sentence) => said(sentence, depth + 1));
    const isTold = told.every((each, place) => each !== sentences[place] || !isChinese(each));
    return isTold ? told.join(english) : undefined;
  }
  return undefined;
}

/** Words of ours alone, and what is no Chinese: a day and a time, or the field of a field. */
function byWords(text: string): string | undefined {
  for (const [chinese, english] of [
    [' ', ' '],
    ['的', ': '],
  ] as const) {
    const told = text.split(chinese).map((word) => (isChinese(word) ? texts[word] : word));
    if (told.length > 1 && !told.includes(undefined)) return told.join(english);
  }
  return undefined;
}

/** A word of ours that says what the rest is, which is no Chinese, such as a screen and an address. */
function byLabel(text: string): string | undefined {
  const [label = '', ...rest] = text.split('：');
  const what = rest.join('：');
  const english = texts[label];
  return english !== undefined && rest.length > 0 && !isChinese(what) ? `${english}: ${what}` : undefined;
}

/** The server's own sentences hold others, but not many deep. */
const DEEPEST = 8;

function said(text: string, depth: number): string {
  if (!isChinese(text) || depth > DEEPEST) return text;
  const sayValue = (value: string): string => said(value, depth + 1);
  const likely = patternsFor(text);
  return (
    texts[text] ??
    byLabel(text) ??
    byPattern(text, likely.filter(hasSentences), sayValue) ??
    bySentences(text, depth) ??
    byPattern(text, likely, sayValue) ??
    byParts(text, depth) ??
    byWords(text) ??
    text
  );
}

const asWritten = (text: string): string => text;

/** Of a file with patterns of its own, by those alone: each part of what is strung together. */
const byOwn = (text: string, file: string, own: readonly Pattern[]): string =>
  text
    .split(' · ')
    .map((part) => texts[`${file}|${part}`] ?? byPattern(part, own, asWritten) ?? part)
    .join(' · ');

/**
 * What the server said, in English as far as it is known; names and whatever operators wrote stay as they are. `file` tells which words are
 * meant, where the same Chinese has several meanings; one that has patterns of its own says nothing else, since operators write there too.
 */
export function toldInEnglish(text: string, file = ''): string {
  const own = file === '' ? undefined : patternsOf.get(file);
  return own ? byOwn(text, file, own) : (texts[`${file}|${text}`] ?? said(text, 0));
}
