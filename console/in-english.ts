import { fileURLToPath } from 'node:url';
import type { ESTree, Plugin } from 'vite';
import { englishOf } from '#contract/english/texts.ts';
import { isChinese, plural } from '#contract/english/writing.ts';
import { oldestBrowsers } from './parts/browsers.ts';

type Node = ESTree.Node;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text of a module: a string, or a template with the places of its values. */
interface Text extends Span {
  readonly key: string;
  readonly values: readonly Span[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function textIn(node: Node): Text | undefined {
  const { start, end } = node;
  if (node.type === 'Literal' && typeof node.value === 'string')
    return { start, end, key: node.value, values: [] };
  if (node.type !== 'TemplateLiteral') return undefined;
  const [first = '', ...rest] = node.quasis.map(({ value }) => value.cooked ?? '');
  const key = first + rest.map((part, place) => `{${place}}${part}`).join('');
  return { start, end, key, values: node.expressions };
}

/** Every Chinese text of a module, those within values of templates too. */
export function* textsIn(tree: unknown): Generator<Text> {
  if (Array.isArray(tree)) for (const each of tree) yield* textsIn(each);
  if (!isNode(tree)) return;
  const text = textIn(tree);
  if (text && isChinese(text.key)) yield text;
  yield* textsIn(Object.values(tree));
}

/** A template that has these expressions where the English has their numbers; one of two words where it has `{0:row|rows}`. */
function filled(english: string, values: readonly string[]): string {
  const safe = english.replace(/[`\\]|\$(?=\{)/g, '\\$&');
  const counted = safe.replace(
    plural,
    (_, place, one, many) => `\${String(${values[Number(place)]}) === '1' ? '${one}' : '${many}'}`,
  );
  return `\`${counted.replace(/\{(\d+)\}/g, (_, place) => `\${${values[Number(place)]}}`)}\``;
}

/** A module's code with its texts in English. */
function rewritten(code: string, file: string, texts: readonly Text[], span: Span): string {
  let [done, at] = ['', span.start];
  for (const text of texts) {
    // What lies within a value of the text before is done with it.
    if (text.start < at || text.end > span.end) continue;
    const english = englishOf(text.key, file);
    const values = text.values.map((value) => rewritten(code, file, texts, value));
    done += code.slice(at, text.start);
    done += values.length === 0 ? JSON.stringify(english) : filled(english, values);
    at = text.end;
  }
  return done + code.slice(at, span.end);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const here = 'contract/language.ts';

/** A module of contract or console in English; the one that says which language it is says so. */
export function moduleIn(file: string, code: string, tree: unknown): string {
  if (file !== here) {
    const texts = [...textsIn(tree)].sort((one, other) => one.start - other.start);
    return rewritten(code, file, texts, { start: 0, end: code.length });
  }
  const english = code.replace(/\blanguage = (["'])zh\1/, "language = 'en'");
  if (english === code) throw new Error(`${here} does not say that it is Chinese`);
  return english;
}

const page = 'console/index.html';
const pageText = /[^<>'"`\n]*[\u2e80-\u9fff][^<>'"`\n]*/g;
const pageIn = (html: string): string =>
  html
    .replace('lang="zh-CN"', 'lang="en"')
    .replace(pageText, (text) => text.replace(text.trim(), englishOf(text.trim(), page)))
    .replace('__OLDEST_BROWSERS__', oldestBrowsers.replaceAll('、', englishOf('、', page)));

const locales = { chinese: 'antd/es/locale/zh_CN.js', english: 'antd/es/locale/en_US.js' };

/**
 * Builds the console in English: texts of contract and console are replaced as their modules are read, so that neither carries two. A text
 * without its English stops the build. See decision 0571.
 */
export const inEnglish = (): Plugin => ({
  name: 'in-english',
  enforce: 'post',
  resolveId: {
    order: 'pre',
    handler(id, importer) {
      return id === locales.chinese ? this.resolve(locales.english, importer) : null;
    },
  },
  transform(code, id) {
    const file = id.startsWith(root) ? id.slice(root.length) : '';
    // What puts Chinese into English looks for it.
    const isOurs = /^(console|contract(?!\/english))\/.*\.tsx?$/.test(file);
    if (!isOurs || !(file === here || isChinese(code))) return null;
    return { code: moduleIn(file, code, this.parse(code)), map: null };
  },
  transformIndexHtml: pageIn,
});
