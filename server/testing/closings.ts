import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { placeBet } from '#contract/platform-bets.ts';
import type { Db } from '#server/db/database.ts';
import { placeSlip } from '#server/features/slips/place-slip.ts';
import { addPhase, type Betting, buildBetting, type WantedBet } from './build-betting.ts';
import { buildBettors } from './build-slips.ts';
import { expectProven } from './ledger-proof.ts';
import type { TestClient } from './test-client.ts';

interface ClosingsOptions {
  readonly games: number;
  /** Phases of five seconds, one after the other, in each game. */
  readonly closings: number;
  readonly clients: number;
}

interface Phase {
  readonly betting: Betting;
  readonly startsAt: number;
  readonly endsAt: number;
}

const DRAW_SECONDS = 5;
/** Betting ends so long before the draw. */
const STOP_SECONDS = 2;
/** The first closing comes so soon, and those of all games so close together. */
const FIRST_SECONDS = 1.5;
const SPREAD_SECONDS = 2;
/** Who holds a slip places it so long before the closing. */
const HELD_MS = 600;
/** Who holds a slip lets go of it so long after the draw. */
const LATE_MS = 300;
/** 64 clients who wait so long make 32,000 bets a minute, and the site may place 36,000. */
const BETWEEN_BETS_MS = 120;

const wantedOn = ({ userId: owner, gameId, phase, bigSmall }: Betting, userId = owner) => ({
  ...{ userId, gameId, phase, bizNo: randomUUID() },
  lines: [{ playWayId: bigSmall, selection: '大', unitStake: '1' }],
});

/** Games whose phases close one after the other, evenly spread over the time that one phase takes. */
async function buildPhases(db: Db, site: TestClient, { games, closings }: ClosingsOptions): Promise<Phase[]> {
  const bettings = await Promise.all(
    Array.from({ length: games }, () =>
      buildBetting(db, {
        stopBetSecond: STOP_SECONDS,
        balance: '100000',
        phase: '1',
        from: -7_200,
        to: -7_000,
      }),
    ),
  );
  // A phase that has long closed lets the server get to know its game, so that the clients find it ready.
  for (const betting of bettings) await site.call(placeBet, wantedOn(betting));
  const phases = bettings.flatMap((betting, game) =>
    Array.from({ length: closings }, async (_, place): Promise<Phase> => {
      const to = STOP_SECONDS + FIRST_SECONDS + place * DRAW_SECONDS + (game * SPREAD_SECONDS) / games;
      const phase = String(100 + place);
      const from = place === 0 ? -60 : to - DRAW_SECONDS;
      await addPhase(db, betting.gameId, phase, from, to);
      const now = Date.now();
      return { betting: { ...betting, phase }, startsAt: now + from * 1000, endsAt: now + to * 1000 };
    }),
  );
  return Promise.all(phases);
}

/** What a settlement sees once it has the lock: these slips, and never another one. */
async function settle(db: Db, { betting: { gameId, phase }, endsAt }: Phase): Promise<number> {
  await sleep(Math.max(0, endsAt - Date.now()));
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(betting_key(${gameId}, ${phase}))`.execute(tx);
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from slip where "gameId" = ${gameId} and phase = ${phase}`.execute(tx);
    return rows[0]?.n ?? 0;
  });
}

/** Sends a slip until it is answered: a server that is too busy to say is asked again, under the same number. */
async function send(site: TestClient, wanted: WantedBet): Promise<string> {
  const { status, envelope } = await site.call(placeBet, wanted);
  if (status !== 503) return envelope.msg ?? '';
  await sleep(50);
  return send(site, wanted);
}

/**
 * Bets on the phases that are open as fast as the site may, one after the other, until one of the clients hears that it is closed: those that are on
 * their way are refused over the closing, and nobody spends the time of the other phases on asking for it again. Tells how many slips were
 * taken.
 */
