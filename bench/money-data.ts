import { type RawBuilder, sql } from 'kysely';
import { foldCounts } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';

export interface MoneySize {
  accounts: number;
  /** A multiple of `accounts`: every account gets as many rows. */
  ledger: number;
  orders: number;
}

const DAYS = 90;

/**
 * One more ledger row for every account, written as post_entries writes it (numbers, sums, hashes), all accounts in one
 * statement. Round by round the ledger moves through 90 days.
 */
const round = (place: number, rounds: number): RawBuilder<unknown> => sql`
  with next as materialized (
    select a."userId", a."lastSeq" + 1 as seq, a."totalAmount" as origin, a."lastHash" as previous, t.type, t.amount,
      as_money(case ledger_direction(t.type) when 'IN' then a."totalAmount" + t.amount else a."totalAmount" - t.amount end) as after,
      ${`B${place}-`}::text || a."userId" as biz,
      now() - interval '90 days' + (${place}::float8 + a."userId"::float8 / (select max("userId") from account)) * ${DAYS / rounds} * interval '1 day' as at
    from account a, lateral (
      select case when a."totalAmount" < 100 then 'RECHARGE'
          else (array['BET', 'BET', 'WIN', 'BET', 'WIN', 'RETURN', 'REBATE', 'RECHARGE', 'BET', 'WIN'])[1 + (a."userId" * 7 + ${place}::int * 3) % 10] end as type,
        as_money(((a."userId" * 31 + ${place}::int * 17) % 9000 + 100)::numeric / 100) as amount) t
    order by a."userId"
  ), posted as (
    insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo",
      "createTime", hash)
    select "userId", seq, origin, amount, after, ledger_direction(type), type, biz, at,
      ledger_hash(previous, "userId", seq, origin, amount, after, ledger_direction(type), type, biz, null, at)
    from next order by "userId"
    returning "userId", "accountSeq", "newAmount", hash
  )
  update account a set "totalAmount" = p."newAmount", "availableAmount" = p."newAmount", "lastSeq" = p."accountSeq", "lastHash" = p.hash
  from posted p where p."userId" = a."userId"`;

const players = (accounts: number): RawBuilder<unknown> => sql`
  insert into player (username, "realName", "nickName", "agentId", level, phone, email, "createTime")
  select 'bench' || g, '玩家' || g % 5000, '昵称' || g, g % 100, g % 6, '138' || lpad(g::text, 8, '0'), 'bench' || g || '@example.com',
    now() - interval '120 days' + g * (interval '120 days' / ${accounts}::int)
  from generate_series(1, ${accounts}::int) g`;

const orders = (table: 'deposit' | 'withdrawal', count: number, accounts: number): RawBuilder<unknown> => {
  const own = table === 'deposit' ? sql`` : sql`, "receiveAccountNo"`;
  return sql`
    insert into ${sql.table(table)} ("userId", amount, "bankOrderNo", type, status, "createTime", "reviewTime", "successTime", reviewer ${own})
    select 1 + (g::bigint * 7919) % ${accounts}::int, 100 + g % 900, ${table[0]}::text || g, (array['BANK_TRANSFER', 'USDT_TRANSFER', 'THIRD_PARTY'])[1 + g % 3],
      s.status, s.at, case when s.status <> 'PROCESSING' then s.at + interval '20 minutes' end,
      case when s.status = 'SUCCESS' then s.at + interval '20 minutes' end, case when s.status <> 'PROCESSING' then 'admin' end
      ${table === 'deposit' ? sql`` : sql`, '6222' || g`}
    from generate_series(1, ${count}::int) g, lateral (select
      case when g > ${count}::int - 500 then 'PROCESSING' when g % 12 = 0 then 'FAIL' else 'SUCCESS' end as status,
      now() - interval '90 days' + g * (interval '90 days' / ${count}::int) as at) s`;
};

/** Fills an empty database. `db` must be patient. Tells how far it is. */
export async function buildMoney(db: Db, size: MoneySize, tell: (line: string) => void): Promise<void> {
  const started = performance.now();
  const done = (what: string) => tell(`${what} after ${Math.round((performance.now() - started) / 1000)} s`);
  await players(size.accounts).execute(db);
  await sql`insert into account ("userId", "createTime") select id, "createTime" from player order by id`.execute(
    db,
  );
  await sql`vacuum analyze player, account`.execute(db);
  done(`${size.accounts} accounts`);
  const rounds = size.ledger / size.accounts;
  for (let place = 0; place < rounds; place++) {
    await round(place, rounds).execute(db);
    if (place % 5 === 4) {
      await sql`vacuum account`.execute(db);
      done(`${(place + 1) * size.accounts} ledger rows`);
    }
  }
  await orders('deposit', Math.round(size.orders * 0.7), size.accounts).execute(db);
  await orders('withdrawal', Math.round(size.orders * 0.3), size.accounts).execute(db);
  done(`${size.orders} orders`);
  await foldCounts(db);
  for (const table of ['account', 'account_history', 'deposit', 'withdrawal', 'list_count'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  done('vacuumed');
}
