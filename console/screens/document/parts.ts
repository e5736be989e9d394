import { screens } from '#contract/screens.ts';
import { basics } from './basics.ts';
import { bets } from './bets.ts';
import type { Chapter, Part } from './chapter.ts';
import { news, sessions, system } from './content.ts';
import { describedBy } from './described.ts';
import { games } from './games.ts';
import { permissions } from './permissions.ts';
import { players } from './players.ts';

const written: readonly Part[] = [basics, permissions, games, bets, players, news, system, sessions];

const explained = new Set(written.flatMap(({ chapters }) => chapters.map(({ path }) => path)));

/** Screens under a folder that nobody has explained yet: what the contract says of them. */
const others = (folder: string): Chapter[] =>
  screens.filter((screen) => screen.folder === folder && !explained.has(screen.path)).map(describedBy);

/** The whole handbook. */
export const parts: readonly Part[] = written.map(({ title, chapters }) => ({
  title,
  chapters: [...chapters, ...others(title)],
}));
