import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import type { Row } from '#server/db/rows.ts';
import { Refusal, wrong } from '#server/refusal.ts';
import { lengthOf } from '../bets/draw-space.ts';
import { neverDrawn } from '../bets/never-drawn.ts';
import { type Play, playOf } from '../bets/play.ts';
import { returnsOf } from '../bets/returns.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import {
  holdReadGame,
  type JudgedPlayWay,
  listBetLatitudes,
  playWaysJudgedBy,
} from './bet-latitude-store.ts';
import { lastPosition } from './latitude-rules.ts';
import { demandFits } from './selection-rules.ts';

type Latitude = Pick<Row<'bet_latitude'>, 'gameId' | 'resultIndex' | 'resultHandlerName' | 'handlerOptions'>;

/** What a play way is judged by. */
interface Ground {
  readonly latitude: Latitude;
  readonly resultRule: ResultRule | null;
}

/** The field whose change makes a latitude read otherwise; nothing where it reads as before. */
function changedField(before: Latitude, after: Latitude): keyof Latitude | undefined {
  const fields = ['resultHandlerName', 'handlerOptions', 'resultIndex'] as const;
  return fields.find((field) => before[field] !== after[field]);
}

/** What no draw can bring: rows that would be bet on in vain, and numbers that would be chosen in vain. */
function neverWon(play: Play, date: string): Set<string> {
  const rows = returnsOf(play, date).rows.filter(({ chance }) => chance?.won === 0n);
  return new Set([...rows.map(({ number }) => number), ...neverDrawn(play, date)]);
}

/** Why a play way could no longer be judged; nothing where it can. */
async function objection(
  db: Db,
  playWay: JudgedPlayWay,
  [before, after]: readonly [Ground, Ground],
  date: string,
): Promise<string | undefined> {
  const { selection, oddsFrom, rows } = playWay;
  const never = (ground: Ground) => neverWon(playOf({ ...ground, selection, oddsFrom, rows }), date);
  try {
    await demandFits(db, playWay, after.latitude, after.resultRule);
    const lost = [...never(after)];
    if (lost.length === 0) return undefined;
    const formerly = never(before);
    const first = lost.find((number) => !formerly.has(number));
    return first === undefined ? undefined : `${first} 再也不会中奖`;
  } catch (error) {
    if (error instanceof Refusal || error instanceof Unreadable) return error.message;
    throw error;
  }
}

/**
 * Refuses a change of a latitude by which one of its play ways could no longer be judged, at the field that was changed. `date` is the day
 * whose animals count.
 */
export async function demandStillJudges(
  db: Db,
  before: Latitude & { readonly id: number },
  after: Latitude,
  date: string,
): Promise<void> {
  const field = changedField(before, after);
  if (!field) return;
  const resultRule = (await holdReadGame(db, before.gameId))?.resultRule ?? null;
  const grounds = [
    { latitude: before, resultRule },
    { latitude: after, resultRule },
  ] as const;
  for (const playWay of await playWaysJudgedBy(db, before.id)) {
    const reason = await objection(db, playWay, grounds, date);
    if (reason !== undefined) throw wrong(field, `改后玩法“${playWay.name}”不能再判定：${reason}`);
  }
}

/**
 * Refuses another rule of what a game's result is by which one of its latitudes would look beyond the result, or one of its play ways could
 * no longer be judged. To be asked once the rule and the numbers of the game are written, while nobody else can change them.
 */
export async function demandRuleStillJudged(
  db: Db,
  gameId: number,
  [before, after]: readonly [ResultRule | null, ResultRule | null],
  date: string,
): Promise<void> {
  for (const latitude of await listBetLatitudes(db, gameId)) {
    const last = lastPosition(latitude);
    if (after && last > lengthOf(after))
      throw wrong(
        'resultRule',
        `改后投注维度“${latitude.name}”看第 ${last} 个位置，而结果只有 ${lengthOf(after)} 个号码`,
      );
    const grounds = [
      { latitude, resultRule: before },
      { latitude, resultRule: after },
    ] as const;
    for (const playWay of await playWaysJudgedBy(db, latitude.id)) {
      const reason = await objection(db, playWay, grounds, date);
      if (reason !== undefined) throw wrong('resultRule', `改后玩法“${playWay.name}”不能再判定：${reason}`);
    }
  }
}
