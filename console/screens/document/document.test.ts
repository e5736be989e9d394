import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { openRoutes, screens } from '#contract/screens.ts';
import { anchorOf, type Chapter } from './chapter.ts';
import { describedBy } from './described.ts';
import { parts } from './parts.ts';

const chapters = parts.flatMap<Chapter>((part) => part.chapters);

describe('the handbook', () => {
  it.each([...screens, openRoutes.safe, openRoutes.overview])(
    'explains $title ($path)',
    ({ path, title }) => {
      const chapter = chapters.find((each) => each.path === path);
      expect(chapter?.title).toBe(title);
      expect(chapter?.lines.join('').length).toBeGreaterThan(15);
    },
  );

  it('tells of a screen that nobody has explained what the contract says of it', () => {
    expect(describedBy({ path: '/main/news/category', title: '新闻分类' }).lines).toEqual([
      '每行有分类名称。',
      '可以新增、编辑、删除。',
    ]);
    expect(describedBy({ path: '/main/news/news', title: '新闻管理' }).lines).toEqual([
      '每行有新闻分类、标题、内容、重要、发布时间。',
      '可按新闻分类搜索。',
      '可以新增、编辑、删除、导入。',
    ]);
  });

  it('calls fields and buttons what they are called on screen', () => {
    const root = new URL('../../../', import.meta.url);
    const sources = ['console', 'contract']
      .flatMap((part) =>
        readdirSync(new URL(part, root), { recursive: true, encoding: 'utf8' }).map(
          (name) => `${part}/${name}`,
        ),
      )
      .filter((name) => /\.tsx?$/.test(name) && !/document|\.test\./.test(name))
      .map((name) => readFileSync(new URL(name, root), 'utf8'))
      // Summaries and comments are not on any screen.
      .map((text) => text.replace(/summary: '[^']*'|\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''))
      .join('\n');
    const isOnScreen = (words: string) =>
      new RegExp(
        `(?<![\\u4e00-\\u9fff])${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\u4e00-\\u9fff])`,
      ).test(sources);
    const quoted = chapters.flatMap(({ lines }) =>
      [...lines.join('').matchAll(/“([^”]+)”/g)].map(([, words = '']) => words),
    );
    // Said together, a word that stands inside a sentence, one that a row says, and one with a number in it.
    const elsewhere = ['上月、本月、上周、本周、昨天、今天', '同期', '样例', 'n 条新记录'];
    expect(quoted.length).toBeGreaterThan(50);
    expect(quoted.filter((words) => !elsewhere.includes(words) && !isOnScreen(words))).toEqual([]);
  });

  it('every call that takes a file has its button on a screen', () => {
    const offered = readdirSync(new URL('../', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .flatMap((name) => {
        const source = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
        return [...source.matchAll(/<ImportButton[^>]*?endpoint=\{(\w+)\}/g)].map(([, call]) => call);
      });
    const taking = Object.entries<AnyEndpoint>(contract).flatMap(([call, { imports }]) =>
      imports ? [call] : [],
    );
    // Odds from a file are added and changed by one call, though there is another that only adds them.
    expect([...offered, 'addOdds'].toSorted()).toEqual(taking.toSorted());
  });

  it('says nothing twice in a chapter', () => {
    const beginning = (line: string) => line.slice(0, 10);
    const twice = chapters.flatMap(({ title, lines }) =>
      lines
        .filter((line, place) => lines.findIndex((other) => beginning(other) === beginning(line)) < place)
        .map((line) => `${title}: ${beginning(line)}`),
    );
    expect(twice).toEqual([]);
  });

  it('has something to say wherever a field’s help leads', () => {
    const root = new URL('../../', import.meta.url);
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
      .map((name) => readFileSync(new URL(name, root), 'utf8'));
    const helps = sources.flatMap((text) =>
      [...text.matchAll(/\bhelp: ([^,\n]+)/g)].map(([, said = '']) => said),
    );
    const words = helps.flatMap((said) =>
      [...said.matchAll(/'([^']*[\u4e00-\u9fff][^']*)'/g)].map(([, each = '']) => each),
    );
    const lines = chapters.flatMap((chapter) => [chapter.title, ...chapter.lines]);
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((each) => !lines.some((line) => line.includes(each)))).toEqual([]);
  });

  it('has an anchor of its own for every chapter', () => {
    const anchors = chapters.map(anchorOf);
    expect([...new Set(anchors)]).toEqual(anchors);
    expect(anchorOf({ title: 'Being told at once' })).toBe('Being-told-at-once');
  });

  it.each(['zh', 'en'])(
    'has a small picture of every screen and none of anything else, in %s',
    (language) => {
      const folder = new URL(`./pictures/${language}/`, import.meta.url);
      const names = readdirSync(folder).sort();
      const wanted = chapters.flatMap((chapter) => (chapter.path ? [`${anchorOf(chapter)}.webp`] : []));
      expect(names).toEqual(wanted.sort());
      for (const name of names) expect(statSync(new URL(name, folder)).size, name).toBeLessThan(80_000);
    },
  );
});
