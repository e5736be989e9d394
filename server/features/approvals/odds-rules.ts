import { sql } from 'kysely';
import type { PlayWay } from '#contract/play-ways.ts';
import type { Db } from '#server/db/database.ts';
import type { RowNote } from '#server/db/rows.ts';
import type { ApprovalRule } from '#server/http/handler.ts';
import { compareOdds } from '../bets/lowest.ts';
import { withReturns } from '../play-ways/play-rules.ts';
import { pagePlayWays } from '../play-ways/play-way-store.ts';

/** What of a row decides what a bet returns. */
const deciding: Readonly<Record<string, readonly string[]>> = {
  odds: ['playWayId', 'numberId', 'odds'],
  play_way: ['betLatitudeId', 'selection', 'oddsFrom', 'outcomes'],
  bet_latitude: ['resultIndex', 'resultHandlerName', 'handlerOptions'],
  game: ['resultRule'],
  game_number: ['number'],
};

/** Whether a change may make bets return more; taking a row away never does. */
const decides = ({ table, before, after }: RowNote): boolean =>
  after !== undefined &&
  (deciding[table] ?? []).some(
    (name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );

/** The play ways whose returns the changes decide. */
async function affected(db: Db, rows: readonly RowNote[]): Promise<PlayWay[]> {
  const changed = rows.filter(decides);
  const among = (table: string, field = 'id') =>
    changed.filter((note) => note.table === table).map(({ after }) => Number(after?.[field]));
  const found = await db
    .selectFrom('play_way')
    .select('gameId')
    .select(({ fn }) => fn.agg<number[]>('array_agg', ['id']).as('ids'))
    .where((is) =>
      is.or([
        is('id', '=', is.fn.any(is.val([...among('odds', 'playWayId'), ...among('play_way')]))),
        is('betLatitudeId', '=', is.fn.any(is.val(among('bet_latitude')))),
        is('gameId', '=', is.fn.any(is.val([...among('game'), ...among('game_number', 'gameId')]))),
      ]),
    )
    .groupBy('gameId')
    .execute();
  const { rows: days } = await sql<{ today: string }>`select current_date::text as today`.execute(db);
  const lists = await Promise.all(
    found.map(async ({ gameId, ids }) => {
      const { data } = await pagePlayWays(db, { gameId, currentPage: 1, pageSize: 9_999 });
      return withReturns(
        data.filter(({ id }) => ids.includes(id)),
        days[0]?.today ?? '',
      );
    }),
  );
  return lists.flat();
}

/** The first row of a play way by which players win on average, and why that is so. */
function losing({ name, odds, outcomes, returnRate, margin }: PlayWay): string | undefined {
  const rows = [
    ...odds.map(({ number, returnRate: rate }) => ({ number, rate })),
    ...outcomes.map((outcome) => ({ number: outcome.name, rate: outcome.returnRate })),
  ];
  const row = rows.find(({ rate }) => rate !== null && compareOdds(rate, '1') > 0);
  if (row) return `玩法“${name}”的“${row.number}”返还率 ${row.rate}，高于 1`;
  // Where no chance can be told, a complete set of numbers still tells whether the house loses on it.
  if (returnRate === null && margin !== null && compareOdds(margin, '1') < 0)
    return `玩法“${name}”的赔率倒数和 ${margin}，低于 1`;
  return undefined;
}

/** Without its rule nobody can tell any more what the odds of a game return, those that are changed next included. */
const unruled = ({ table, before, after }: RowNote): boolean =>
  table === 'game' && Boolean(before?.resultRule) && after !== undefined && !after.resultRule;

/** Odds by which the house loses on average, whichever way they come about, or of which that cannot be told any more. */
export const returnAboveOne: ApprovalRule = async (db) => async (rows) =>
  rows.some(unruled)
    ? '取消“开奖结果”之后，返还率无从得知'
    : (await affected(db, rows)).map(losing).find((why) => why !== undefined);
