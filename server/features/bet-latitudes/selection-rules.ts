import type { OutcomeOdds } from '#contract/play-ways.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { wrong } from '#server/refusal.ts';
import { lengthOf } from '../bets/draw-space.ts';
import { partsOfRule, poolOf } from '../bets/selection.ts';
import { holdGameNumbers, listGameNumbersByGame } from '../game-numbers/game-number-store.ts';
import { findResultHandler } from '../result-handlers/registry.ts';
import type { ResultHandler, Units } from '../result-handlers/result-handler.ts';

/** What of a play way has to fit its game and its latitude. */
interface Entered {
  readonly name: string;
  readonly selection: SelectionRule | null;
  readonly oddsFrom: OddsFrom;
  readonly outcomes: readonly OutcomeOdds[];
}

interface Latitude {
  readonly gameId: number;
  readonly resultIndex: string;
  readonly resultHandlerName: string;
  readonly handlerOptions: string | null;
}

/** Numbers must be the game's own, and enough of them for a unit. */
function demandPools(selection: SelectionRule, known: ReadonlySet<string>): void {
  const stranger = poolOf(selection).find((number) => !known.has(number));
  if (stranger !== undefined) throw wrong('selection', `选号方式的号码 ${stranger} 不是该游戏的号码`);
  if (partsOfRule(selection).some(({ choose, pool }) => choose > pool.length))
    throw wrong('selection', '选号方式的选择个数多于可选号码');
}

/** A unit is judged position by position, or by groups of positions: there must be as many as it wants. */
function demandPositions(selection: SelectionRule, positions: number | undefined, units: Units | null): void {
  const groups = units?.groups ?? [];
  if (
    positions !== undefined &&
    groups.length > 0 &&
    groups.reduce((sum, size) => sum + size, 0) !== positions
  )
    throw wrong('selection', `投注维度的分组与它的 ${positions} 个位置不符`);
  if (selection.kind === 'TICKET' && Math.max(1, groups.length) !== selection.parts.length)
    throw wrong('selection', '选号方式的部分须与投注维度的分组一样多');
  if (positions === undefined) return;
  if (selection.kind === 'PLACES' && selection.places !== positions)
    throw wrong('selection', `选号方式的位数须与投注维度的 ${positions} 个位置一样多`);
  if (selection.kind !== 'GROUP') return;
  const wanted = selection.parts.reduce((sum, { repeat, choose }) => sum + repeat * choose, 0);
  if (wanted > positions) throw wrong('selection', `选号方式的号码多于投注维度的 ${positions} 个位置`);
}

function demandSource({ selection, oddsFrom }: Entered, units: Units | null): void {
  if (selection === null) {
    if (oddsFrom !== 'NUMBER') throw wrong('oddsFrom', '单个号码的赔率来源须为号码自己的赔率');
    return;
  }
  if (oddsFrom === 'NUMBER') throw wrong('oddsFrom', '多个号码的选号方式，赔率来源须为中奖结果或最低赔率');
  if (oddsFrom === 'OUTCOME') return;
  if (selection.kind !== 'COMBINATION' || units?.outcomes !== null || units.counts !== 'NUMBERS')
    throw wrong('oddsFrom', '最低赔率只能用于只有中与不中的组合选号');
}

function demandOutcomes({ name, oddsFrom, outcomes }: Entered, units: Units | null): void {
  if (outcomes.length === 0) return;
  if (oddsFrom !== 'OUTCOME') throw wrong('outcomes', '只有赔率来源为中奖结果的玩法才有中奖结果赔率');
  const wanted = units?.outcomes ?? [name];
  const names = outcomes.map((each) => each.name);
  const stranger = names.find((each) => !wanted.includes(each));
  if (stranger !== undefined) throw wrong('outcomes', `没有中奖结果“${stranger}”，须为 ${wanted.join('、')}`);
  const twice = names.find((each, place) => names.indexOf(each) < place);
  if (twice !== undefined) throw wrong('outcomes', `中奖结果“${twice}”重复`);
  const missing = wanted.filter((each) => !names.includes(each));
  if (missing.length > 0) throw wrong('outcomes', `还缺中奖结果 ${missing.join('、')} 的赔率`);
}

const kindWords = { SINGLE: '单个号码', COMBINATION: '组合', PLACES: '按位', GROUP: '组选', TICKET: '分区' };

function demandHandler(handler: ResultHandler, selection: SelectionRule | null): void {
  const kind = selection?.kind ?? 'SINGLE';
  if (handler.judges.includes(kind)) return;
  const words = handler.judges.map((each) => kindWords[each]).join('、');
  throw wrong('selection', `${handler.title}只能用于${words}选号，不能用于${kindWords[kind]}`);
}

/** Until the transaction ends nobody renames or removes the numbers that a selection names. */
export const holdPools = (db: Db, selection: SelectionRule | null, gameId: number): Promise<void> =>
  selection ? holdGameNumbers(db, gameId, poolOf(selection)) : Promise.resolve();

/** Refuses a play way whose selection does not fit its game, its latitude or its rows of odds, at the field. */
export async function demandFits(
  db: Db,
  entered: Entered,
  latitude: Latitude,
  rule: ResultRule | null,
): Promise<void> {
  const handler = findResultHandler(latitude.resultHandlerName);
  const { selection } = entered;
  if (!handler) return;
  demandHandler(handler, selection);
  const units = handler.units(latitude.handlerOptions ? JSON.parse(latitude.handlerOptions) : {});
  demandSource(entered, units);
  demandOutcomes(entered, units);
  if (selection === null) return;
  const numbers = await listGameNumbersByGame(db, latitude.gameId);
  demandPools(selection, new Set(numbers.map(({ number }) => number)));
  const all = rule ? lengthOf(rule) : undefined;
  const positions = latitude.resultIndex === '*' ? all : latitude.resultIndex.split(',').length;
  demandPositions(selection, positions, units);
}

/** Refuses odds for numbers that a play way takes no odds for. */
export function demandNumbersFit(
  { selection, oddsFrom }: Pick<Entered, 'selection' | 'oddsFrom'>,
  numbers: readonly { readonly number: string }[],
): void {
  if (oddsFrom === 'OUTCOME') throw wrong('numberIds', '该玩法的赔率按中奖结果设置，请编辑玩法');
  const pool = selection && new Set(poolOf(selection));
  const stranger = pool && numbers.find(({ number }) => !pool.has(number));
  if (stranger) throw wrong('numberIds', `号码 ${stranger.number} 不在该玩法的可选号码内`);
}
