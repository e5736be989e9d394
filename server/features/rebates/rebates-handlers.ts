import { Decimal } from 'decimal.js';
import { added, changed, removed } from '#server/db/rows.ts';
import { handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { rebateRatesOn } from './day-rates.ts';
import { demandOpenDay } from './open-days.ts';
import { pageRebateRates, ratesAboveMargin } from './rate-store.ts';
import { releaseRun } from './release-run.ts';
import { findRun, pageRebateItems, pageRebateRuns, sumRebateRuns } from './run-store.ts';

const MOST_PREVIEWED = 200;

export const rebatesHandlers = handlers({
  pageRebateRates: ({ db }, filter) => pageRebateRates(db, filter),

  addRebateRate: async ({ db }, rate) => {
    await demandOpenDay(db, rate.validFrom);
    return (await added(db, 'rebate_rate', rate)).id;
  },

  updateRebateRate: async ({ db }, { id, version, ...rate }) => {
    await changed(db, 'rebate_rate', { id, version }, async (before) => {
      const isSame =
        before.level === rate.level &&
        before.categoryId === rate.categoryId &&
        before.validFrom === rate.validFrom &&
        new Decimal(before.rate).equals(rate.rate);
      const [first = rate.validFrom] = [before.validFrom, rate.validFrom].toSorted();
      if (!isSame) await demandOpenDay(db, first);
      return rate;
    });
    return id;
  },

  deleteRebateRate: async ({ db }, { id }) => {
    await removed(db, 'rebate_rate', id, ({ validFrom }) => demandOpenDay(db, validFrom));
    return true as const;
  },

  pageRebateRuns: ({ db }, filter) => pageRebateRuns(db, filter),
  sumRebateRuns: ({ db }, filter) => sumRebateRuns(db, filter),

  pageRebateItems: ({ db }, filter) => pageRebateItems(db, filter),

  previewRebates: async ({ db }, { day }) => {
    const run = await findRun(db, day);
    if (!run)
      throw new Refusal('rebateNotPrepared', { field: 'day', values: { day: day ?? '下一个平台日' } });
    const warnings = await ratesAboveMargin(db, await rebateRatesOn(db, run.day), run.day);
    const page = { day: run.day, currentPage: 1, pageSize: MOST_PREVIEWED };
    const { totalCount: itemCount, data: items } = await pageRebateItems(db, page);
    return { ...run, warnings, itemCount, items };
  },

  releaseRebates: async ({ db, operator, remark }, { day, digest }) => {
    const { id: operatorId, userName } = operator;
    const run = await releaseRun(db, { day, digest, operatorId, userName });
    const { turnover, rebate, returned, invited, payees, digest: released } = run;
    remark({
      targetId: day,
      before: { day, status: 'PREPARED' },
      after: { day, status: 'PAYING', turnover, rebate, returned, invited, payees, digest: released },
    });
    return true as const;
  },
});
