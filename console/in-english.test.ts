import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst, transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { nouns } from '#contract/all.ts';
import { englishOf, texts } from '#contract/english/texts.ts';
import { serverTexts } from '#contract/english/told.ts';
import { plural } from '#contract/english/writing.ts';
import { inEnglish, moduleIn, textsIn } from './in-english.ts';

const root = new URL('../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** What is no part of the console: the document of the API, how the server words what is wrong with an input, and what builds it. */
const elsewhere =
  /\.test\.|\.d\.ts$|^contract\/(english\/|openapi|describe-issue)|^console\/(in-english|antd-styles)/;
const modules = globSync('{console,contract}/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !elsewhere.test(path),
);

/** What only who runs the server reads, or what is no text but wire or data. */
const unshown = [
  /^server\/(testing|faults|embedded-postgres)\//,
  /^server\/(app-secret|config|console-build|main|plain-errors|workers)\.ts/,
  /^server\/db\/(append-only|connection-budget|database|dump|migrate|prepare-schema|restore|server-rights)/,
  /^server\/exports\/(cells|copied-rows)\.ts/,
  /^server\/features\/(assert-secret|known-password|platform-zone|seed)\.ts/,
  /^server\/features\/(sample-data\/|presets\/(?!presets-handlers))/,
  /^server\/features\/(bets-proof\/|ledger\/|seals\/(prove|cross|send))/,
  /^server\/features\/(mail\/mail-subject|sign-in\/one-time-code|sign-in-notices\/tell|rebates\/opposing)/,
];
const serverModules = globSync('server/**/*.ts', { cwd: root }).filter(
  (path) => !path.includes('.test.') && !unshown.some((each) => each.test(path)),
);

/** SQL, whose words are written down by hand; selections as they are bet; what a test mail says. */
const isNoSentence = (text: string): boolean =>
  /\b(select|translate)\b|\|\||^【|^鼠牛虎兔|^这是一封测试邮件/.test(text);

async function textsOf(path: string): Promise<string[]> {
  const { code } = await transformWithOxc(read(path), path);
  return [...textsIn(parseAst(code))].map(({ key }) => key);
}

const placesIn = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));

describe('the English of the console', () => {
  it('is there for every text, and for nothing else', async () => {
    const used = new Set<string>();
    const missing: string[] = [];
    for (const path of modules)
      for (const text of await textsOf(path)) {
        used.add(text).add(`${path}|${text}`);
        if (!(text in texts || `${path}|${text}` in texts)) missing.push(`${path}: ${text}`);
      }
    expect(missing).toEqual([]);
    const page = read('console/index.html');
    expect(Object.keys(texts).filter((key) => !used.has(key) && !page.includes(key))).toEqual([]);
  });

  it('has the values of the Chinese, and none that is empty', () => {
    const wrong = Object.entries({ ...texts, ...serverTexts }).filter(([chinese, english]) => {
      const wanted = placesIn(chinese.slice(chinese.indexOf('|') + 1));
      const given = placesIn(english);
      const counted = [...english.matchAll(plural)].map(([, name]) => name);
      return (
        [...wanted].some((place) => !given.has(place)) ||
        [...given, ...counted].some((place) => !wanted.has(place)) ||
        english === ''
      );
    });
    expect(wrong).toEqual([]);
  });

  it('tells the nouns of the change record apart, by which it is searched', () => {
    const said = Object.keys(nouns).map((heading) => englishOf(heading, ''));
    expect(said.filter((each, place) => said.indexOf(each) < place)).toEqual([]);
  });

  it('is there for what the server says', async () => {
    const known = { ...texts, ...serverTexts };
    const missing: string[] = [];
    for (const path of serverModules)
      for (const text of await textsOf(path))
        if (!(text in known || `${path}|${text}` in known) && !isNoSentence(text))
          missing.push(`${path}: ${text}`);
    expect(missing).toEqual([]);
  });
});

describe('a module in English', () => {
  it('looks for no Chinese that would be English there', () => {
    const looking =
      /(?:\.(?:split|replace|replaceAll|includes|startsWith|endsWith|indexOf|lastIndexOf|has)\(|[=!]==|\bcase) ?(['"`])[^'"`\n]*[\u2e80-\u9fff\u3000-\u303f\uff00-\uffef]/;
    expect(modules.filter((path) => looking.test(read(path)))).toEqual([]);
  });

  it('is none of those that put what the server says into English', () => {
    const transform = inEnglish().transform as (this: object, code: string, id: string) => object | null;
    const changed = (path: string) =>
      transform.call({ parse: parseAst }, `const breaks = ['；'];`, fileURLToPath(new URL(path, root)));
    expect(changed('contract/english/told.ts')).toBeNull();
    expect(changed('contract/fields.ts')).toEqual({ code: 'const breaks = ["; "];', map: null });
  });

  /** The same function, built in English. */
  function asEnglish<F extends (...values: never[]) => string>(said: F): F {
    const code = `(${said.toString()})`;
    return new Function(`return ${moduleIn('console/kit/x.ts', code, parseAst(code))}`)();
  }

  it('has its texts replaced, those within others too', () => {
    const ask = asEnglish((name: string | null) => `确定删除${name === null ? '全部' : `“${name}”`}吗？`);
    expect([ask('a'), ask(null)]).toEqual(['Delete “a”?', 'Delete All?']);
    const code = asEnglish(() => JSON.stringify({ title: '编辑', code: 'EDIT' }));
    expect(JSON.parse(code())).toEqual({ title: 'Edit', code: 'EDIT' });
  });

  it('has the values of a template where the English wants them, and words by how many there are', () => {
    const at = asEnglish((address: string, path: string) => `${address} 的 ${path}`);
    expect(at('https://a.example', '$.value')).toBe('$.value of https://a.example');
    const rows = asEnglish((count: number) => `${count} 行`);
    expect([rows(1), rows(0), rows(20)]).toEqual(['1 row', '0 rows', '20 rows']);
  });

  it('means what its own file means by a text', () => {
    const code = "'登录'";
    expect(moduleIn('console/screens/sign-in/LoginScreen.tsx', code, parseAst(code))).toBe('"Sign in"');
    expect(moduleIn('contract/mail-outbox.ts', code, parseAst(code))).toBe('"Sign-in"');
  });

  it('is not built with a text that has no English', () => {
    expect(() => asEnglish(() => '从没有人说过的话')()).toThrow(/no English for “从没有人说过的话”/);
  });
});
