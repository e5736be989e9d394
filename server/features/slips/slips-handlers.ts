import type { CataloguePlayWay } from '#contract/platform-catalogue.ts';
import type { Db } from '#server/db/database.ts';
import { rowsExist } from '#server/db/rows.ts';
import { handlers, ownTransactions } from '#server/http/handler.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { listGames } from '../games/game-store.ts';
import { cancelSlip } from './cancel-slip.ts';
import { readCatalogue } from './catalogue.ts';
import { phaseToBetOn } from './phase-to-bet-on.ts';
import { placeSlip } from './place-slip.ts';
import { pageSlips, sumSlips } from './slip-page.ts';
import * as store from './slip-store.ts';

async function offeredIn(db: Db, gameId: number): Promise<CataloguePlayWay[]> {
  const catalogue = await readCatalogue(db, gameId);
  if (!catalogue) throw new Refusal('recordNotFound');
  return catalogue.playWays.map(({ latitude, limits, ...playWay }) => ({
    ...playWay,
    odds: [...playWay.odds],
    limits: {
      minStake: limits.minStake,
      maxStake: limits.maxStake,
      maxLineStake: limits.maxLineStake,
      payoutCap: limits.payoutCapUnit,
    },
  }));
}

/** What the site's acts are signed with. */
const SITE = '平台接口';

// A slip is its own record: what the site does with it leaves no line in the change record.
const unrecorded = { recorded: false };

export const slipsHandlers = handlers({
  pageSlips: ({ db }, filter) => pageSlips(db, filter),
  sumSlips: ({ db }, filter) => sumSlips(db, filter),

  listCatalogueGames: async ({ db, now, config }) => {
    const games = await listGames(db, { now, timeZone: config.timeZone });
    return games.map(({ id, name, categoryId, phase, status, betStatus, ...rest }) => {
      const { openRate, stopBetSecond, introduce, resultRule } = rest;
      return {
        id,
        name,
        categoryId,
        phase,
        status,
        betStatus,
        openRate,
        stopBetSecond,
        introduce,
        resultRule,
      };
    });
  },
  getCurrentPhase: async ({ db, now }, { id }) => {
    const current = await phaseToBetOn(db, id, now);
    if (!current) throw new Refusal('recordNotFound');
    return current;
  },
  listCataloguePlayWays: ({ db }, { id }) => offeredIn(db, id),

  placeBet: ownTransactions(({ db }, wanted) => placeSlip(db, wanted), unrecorded),
  getBet: ({ db }, { slipId }) => store.findSlip(db, slipId),
  getBetByBizNo: ({ db }, { bizNo }) => store.findSlipByBizNo(db, bizNo),
  pageUserBets: async ({ db }, filter) => {
    if (!(await rowsExist(db, 'player', [filter.id]))) throw new Refusal('recordNotFound');
    return store.pageSlipsOfUser(db, filter);
  },
  cancelBet: ownTransactions(async ({ db }, { slipId, reason }) => {
    try {
      if (!(await readParam(db, 'bet.siteCancel'))) throw new Refusal('siteMayNotCancel');
      await cancelSlip(db, slipId, SITE, reason);
    } catch (error) {
      // A server that dies after the slip is taken back keeps no answer under the key: whoever asks again gets it all the same.
      if (!(await store.isCancelledSo(db, slipId, SITE, reason))) throw error;
    }
    return store.findSlip(db, slipId);
  }, unrecorded),
});
