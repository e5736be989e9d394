import { readdirSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRoutes, screens } from '#contract/screens.ts';
import { basics } from './basics.ts';
import { anchorOf, type Chapter } from './chapter.ts';
import { news, sessions, system } from './content.ts';
import { games } from './games.ts';
import { permissions } from './permissions.ts';
import { players } from './players.ts';

const folder = new URL('./pictures/', import.meta.url);
const chapters = [basics, permissions, games, players, news, system, sessions].flatMap<Chapter>(
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
