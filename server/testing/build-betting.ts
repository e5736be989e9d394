import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { WireInput } from '#contract/endpoint.ts';
import type { placeBet } from '#contract/platform-bets.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { SelectionRule } from '#contract/selections.ts';
import type { Db } from '#server/db/database.ts';
import { buildGame } from './build-game.ts';
import { buildUser } from './build-user.ts';

export const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
const stars: SelectionRule = { kind: 'PLACES', places: 3, of: digits };

interface BettingOptions {
  /** Seconds from now to the beginning and end of the phase that is open. */
  from?: number;
  to?: number;
  stopBetSecond?: number;
  phase?: string;
  balance?: string;
}

/** A game that takes bets, with a phase that is open and a player who has money. */
export interface Betting {
  readonly gameId: number;
  readonly phase: string;
  readonly planId: number;
  readonly userId: number;
  /** 大 and 小 of the sum, at 1.98. */
  readonly bigSmall: number;
  /** The first three digits in their order, at 900. */
  readonly threeStars: number;
}

/** Adds a phase of a game, its times in seconds from now. */
export async function addPhase(
  db: Db,
  gameId: number,
  phase: string,
  from: number,
  to: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into draw_plan ("gameId", phase, "startTime", "endTime")
    values (${gameId}, ${phase}, clock_timestamp() + ${from} * interval '1 second', clock_timestamp() + ${to} * interval '1 second')
    returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

/** Lets the betting of a game close so many seconds before each draw, as though it had always done so. */
export async function closeBefore(db: Db, gameId: number, seconds: number): Promise<void> {
  await sql`update game set "stopBetSecond" = ${seconds} where id = ${gameId}`.execute(db);
  await sql`delete from former_stop where "gameId" = ${gameId}`.execute(db);
}

/** Adds a way to bet to a game, with odds by number. Answers its id. */
export async function addPlayWay(
  db: Db,
  gameId: number,
  {
    name,
    latitude,
    selection,
    odds,
  }: {
    name: string;
    latitude: { name: string; resultIndex: string; handler: string; options?: object };
    selection: SelectionRule | null;
    odds: Readonly<Record<string, string>>;
  },
): Promise<number> {
  const outcomes = selection
    ? Object.entries(odds).map(([outcome, each]) => ({ name: outcome, odds: each }))
    : [];
  const { rows } = await sql<{ id: number }>`
    with top as (
      insert into play_way_category ("gameId", name, "countOfRows") values (${gameId}, ${`${name}类`}, 4) returning id
    ), sub as (
      insert into play_way_category ("gameId", "parentCategoryId", name, "countOfRows") select ${gameId}, id, ${`${name}组`}, 4 from top
      returning id
    ), latitude as (
      insert into bet_latitude ("gameId", name, "resultIndex", "resultHandlerName", "handlerOptions")
      values (${gameId}, ${latitude.name}, ${latitude.resultIndex}, ${latitude.handler},
        ${latitude.options ? JSON.stringify(latitude.options) : null}) returning id
    )
    insert into play_way ("gameId", "subCategoryId", "betLatitudeId", name, selection, "oddsFrom", outcomes)
    select ${gameId}, sub.id, latitude.id, ${name}, ${selection && JSON.stringify(selection)}::jsonb,
      ${selection ? 'OUTCOME' : 'NUMBER'}, ${JSON.stringify(outcomes)}::jsonb from sub, latitude
    returning id`.execute(db);
  const id = rows[0]?.id ?? 0;
  if (!selection)
    await sql`
      insert into odds ("playWayId", "numberId", odds)
      select ${id}, n.id, x.value::numeric from game_number n join jsonb_each_text(${JSON.stringify(odds)}::jsonb) as x on x.key = n.number
      where n."gameId" = ${gameId} order by n.id`.execute(db);
  return id;
}

/** Has a game take bets, on results of this rule. */
export const takeBets = (db: Db, gameId: number, resultRule: ResultRule) =>
  sql`update game set "betStatus" = true, "resultRule" = ${JSON.stringify(resultRule)}::jsonb where id = ${gameId}`.execute(
    db,
  );

/** Has a game of five digits take bets on whether their sum is big or small; gives the play way. */
export async function betOnBigSmall(db: Db, gameId: number): Promise<number> {
  await takeBets(db, gameId, { parts: [{ count: 5, of: digits, repeat: true, ordered: true }] });
  return addPlayWay(db, gameId, {
    name: '总和大小',
    latitude: { name: '总和', resultIndex: '*', handler: 'SumBigSmallHandler' },
    selection: null,
    odds: { 大: '1.98', 小: '1.98' },
  });
}

/** Makes a game that takes bets now. */
export async function buildBetting(db: Db, options: BettingOptions = {}): Promise<Betting> {
  const { from = -60, to = 3_600, stopBetSecond = 2, phase = '1000', balance = '1000' } = options;
  const gameId = await buildGame(db, { stopBetSecond, numbers: ['大', '小'], openRate: 300 });
  const bigSmall = await betOnBigSmall(db, gameId);
  const threeStars = await addPlayWay(db, gameId, {
    name: '前三直选',
    latitude: { name: '前三', resultIndex: '0,1,2', handler: 'ValueHandler' },
    selection: stars,
    odds: { 前三直选: '900' },
  });
  const planId = await addPhase(db, gameId, phase, from, to);
  const { userId } = await buildUser(db, { balance });
  return { gameId, phase, planId, userId, bigSmall, threeStars };
}

export type WantedBet = WireInput<typeof placeBet>;

/** A slip of 10 on 大, under a number of its own. */
export const slipOn = (
  { userId, gameId, phase, bigSmall }: Betting,
  rest: Partial<WantedBet> = {},
): WantedBet => ({
  ...{ userId, gameId, phase, bizNo: randomUUID() },
  lines: [{ playWayId: bigSmall, selection: '大', unitStake: '10' }],
  ...rest,
});

/** How many slips there are on a game. */
export async function slipsOf(db: Db, { gameId }: Betting): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from slip where "gameId" = ${gameId}`.execute(db);
  return rows[0]?.n ?? -1;
}
