import { pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { listExposure } from '#contract/exposure.ts';
import { pageSettlements } from '#contract/settlements.ts';
import { pageSpiders } from '#contract/spiders.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { countGames, readGames, readLast, readMoment, readSources, readStakes } from './desk-games.ts';
import { readWaits } from './desk-waits.ts';

/** What an operator may open the lists of; whoever enters results by hand must see no stakes. */
const seenBy = ({ operator }: Context) => ({
  plans: operator.may(pageDrawPlans),
  records: operator.may(pageDrawRecords),
  bets: operator.may(pageSettlements),
  spiders: operator.may(pageSpiders),
  exposure: operator.may(listExposure),
});

export const drawDeskHandlers = handlers({
  getDrawDesk: async (context) => {
    const { db, now } = context;
    const seen = seenBy(context);
    const found = await readGames(db, now);
    const ids = found.map(({ gameId }) => gameId);
    const [last, sources, stakes, waits, time, totalGames] = await Promise.all([
      seen.records ? readLast(db, ids) : undefined,
      seen.spiders ? readSources(db) : undefined,
      seen.exposure ? readStakes(db, found) : undefined,
      readWaits(db, seen),
      readMoment(db, now),
      countGames(db, found.length),
    ]);
    const games = found.map(({ open, ...game }) => ({
      ...game,
      open: open && { ...open, stake: stakes?.get(game.gameId) ?? null },
      last: last?.get(game.gameId) ?? null,
      sources: sources?.get(game.gameId) ?? null,
    }));
    return { time, games, totalGames, waits };
  },
});
