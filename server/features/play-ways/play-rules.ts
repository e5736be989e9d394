import type { PlayWay } from '#contract/play-ways.ts';
import type { Db } from '#server/db/database.ts';
import { paceOfAll } from '#server/pace.ts';
import { findBetLatitudes } from '../bet-latitudes/bet-latitude-store.ts';
import { type OddsRow, type Play, type PlayRules, playOf, rowsOf } from '../bets/play.ts';
import { type Returns, returnsOf } from '../bets/returns.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import type { PlayWayRow, PlayWayWithOdds } from './play-way-store.ts';

/** The play of these rules; nothing for a latitude that reads nothing, of which its own screen says why. */
function ifPlayable(rules: PlayRules): Play | undefined {
  try {
    return playOf(rules);
  } catch (error) {
    if (error instanceof Unreadable || (error instanceof Error && error.name === 'ZodError'))
      return undefined;
    throw error;
  }
}

const NOTHING: Returns = { rows: [], best: null };

/** What a play way returns; nothing where it reads nothing. */
export function returnsIf(rules: PlayRules, date: string): Returns {
  const play = ifPlayable(rules);
  return play ? returnsOf(play, date) : NOTHING;
}

/** What these rows of a play way would return on a day. */
export async function returnsOfRow(
  db: Db,
  { gameId, betLatitudeId, selection, oddsFrom }: PlayWayRow,
  rows: readonly OddsRow[],
  date: string,
): Promise<Returns> {
  const latitude = (await findBetLatitudes(db, [betLatitudeId])).get(betLatitudeId);
  if (!latitude) return NOTHING;
  return returnsIf({ latitude, selection, oddsFrom, rows, resultRule: await resultRuleOf(db, gameId) }, date);
}

const pace = paceOfAll();

/** Play ways with what every row of theirs returns on a day. */
export async function withReturns(playWays: readonly PlayWayWithOdds[], date: string): Promise<PlayWay[]> {
  const breathe = pace();
  const told: PlayWay[] = [];
  for (const { reading, ...playWay } of playWays) {
    const { selection, oddsFrom, odds, outcomes } = playWay;
    const rules = { selection, oddsFrom, rows: rowsOf(playWay, odds) };
    const returns = reading
      ? returnsIf({ ...rules, latitude: reading, resultRule: reading.resultRule }, date)
      : NOTHING;
    const returned = new Map(returns.rows.map((row) => [row.number, row.returned]));
    told.push({
      ...playWay,
      odds: odds.map((each) => ({ ...each, returnRate: returned.get(each.number) ?? null })),
      outcomes: outcomes.map((each) => ({ ...each, returnRate: returned.get(each.name) ?? null })),
      returnRate: returns.best,
    });
    await breathe();
  }
  return told;
}
