import { sql } from 'kysely';
import { foldCounts } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { foldExposure } from '#server/features/exposure/exposure-store.ts';
import { sealedKinds } from '#server/features/seals/seal-kinds.ts';
import { BLOCK_ROWS } from '#server/features/seals/seal-store.ts';
import { buildBetting } from '#server/testing/build-betting.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildLedger, buildPlayers } from './ledger-data.ts';
import { buildSlips } from './slip-data.ts';

/** How many rows of each kind; everything else follows from them. */
export interface Size {
  readonly ledger: number;
  readonly slips: number;
  /** Of the change record, the mail outbox, the log of sign-ins, deposits and plans, each. */
  readonly others: number;
}

const GAMES = 20;
const STEP = 250_000;

/** Deposits, changes, sign-ins, mails, and plans with their records, as a platform of some months has them. */
async function buildOthers(db: Db, count: number, firstUser: number, players: number): Promise<void> {
  const games: number[] = [];
  while (games.length < GAMES) games.push(await buildGame(db, { openRate: 60 }));
  for (let from = 0; from < count; from += STEP) {
    const to = Math.min(count, from + STEP) - 1;
    const numbers = sql`generate_series(${from}::int, ${to}::int) n, lateral (select now() - (${count}::int - n) * interval '10 seconds' as at) t`;
    await sql`insert into deposit ("userId", amount, "bankOrderNo", type, status, "createTime", "reviewTime", "successTime")
      select ${firstUser}::bigint + n % ${players}::int, 100, 'D' || n, 'THIRD_PARTY', case when n % 50 = 0 then 'FAIL' else 'SUCCESS' end, at, at, case when n % 50 > 0 then at end
      from ${numbers}`.execute(db);
    await sql`insert into change_record ("createTime", "operatorId", "userName", call, summary, "targetId", input, address, outcome)
      select at, 1, 'operator' || n % 40, 'updateNews', '修改新闻', n::text, '{}', '127.0.0.1', 'SUCCESS' from ${numbers}`.execute(
      db,
    );
    await sql`insert into login_record ("createTime", "userName", address, outcome, msg)
      select at, 'operator' || n % 40, '127.0.0.1', 'SUCCESS', '' from ${numbers}`.execute(db);
    await sql`insert into mail_outbox (template, "to", status, "createTime", "nextTime", "sentTime")
      select 'CODE', 'p' || n || '@example.com', 'SENT', at, null, at from ${numbers}`.execute(db);
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      select (${games}::bigint[])[1 + n % ${GAMES}::int], 'g' || n / ${GAMES}::int, now() - (${count}::int - n) / ${GAMES}::int * interval '1 minute' - interval '2 minutes',
        now() - (${count}::int - n) / ${GAMES}::int * interval '1 minute' - interval '1 minute', 'OPENED'
      from generate_series(${from}::int, ${to}::int) n`.execute(db);
    await foldCounts(db);
  }
}

/**
 * Rows of a kind sealed as far as lists can tell, which ask up to which id they are: so many as the sealer makes, with nothing in them. To seal
 * fifty million rows takes it most of an hour, in which no list can be measured.
 */
const markSealed = (db: Db, kind: 'LEDGER' | 'SLIP' | 'CHANGE') =>
  sql`
  insert into seal (kind, no, "firstNo", rows, "fromId", "toId", late, "fromTime", "toTime", digest, marks, mac, "createTime")
  select ${kind}, 1 + n / ${BLOCK_ROWS}::int, n + 1, least(${BLOCK_ROWS}::int, e.last - n), n + 1, least(n + ${BLOCK_ROWS}::int, e.last), false, now(), now(), '', '', '', now()
  from (select max(id) as last from ${sql.table(sealedKinds[kind].table)}) as e, generate_series(0, e.last - 1, ${BLOCK_ROWS}::int) as n`.execute(
    db,
  );

/** Fills every big list, the ledger on one session and all else on the other beside it. */
export async function buildGrown(db: Db, beside: Db, { ledger, slips, others }: Size): Promise<void> {
  const players = Math.max(100, Math.round(ledger / 200));
  await buildPlayers(db, players);
  const { rows } = await sql<{ first: number }>`select min(id) as first from player`.execute(db);
  const firstUser = rows[0]?.first ?? 1;
  const rest = async () => {
    const betting = await buildBetting(beside, { to: 86_400 * 30 });
    await buildSlips(beside, { betting, count: slips, firstUser, accounts: players }, () => undefined);
    await buildOthers(beside, others, firstUser, players);
  };
  await Promise.all([buildLedger(db, ledger, players), rest()]);
  await foldCounts(db);
  await foldExposure(db);
  // No list reads the report, and its pieces of so many slips would be folded for an hour beside what is measured.
  await sql`truncate report_delta`.execute(db);
  for (const kind of ['LEDGER', 'SLIP', 'CHANGE'] as const) await markSealed(db, kind);
  await sql`vacuum analyze`.execute(db);
}
