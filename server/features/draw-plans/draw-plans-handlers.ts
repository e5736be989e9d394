import { databaseTime } from '#server/db/database-clock.ts';
import { type Context, countOrTrue, handlers } from '#server/http/handler.ts';
import { addDays, dayOf, dayStart, lastMomentOf, momentOf } from '#server/platform-days.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { deleteWaiting, pageDrawPlans, type Window } from './draw-plan-store.ts';
import { insertVoid, lockVoidable } from './draw-voids.ts';
import { generatePlans } from './generate.ts';
import { openDuePlans } from './plan-life.ts';
import { generateForeseen, outlookOf } from './plan-outlook.ts';
import { findPlannedGame, lockPlannedGame } from './planned-game.ts';
import { isAwaitingBeacon, resultOf } from './promise.ts';

const WIDEST_DAYS = 31;

/**
 * Two wire times, both included, as a window. Throws `invalid` at the field when reversed or over 31 days wide, as clocks and calendars show it:
 * a day on which clocks change is a day too, and in an hour that they skip there is nothing.
 */
function windowOf({ config }: Context, from: string, to: string, field: string): Window {
  const refuse = (message: string) => wrong(field, message);
  if (to < from) throw refuse('结束时间不能早于开始时间');
  if (to >= addDays(from.slice(0, 10), WIDEST_DAYS) + from.slice(10)) throw refuse('时间范围不能超过 31 天');
  const begin = momentOf(from, config.timeZone);
  return { from: begin, to: Math.max(begin, lastMomentOf(to, config.timeZone) + 1) };
}

/** Waits for whoever plans the game, and tells the moment at which that is over: betting on some plan may have begun meanwhile. */
async function turnWith({ db }: Context, gameId: number): Promise<Date> {
  await lockPlannedGame(db, gameId);
  return databaseTime(db);
}

const stayedWord = (stayed: number): string => (stayed > 0 ? `，${stayed} 期已开始投注，保留不变` : '');

/** Deletes WAITTING plans after those whose draw time has come were opened, so that none of these is lost. */
async function clean(context: Context, gameId: number, which: Parameters<typeof deleteWaiting>[2]) {
  const { db } = context;
  const now = await turnWith(context, gameId);
  await openDuePlans(db, now, gameId);
  const { removed, stayed } = await deleteWaiting(db, { gameId, now }, which);
  context.say(`已清除 ${removed} 期${stayedWord(stayed)}`);
  context.remark({ targetId: gameId, after: { removed, stayed } });
  return countOrTrue(removed);
}

export const drawPlansHandlers = handlers({
  pageDrawPlans: ({ db, now }, filter) => pageDrawPlans(db, now, filter),
  pageGamePlans: async ({ db, now }, { id, ...filter }) => {
    if (!(await findPlannedGame(db, id))) throw new Refusal('recordNotFound');
    return pageDrawPlans(db, now, { ...filter, gameId: id });
  },

  generateDrawPlans: async (context, { gameId, beginDate, endDate, digest }) => {
    const { db } = context;
    const window = windowOf(context, beginDate, endDate, 'endDate');
    const asked = { gameId, window, now: await turnWith(context, gameId) };
    const generated = await (digest === undefined
      ? generatePlans(db, asked)
      : generateForeseen(db, asked, digest));
    const { made, displaced, stayed } = generated;
    const gone = displaced > 0 ? `，移除期号不符的旧计划 ${displaced} 期` : '';
    context.say(`已生成 ${made} 期${gone}${stayedWord(stayed)}`);
    context.remark({ targetId: gameId, after: generated });
    return countOrTrue(made);
  },

  previewDrawPlans: (context, { gameId, beginDate, endDate }) => {
    const { db, now } = context;
    return outlookOf(db, { gameId, window: windowOf(context, beginDate, endDate, 'endDate'), now });
  },

  cleanDrawPlans: (context, { gameId, startTimeRange: range }) =>
    clean(context, gameId, range ? { within: windowOf(context, range[0], range[1], 'startTimeRange') } : {}),

  voidDrawPlan: async (context, { id, reason }) => {
    const { db, vault, operator } = context;
    const plan = await lockVoidable(db, id, context.now);
    const isLost = 'reason' in resultOf(vault, plan) && !isAwaitingBeacon(plan, context.now);
    if (!isLost) throw new Refusal('phaseCanBeDrawn');
    const { gameId, phase } = plan;
    await insertVoid(db, { gameId, phase, reason, operatorId: operator.id, userName: operator.userName });
    context.remark({
      before: { gameId, phase, status: 'OPENING' },
      after: { gameId, phase, status: 'VOID' },
    });
    return true as const;
  },

  cleanDrawPlansExceptToday: (context, { gameId }) => {
    const { timeZone } = context.config;
    const today = dayOf(context.now.getTime() / 1000, timeZone);
    const except = { from: dayStart(today, timeZone), to: dayStart(addDays(today, 1), timeZone) };
    return clean(context, gameId, { except });
  },
});
