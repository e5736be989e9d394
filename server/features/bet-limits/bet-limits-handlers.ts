import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { demandRange, gameOfPlayWay, leavingRoom, limitsOf } from './bet-limit-rules.ts';
import { allowLongCount, pageBetLimits } from './bet-limit-store.ts';

export const betLimitsHandlers = handlers({
  pageBetLimits: ({ db }, filter) => pageBetLimits(db, filter),

  addBetLimit: async ({ db }, { reason, ...said }) => {
    demandRange(said);
    const gameId = await gameOfPlayWay(db, said.playWayId, said.gameId);
    const playWayId = said.playWayId ?? null;
    await allowLongCount(db);
    const limits = { ...limitsOf(said), gameId, playWayId };
    return (await leavingRoom(db, () => added(db, 'bet_limit', limits))).id;
  },

  updateBetLimit: async ({ db }, { id, version, reason, ...said }) => {
    demandRange(said);
    await allowLongCount(db);
    await leavingRoom(db, () =>
      changed(db, 'bet_limit', { id, version }, async (before) => {
        // What a row is for is said as a whole or not at all.
        const isSaid = said.gameId !== undefined || said.playWayId !== undefined;
        const { gameId, playWayId } = isSaid ? said : before;
        const game = await gameOfPlayWay(db, playWayId ?? undefined, gameId ?? undefined);
        return { ...limitsOf(said), gameId: game, playWayId: playWayId ?? null };
      }),
    );
    return id;
  },

  deleteBetLimit: async ({ db }, { id }) => {
    await allowLongCount(db);
    await leavingRoom(db, () => removed(db, 'bet_limit', id));
    return true as const;
  },
});
