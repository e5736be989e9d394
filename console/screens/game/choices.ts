import { listResultHandlers } from '#contract/bet-latitudes.ts';
import { pageGameCategories } from '#contract/game-categories.ts';
import { listGames } from '#contract/games.ts';
import { optionsOf } from '../../kit/options.ts';

/** All games, for the screens that choose or name one. */
export const games = optionsOf(listGames, { label: 'name' });
export const gameCategories = optionsOf(pageGameCategories, { label: 'name' });
export const resultHandlers = optionsOf(listResultHandlers, { label: 'title', value: 'name' });
