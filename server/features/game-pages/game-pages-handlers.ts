import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { findShownGame } from '../games/game-store.ts';
import { phaseToBetOn } from '../slips/phase-to-bet-on.ts';
import { standingOf } from './game-page-store.ts';

export const gamePagesHandlers = handlers({
  getGamePage: async ({ db, now, config }, { id }) => {
    const [game, current, rest] = await Promise.all([
      findShownGame(db, { now, timeZone: config.timeZone }, id),
      phaseToBetOn(db, id, now),
      standingOf(db, id),
    ]);
    if (!game || !current) throw new Refusal('absent', { field: 'id', values: { what: '游戏' } });
    return { game, current, ...rest };
  },
});
