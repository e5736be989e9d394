import { sql } from 'kysely';
import { foldCounts } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';

/** A statement of so many rows at most, each of which is counted. */
const STEP = 250_000;
const changes = "array['RECHARGE','WIN','BET','REBATE','WITHDRAW']";

/** Players, each with an account. */
export async function buildPlayers(owner: Db, players: number): Promise<void> {
  await sql`insert into player ("nickName", username) select 'n' || g, 'user' || g from generate_series(1, ${players}::int) g`.execute(
    owner,
  );
  await sql`insert into account ("userId") select id from player on conflict do nothing`.execute(owner);
}

/** A ledger of those players as a platform has it: one row a second up to now, counted as every row is. */
export async function buildLedger(owner: Db, rows: number, players: number): Promise<void> {
  for (let from = 0; from < rows; from += STEP) {
    const to = Math.min(rows, from + STEP) - 1;
    await sql`
      insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo", "desc", "createTime", hash)
      select p.low + n % ${players}::int, 1 + n / ${players}::int, 12.3400 * (n / ${players}::int + isout), 12.3400,
        12.3400 * (n / ${players}::int + 1 - isout), case isout when 1 then 'OUT' else 'IN' end, type, 'B' || n, '期号 20260101-' || n % 1440,
        now() - (${rows}::int - n) * interval '1 second', sha256(int4send(n))
      from generate_series(${from}::int, ${to}::int) n, (select min(id) as low from player) as p,
        lateral (select (${sql.raw(changes)})[1 + n / 7 % 5] as type) as t, lateral (select (type in ('BET', 'WITHDRAW'))::int as isout) as o`.execute(
      owner,
    );
    await foldCounts(owner);
  }
  await sql`update account a set "lastSeq" = h.n from (select "userId", max("accountSeq") as n from account_history group by 1) as h
    where h."userId" = a."userId"`.execute(owner);
  await sql`vacuum analyze account_history, account, player, list_count, list_delta`.execute(owner);
}
