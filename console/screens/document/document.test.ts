import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRoutes, screens } from '#contract/screens.ts';
import { basics } from './basics.ts';
import { bets } from './bets.ts';
import { anchorOf, type Chapter } from './chapter.ts';
import { news, sessions, system } from './content.ts';
import { games } from './games.ts';
import { permissions } from './permissions.ts';
import { players } from './players.ts';

const folder = new URL('./pictures/', import.meta.url);
const chapters = [basics, permissions, games, bets, players, news, system, sessions].flatMap<Chapter>(
  (part) => part.chapters,
);

describe('the handbook', () => {
  it.each([...screens, openRoutes.safe, openRoutes.overview])(
    'explains $title ($path)',
    ({ path, title }) => {
      const chapter = chapters.find((each) => each.path === path);
      expect(chapter?.title).toBe(title);
      expect(chapter?.lines.join('').length).toBeGreaterThan(15);
    },
  );

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
    // Said together, and a word that stands inside a sentence.
    const elsewhere = ['上月、本月、上周、本周、昨天、今天', '同期'];
    expect(quoted.length).toBeGreaterThan(50);
    expect(quoted.filter((words) => !elsewhere.includes(words) && !isOnScreen(words))).toEqual([]);
  });

  it('has an anchor of its own for every chapter', () => {
    const anchors = chapters.map(anchorOf);
    expect([...new Set(anchors)]).toEqual(anchors);
  });

  it('has a small picture of every screen and none of anything else', () => {
    const names = readdirSync(folder).sort();
    const wanted = chapters.flatMap((chapter) => (chapter.path ? [`${anchorOf(chapter)}.webp`] : []));
    expect(names).toEqual(wanted.sort());
    for (const name of names) expect(statSync(new URL(name, folder)).size, name).toBeLessThan(80_000);
  });
});
