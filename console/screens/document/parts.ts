import { openRoutes, screens } from '#contract/screens.ts';
import { basics } from './basics.ts';
import { bets } from './bets.ts';
import type { Chapter, Explained, OfScreen, Part } from './chapter.ts';
import { news, sessions, system } from './content.ts';
import { describedBy } from './described.ts';
import { games } from './games.ts';
import { permissions } from './permissions.ts';
import { players } from './players.ts';

const folders: readonly Explained[] = [permissions, games, bets, players, news, system, sessions];

const titles = new Map<string, string>(
  [...screens, ...Object.values(openRoutes)].map(({ path, title }) => [path, title]),
);

/** A chapter about a screen is called as the screen is. */
const titled = (chapter: OfScreen): Chapter => ({ ...chapter, title: titles.get(chapter.path) ?? '' });

/** Screens under a folder that nobody has explained yet: what the contract says of them. */
function unexplained({ folder, chapters }: Explained): Chapter[] {
  const explained = new Set<string>(chapters.map(({ path }) => path));
  return screens.filter((screen) => screen.folder === folder && !explained.has(screen.path)).map(describedBy);
}

/** The whole handbook. */
export const parts: readonly Part[] = [
  {
    title: basics.title,
    chapters: basics.chapters.map((each) => ('title' in each ? each : titled(each))),
  },
  ...folders.map((each) => ({
    title: each.folder,
    chapters: [...each.chapters.map(titled), ...unexplained(each)],
  })),
];
