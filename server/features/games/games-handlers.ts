import { isDeepStrictEqual } from 'node:util';
import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import { added, changed, locked, type Row, removed } from '#server/db/rows.ts';
import { type Context, handlers } from '#server/http/handler.ts';
import { dayOf } from '#server/platform-days.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { demandRuleStillJudged } from '../bet-latitudes/still-judges.ts';
import { secondsOf, type TimeRange } from '../draw-plans/bet-time-ranges.ts';
import { drawMistake, drawOptionsOf } from '../draw-plans/draw-rules.ts';
import { phaseAt } from '../draw-plans/numbering.ts';
import { lockPlannedGame } from '../draw-plans/planned-game.ts';
import { demandPromisesFit } from '../draw-plans/promises-fit.ts';
import { replaceNumbers } from '../game-numbers/replace-numbers.ts';
import { addRange, findRange, listRanges, replaceRanges } from './bet-time-range-store.ts';
import { firstPhase } from './first-phase.ts';
import { countDependents, deletePartsOf, hasBegunPlans } from './game-dependents.ts';
import { demandRangesFit } from './game-rules.ts';
import * as store from './game-store.ts';
import { tellingOfPlans } from './plans-left.ts';
import { keptRule, localDrawOptions } from './result-rule.ts';

const atOf = ({ now, config }: Context) => ({ now, timeZone: config.timeZone });

/**
 * The present phase with its moment. Kept before a schedule changes: phases are counted by the schedule from there, and
 * those of the past must not be counted anew by slots that did not exist.
 */
async function phaseNow({ db, now }: Context, id: number) {
  const game = await lockPlannedGame(db, id);
  return { phase: phaseAt(game, Math.floor(now.getTime() / 1000)), phaseTime: now };
}

/** What a game draws by itself has to be drawn as its rule says. */
async function demandLocalDrawsFit(db: Db, gameId: number, rule: ResultRule): Promise<void> {
  for (const options of await localDrawOptions(db, gameId)) {
    const draws = drawOptionsOf(options);
    const message = draws && drawMistake(draws, rule);
    if (message) throw wrong('resultRule', message);
  }
}

const YEAR_DIGITS = 4;

/**
 * A game numbered by the year that had no betting time when it was made started at its first draw. The phase that its draws since New Year come to
 * is told with the first one; nobody but an operator knows which is the official one.
 */
function tellReckonedPhase(context: Context, game: Row<'game'>, range: TimeRange): void {
  const serialDigits = Math.max(1, game.phase.length - YEAR_DIGITS);
  const reckoned = firstPhase({ ...game, timeRanges: [range], serialDigits }, atOf(context));
  if (game.phaseRule === 'YEARLY' && reckoned !== game.phase)
    context.say(`新增成功，当前期号为 ${game.phase}，按开奖日程推算为 ${reckoned}：与官方不同时请“更新期号”`);
}

/** A betting time that holds no whole draw is none: whoever means a draw a week gives it a weekday. */
function tellTooShort({ say }: Context, { openRate }: Row<'game'>, range: TimeRange): void {
  const { from, to } = secondsOf(range);
  const rate = range.openRate ?? openRate;
  if (to - from < rate) say(`新增成功，但这段时间短于开奖间隔 ${rate} 秒，不会有期次`);
}

