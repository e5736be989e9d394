import type { Db } from '#server/db/database.ts';
import type { Row } from '#server/db/rows.ts';
import { Refusal } from '#server/refusal.ts';
import { type Play, playOf } from '../bets/play.ts';
import { returnsOf } from '../bets/returns.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { type JudgedPlayWay, playWaysJudgedBy } from './bet-latitude-store.ts';
import { demandFits } from './selection-rules.ts';

type Latitude = Pick<Row<'bet_latitude'>, 'gameId' | 'resultIndex' | 'resultHandlerName' | 'handlerOptions'>;

/** The field whose change makes a latitude read otherwise; nothing where it reads as before. */
function changedField(before: Latitude, after: Latitude): keyof Latitude | undefined {
  const fields = ['resultHandlerName', 'handlerOptions', 'resultIndex'] as const;
  return fields.find((field) => before[field] !== after[field]);
}

/** What no draw can bring: rows that would be bet on in vain. */
function neverWon(play: Play, date: string): Set<string> {
  const { rows } = returnsOf(play, date);
  return new Set(rows.filter(({ chance }) => chance?.won === 0n).map(({ number }) => number));
}

/** Why a play way could no longer be judged by a latitude; nothing where it can. */
async function objection(
  db: Db,
  playWay: JudgedPlayWay,
  [before, after]: readonly [Latitude, Latitude],
  date: string,
): Promise<string | undefined> {
  const { selection, oddsFrom, rows } = playWay;
  const resultRule = await resultRuleOf(db, after.gameId);
  const play = (latitude: Latitude) => playOf({ latitude, selection, oddsFrom, rows, resultRule });
  try {
    await demandFits(db, playWay, after);
    const lost = [...neverWon(play(after), date)];
    if (lost.length === 0) return undefined;
    const never = neverWon(play(before), date);
    const first = lost.find((number) => !never.has(number));
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
  for (const playWay of await playWaysJudgedBy(db, before.id)) {
    const reason = await objection(db, playWay, [before, after], date);
    if (reason === undefined) continue;
    const message = `改后玩法“${playWay.name}”不能再判定：${reason}`;
    throw new Refusal('invalid', { field, values: { message } });
  }
}
