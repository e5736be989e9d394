import { sql } from 'kysely';
import type { OutcomeOdds, PlayWay } from '#contract/play-ways.ts';
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

/** Whether one of these columns is another than it was. */
const differs = ({ before, after }: RowNote, names: readonly string[]): boolean =>
  names.some((name) => JSON.stringify(before?.[name] ?? null) !== JSON.stringify(after?.[name] ?? null));

/** Whether a change may make bets return more; taking a row away never does. */
const decides = (note: RowNote): boolean =>
  note.after !== undefined && differs(note, deciding[note.table] ?? []);

/** The play ways whose returns the changes decide. */
async function affected(db: Db, changed: readonly RowNote[]): Promise<PlayWay[]> {
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

/** A row that a play way pays by, and what it returns; null where that cannot be told. */
interface Row {
  readonly playWay: PlayWay;
  readonly number: string;
  readonly numberId?: number;
  readonly odds: string;
  readonly rate: string | null;
}

const rowsOf = (playWay: PlayWay): Row[] =>
  playWay.oddsFrom === 'OUTCOME'
    ? playWay.outcomes.map(({ name: number, odds, returnRate: rate }) => ({ playWay, number, odds, rate }))
    : playWay.odds.map(({ number, numberId, odds, returnRate: rate }) => ({
        ...{ playWay, number, numberId, odds, rate },
      }));

/** Whether another way of reading results may have made any row of a play way come more often. */
const readsOtherwise = ({ id, betLatitudeId, gameId }: PlayWay, note: RowNote): boolean =>
  (note.table === 'play_way' &&
    note.id === id &&
    differs(note, ['betLatitudeId', 'selection', 'oddsFrom'])) ||
  (note.table === 'bet_latitude' && note.id === betLatitudeId) ||
  // A rule where there was none tells chances, or no fewer than before.
  (note.table === 'game' && note.id === gameId && Boolean(note.before?.resultRule));

/** What an outcome paid; one that bears its play way's name is the same under another name of that. */
function paidBefore({ before, after }: RowNote, name: string): string | undefined {
  const outcomes: readonly OutcomeOdds[] = Array.isArray(before?.outcomes) ? before.outcomes : [];
  const former = name === after?.name ? before?.name : name;
  return outcomes.find((each) => each.name === former)?.odds;
}

/** Whether a change lets a row pay more than it did, or by what it did not pay for. */
function raises({ playWay, number, numberId, odds }: Row, note: RowNote): boolean {
  const { table, id, before, after } = note;
  if (table === 'game_number') return id === numberId;
  if (table === 'odds')
    return (
      [after?.playWayId === playWay.id, after?.numberId === numberId].every(Boolean) &&
      (differs(note, ['playWayId', 'numberId']) || compareOdds(odds, String(before?.odds)) > 0)
    );
  if (table !== 'play_way' || id !== playWay.id || numberId !== undefined) return false;
  const paid = paidBefore(note, number);
  return paid === undefined || compareOdds(odds, paid) > 0;
}

/**
 * Whether it cannot be told what the best bet on a row returns. Of numbers that are chosen together some may never decide what is paid, and
 * have no return of their own.
 */
const isUnknown = ({ playWay, rate }: Row): boolean =>
  (playWay.selection === null ? rate : playWay.returnRate) === null;

interface Telling<T> {
  readonly all: readonly T[];
  readonly isMore: (one: T, other: T) => boolean;
  readonly alone: (most: T) => string;
  readonly most: (most: T) => string;
}

/** Names the one that matters most, and how many there are. */
function telling<T>({ all, isMore, alone, most }: Telling<T>): string[] {
  const [first] = all;
  if (first === undefined) return [];
  const found = all.reduce((best, each) => (isMore(each, best) ? each : best), first);
  return [all.length === 1 ? alone(found) : most(found)];
}

const named = ({ playWay, number }: Row): string => `玩法“${playWay.name}”的“${number}”`;

/** Odds by which players win on average, or by which nobody can say whether they do. */
function losing(playWays: readonly PlayWay[], changes: readonly RowNote[]): string | undefined {
  const rows = playWays.flatMap(rowsOf);
  const above = rows.filter(({ rate }) => rate !== null && compareOdds(rate, '1') > 0);
  const unknown = rows.filter(
    (row) => isUnknown(row) && changes.some((note) => readsOtherwise(row.playWay, note) || raises(row, note)),
  );
  // Where no chance can be told, a complete set of numbers still tells when the house loses on it.
  const short = playWays.flatMap(({ name, returnRate, margin }) =>
    returnRate === null && margin !== null && compareOdds(margin, '1') < 0 ? [{ name, margin }] : [],
  );
  const why = [
    ...telling({
      all: above,
      isMore: (one, other) => compareOdds(one.rate ?? '0', other.rate ?? '0') > 0,
      alone: (row) => `${named(row)}返还率 ${row.rate}，高于 1`,
      most: (row) => `${above.length} 个赔率的返还率高于 1，最高的是${named(row)}：${row.rate}`,
    }),
    ...telling({
      all: unknown,
      isMore: (one, other) => compareOdds(one.odds, other.odds) > 0,
      alone: (row) => `${named(row)}赔率 ${row.odds}，无法计算返还率`,
      most: (row) => `${unknown.length} 个赔率无法计算返还率，最高的是${named(row)}：赔率 ${row.odds}`,
    }),
    ...telling({
      all: short,
      isMore: (one, other) => compareOdds(one.margin, other.margin) < 0,
      alone: ({ name, margin }) => `玩法“${name}”的赔率倒数和 ${margin}，低于 1`,
      most: ({ name, margin }) =>
        `${short.length} 个玩法的赔率倒数和低于 1，最低的是玩法“${name}”：${margin}`,
    }),
  ];
  return why.length > 0 ? why.join('；') : undefined;
}

/** Odds by which the house loses on average or may lose unforeseen, whichever way they come about. */
export const returnAboveOne: ApprovalRule = async (db) => async (rows) => {
  const changes = rows.filter(decides);
  return losing(await affected(db, changes), changes);
};