export const gamesHandlers = handlers({
  pageGames: (context, filter) => store.pageGames(context.db, atOf(context), filter),
  listGames: (context) => store.listGames(context.db, atOf(context)),
  getGameDependents: async ({ db, now }, { id }) => {
    if (!(await store.findGame(db, id))) throw new Refusal('recordNotFound');
    return { ...(await countDependents(db, id)), begun: await hasBegunPlans(db, id, now) };
  },

  addGame: async (context, { timeRanges = [], numbers = [], ...given }) => {
    const { db, now } = context;
    const { phaseRule = 'RUNNING', status = false, betStatus = false, introduce = null } = given;
    const resultRule = keptRule(given.resultRule) ?? null;
    demandRangesFit(timeRanges, given.stopBetSecond, 'timeRanges');
    const phase = given.phase ?? firstPhase({ ...given, phaseRule, timeRanges }, atOf(context));
    const game = { ...given, phase, phaseRule, status, betStatus, introduce, resultRule, phaseTime: now };
    const { id } = await added(db, 'game', game);
    await replaceRanges(db, id, timeRanges);
    await replaceNumbers(db, id, numbers);
    return id;
  },

  updateGame: async (context, { id, version, timeRanges, numbers, phase, introduce = null, ...fields }) => {
    const { db, now, config } = context;
    let former: ResultRule | null = null;
    const change = async (before: Row<'game'>) => {
      former = before.resultRule;
      const ranges = timeRanges ?? (await listRanges(db, [id]));
      demandRangesFit(ranges, fields.stopBetSecond, timeRanges ? 'timeRanges' : 'stopBetSecond');
      const anchor = phase === undefined ? await phaseNow(context, id) : { phase, phaseTime: now };
      const resultRule = keptRule(fields.resultRule);
      if (resultRule && !isDeepStrictEqual(former, resultRule)) await demandLocalDrawsFit(db, id, resultRule);
      return { ...fields, introduce, resultRule, ...anchor };
    };
    const shown = async (row: Row<'game'>) => (await store.findShownGame(db, atOf(context), id)) ?? row;
    const { resultRule } = await tellingOfPlans(context, id, '修改成功', async () => {
      const row = await changed(db, 'game', { id, version }, change, shown);
      if (timeRanges) await replaceRanges(db, id, timeRanges);
      return row;
    });
    if (numbers) await replaceNumbers(db, id, numbers);
    if (!isDeepStrictEqual(former, resultRule)) {
      await demandPromisesFit(db, id, 'resultRule');
      await demandRuleStillJudged(db, id, [former, resultRule], dayOf(now.getTime() / 1000, config.timeZone));
    }
    return id;
  },

  deleteGame: async ({ db, now, remark }, { id }) => {
    await locked(db, 'game', id, 'removal');
    const dependents = await countDependents(db, id);
    if (dependents.records > 0) throw new Refusal('gameHasDraws');
    if (await hasBegunPlans(db, id, now)) throw new Refusal('gameHasBets');
    await deletePartsOf(db, id);
    remark({ before: { ...(await removed(db, 'game', id)), ...dependents } });
    return true as const;
  },

  updateGamePhase: async (context, { id, phase }) => {
    const { db, now, say } = context;
    const set = () => changed(db, 'game', { id }, { phase, phaseTime: now });
    await tellingOfPlans(context, id, '修改成功', set);
    const { phase: shown } = await phaseNow(context, id);
    if (shown !== phase) say(`修改成功，当前期号仍按期号规则推算为 ${shown}：所填的期号只决定位数`);
    return true as const;
  },
  // A switch is told apart from its neighbour, and from what it stood at before, by what it says.
  changeGameStatus: async ({ db, say }, { id, status }) => {
    const { name } = await changed(db, 'game', { id }, { status });
    say(`游戏“${name}”已${status ? '启用' : '停用'}`);
    return true as const;
  },
  changeGameBetStatus: async ({ db, say }, { id, betStatus }) => {
    const { name } = await changed(db, 'game', { id }, { betStatus });
    say(`游戏“${name}”已${betStatus ? '开放' : '关闭'}投注`);
    return true as const;
  },

  // What is counted up to now is counted by the schedule as it was.
  addBetTimeRange: async (context, { gameId, ...range }) => {
    const { db, remark } = context;
    remark({ targetId: gameId });
    const game = await locked(db, 'game', gameId);
    const present = await listRanges(db, [gameId]);
    demandRangesFit([range, ...present], game.stopBetSecond, 'start');
    const anchor = await phaseNow(context, game.id);
    if (present.length === 0) tellReckonedPhase(context, game, range);
    tellTooShort(context, game, range);
    return tellingOfPlans(context, gameId, '新增成功', async () => {
      const id = await addRange(db, gameId, range);
      await changed(db, 'game', game, anchor);
      return id;
    });
  },

  deleteBetTimeRange: async (context, { id }) => {
    const { db, remark } = context;
    const range = await findRange(db, id);
    if (!range) throw new Refusal('recordNotFound');
    const game = await locked(db, 'game', range.gameId);
    // What was done to a game is looked for by its number, not by that of its betting time.
    remark({ targetId: game.id });
    const anchor = await phaseNow(context, game.id);
    return tellingOfPlans(context, game.id, '删除成功', async () => {
      await removed(db, 'bet_time_range', id);
      await changed(db, 'game', game, anchor);
      return true as const;
    });
  },
});
