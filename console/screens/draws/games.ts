import { listGames } from '#contract/games.ts';
import { optionsOf } from '../../kit/options.ts';

/** Games by name, for columns and searches that hold a game's id. */
export const games = optionsOf(listGames, { label: 'name' });
