import { type Context, handlers } from '#server/http/handler.ts';
import { Refusal } from '#server/refusal.ts';
import { replaceNumbers } from '../game-numbers/replace-numbers.ts';
import { deleteRange, findRange, insertRange, listRanges, replaceRanges } from './bet-time-range-store.ts';
import { currentPhase } from './current-phase.ts';
import { firstPhase } from './first-phase.ts';
import { countDependents, deleteGameWithParts, hasBegunPlans } from './game-dependents.ts';
import { demandCategory, demandRangesFit, lockedGame } from './game-rules.ts';
import * as store from './game-store.ts';
import { keptRule } from './result-rule.ts';

const nameTaken = () => new Refusal('taken', { field: 'name', values: { what: '游戏名称' } });

const atOf = ({ now, config }: Context) => ({ now, timeZone: config.timeZone });

/**
 * The present phase with its moment. Kept before a schedule changes: phases are counted by the schedule from there, and
 * those of the past must not be counted anew by slots that did not exist.
 */
async function phaseNow(context: Context, game: store.GameRow) {
  const ranges = await listRanges(context.db, [game.id]);
  return { phase: currentPhase(game, ranges, atOf(context)), phaseTime: context.now };
}

/** Changes some columns of a game and says so in the change record. */
async function change(context: Context, id: number, changes: Parameters<typeof store.updateGame>[2]) {
  const before = await lockedGame(context.db, id);
  await store.updateGame(context.db, id, changes);
  context.remark({ before, after: { ...before, ...changes } });
  return true as const;
}

export const gamesHandlers = handlers({
  pageGames: (context, filter) => store.pageGames(context.db, atOf(context), filter),
  listGames: (context) => store.listGames(context.db, atOf(context)),
  getGameDependents: async ({ db }, { id }) => {
    if (!(await store.findGame(db, id))) throw new Refusal('recordNotFound');
    return countDependents(db, id);
  },

  addGame: async (context, { timeRanges = [], numbers = [], ...given }) => {
    const { db, now, remark } = context;
    const { phaseRule = 'RUNNING', status = false, betStatus = false, introduce = null } = given;
    const resultRule = keptRule(given.resultRule) ?? null;
    await demandCategory(db, given.categoryId);
    demandRangesFit(timeRanges, given.stopBetSecond, 'timeRanges');
    const phase = given.phase ?? firstPhase({ ...given, phaseRule, timeRanges }, atOf(context));
    const game = { ...given, phase, phaseRule, status, betStatus, introduce, resultRule, phaseTime: now };
    const id = await store.insertGame(db, game);
    if (id === undefined) throw nameTaken();
    await replaceRanges(db, id, timeRanges);
    await replaceNumbers(db, id, numbers);
    remark({ targetId: id, after: { id, ...game } });
    return id;
  },

  updateGame: async (context, { id, timeRanges, numbers, phase, ...fields }) => {
    const { db, now, remark } = context;
    const before = await lockedGame(db, id);
    await demandCategory(db, fields.categoryId);
    const namesake = await store.findGameByName(db, fields.name);
    if (namesake && namesake.id !== id) throw nameTaken();
    const ranges = timeRanges ?? (await listRanges(db, [id]));
    demandRangesFit(ranges, fields.stopBetSecond, timeRanges ? 'timeRanges' : 'stopBetSecond');
    const counted = await phaseNow(context, before);
    const anchor = phase === undefined ? counted : { phase, phaseTime: now };
    const rule = keptRule(fields.resultRule);
    const resultRule = rule === undefined ? before.resultRule : rule;
    const after = { ...fields, introduce: fields.introduce ?? null, resultRule, ...anchor };
    await store.updateGame(db, id, after);
    if (timeRanges) await replaceRanges(db, id, timeRanges);
    if (numbers) await replaceNumbers(db, id, numbers);
    remark({ before, after: { ...before, ...after } });
    return id;
  },

  deleteGame: async ({ db, now, remark }, { id }) => {
    const before = await lockedGame(db, id);
    const dependents = await countDependents(db, id);
    if (dependents.records > 0) throw new Refusal('gameHasDraws');
    if (await hasBegunPlans(db, id, now)) throw new Refusal('gameHasBets');
    await deleteGameWithParts(db, id);
    remark({ before: { ...before, ...dependents } });
    return true as const;
  },

  updateGamePhase: (context, { id, phase }) => change(context, id, { phase, phaseTime: context.now }),
  changeGameStatus: (context, { id, status }) => change(context, id, { status }),
  changeGameBetStatus: (context, { id, betStatus }) => change(context, id, { betStatus }),

  addBetTimeRange: async (context, { gameId, ...range }) => {
    const { db, remark } = context;
    const game = await lockedGame(db, gameId);
    demandRangesFit([range, ...(await listRanges(db, [gameId]))], game.stopBetSecond, 'start');
    await store.updateGame(db, gameId, await phaseNow(context, game));
    const id = await insertRange(db, gameId, range);
    remark({ targetId: id, after: { id, gameId, ...range } });
    return id;
  },

  deleteBetTimeRange: async (context, { id }) => {
    const { db, remark } = context;
    const before = await findRange(db, id);
    if (!before) throw new Refusal('recordNotFound');
    const game = await lockedGame(db, before.gameId);
    await store.updateGame(db, game.id, await phaseNow(context, game));
    await deleteRange(db, id);
    remark({ before });
    return true as const;
  },
});