async function bettor(site: TestClient, open: Set<Phase>, userId: number, first: number): Promise<number> {
  let taken = 0;
  for (let turn = first; open.size > 0; turn++) {
    // Games whose next phase has not begun are left alone: asking for them keeps the others from being bet on.
    const begun = [...open].filter(({ startsAt }) => startsAt <= Date.now());
    const phase = begun[turn % begun.length];
    if (!phase) {
      await sleep(20);
      continue;
    }
    const msg = await send(site, wantedOn(phase.betting, userId));
    if (msg === '操作成功') taken++;
    else if (msg.endsWith('已封盘')) open.delete(phase);
    else if (!msg.endsWith('未开盘')) throw new Error(`refused: ${msg}`);
    await sleep(BETWEEN_BETS_MS);
  }
  return taken;
}

/** Places slips in the last moment and holds them before COMMIT, over the closing and the draw. */
async function holder(db: Db, { betting, endsAt }: Phase): Promise<number> {
  const closesAt = endsAt - STOP_SECONDS * 1000;
  await sleep(Math.max(0, closesAt - HELD_MS - Date.now()));
  return db
    .transaction()
    .execute(async (tx) => {
      await placeSlip(tx, wantedOn(betting));
      await sleep(Math.max(0, endsAt + LATE_MS - Date.now()));
      return 1;
    })
    .catch((error: unknown) => {
      // It came too late after all.
      if (error instanceof Error && /已封盘|aborted/.test(error.message)) return 0;
      throw error;
    });
}

/**
 * Many clients bet across closings while some hold their slips before COMMIT. None is left behind: what a settlement sees once it has the
 * lock of a phase is all that will ever be there, and money and slips agree.
 */
export async function proveClosings(
  db: Db,
  site: TestClient,
  options: ClosingsOptions,
): Promise<{ slips: number; held: number }> {
  const players = await buildBettors(db, options.clients);
  const holding = await buildBettors(db, options.games * options.closings, '10');
  const phases = await buildPhases(db, site, options);
  const seen = Promise.all(phases.map((phase) => settle(db, phase)));
  const open = new Set(phases);
  const holders = await Promise.all(
    phases
      .map((phase, place) => {
        const userId = holding[place] ?? 0;
        return holder(db, { ...phase, betting: { ...phase.betting, userId } });
      })
      .concat(players.map((userId, client) => bettor(site, open, userId, client))),
  );
  const held = holders.slice(0, phases.length).reduce((sum, each) => sum + each, 0);
  const taken = holders.reduce((sum, each) => sum + each, 0);
  const settled = await seen;
  const { rows } = await sql<{ gameId: number; phase: string; n: number; late: number }>`
    select s."gameId", s.phase, count(*) as n,
      count(*) filter (where s."createTime" >= p."endTime" - ${STOP_SECONDS} * interval '1 second') as late
    from slip s join draw_plan p on p.id = s."planId" where s."gameId" = any(${phases.map(({ betting }) => betting.gameId)}::bigint[])
    group by 1, 2`.execute(db);
  const there = ({ betting: { gameId, phase } }: Phase) =>
    rows.find((row) => row.gameId === gameId && row.phase === phase)?.n ?? 0;
  expect(settled).toEqual(phases.map(there));
  expect(rows.reduce((sum, { late }) => sum + late, 0)).toBe(0);
  expect(rows.reduce((sum, { n }) => sum + n, 0)).toBe(taken);
  await expectMoneyOfSlips(db);
  return { slips: taken, held };
}

/** Every slip has its row in the ledger, every row of a stake its slip, and both are of the same money. */
export async function expectMoneyOfSlips(db: Db): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from slip s full join (select * from account_history where "changeType" = 'BET' and "bizOrderNo" like 'B%') h
      on h."bizOrderNo" = 'B' || s.id
    where s.id is null or h.id is null or s.stake <> h.amount or s."userId" <> h."userId"
      or s.stake <> (select sum(l.stake) from slip_line l where l."slipId" = s.id)`.execute(db);
  expect(rows).toEqual([{ n: 0 }]);
  await expectProven(db);
}
