import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { interleaved } from './measure.ts';

class Undone extends Error {}

/** Milliseconds of some work in a transaction that is undone, so that every round meets the same tables. */
async function timed(db: Db, work: (tx: Db) => Promise<unknown>): Promise<number> {
  let ms = 0;
  const run = db.transaction().execute(async (tx) => {
    const started = performance.now();
    await work(tx);
    ms = performance.now() - started;
    throw new Undone();
  });
  await run.catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return ms;
}

const posting = sql`
  select count(problem) as refused from post_entries((select array_agg("userId" order by place) from bench_entry),
    (select array_agg('WIN'::text) from bench_entry), (select array_agg(amount order by place) from bench_entry),
    (select array_agg('B' || place order by place) from bench_entry), null)`;

const bareLedger = sql`
  insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo", "desc",
    "createTime", hash) overriding system value
  select id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo", "desc", "createTime", hash
  from bench_row order by id`;
const bareAccounts = sql`
  update account a set "totalAmount" = n."totalAmount", "availableAmount" = n."availableAmount", "freezeAmount" = n."freezeAmount",
    "lastSeq" = n."lastSeq", "lastHash" = n."lastHash"
  from bench_account n where a.id = n.id`;

/** Keeps what a posting writes, row for row, although the posting itself is undone. */
async function keepRows(db: Db): Promise<void> {
  await sql`create table bench_row as select * from account_history limit 0`.execute(db);
  await sql`create table bench_account as select * from account limit 0`.execute(db);
  let rows = '[]';
  let accounts = '[]';
  await timed(db, async (tx) => {
    await posting.execute(tx);
    const written = sql<{ rows: string; accounts: string }>`
      select (select json_agg(h)::text from account_history h where h."bizOrderNo" in (select 'B' || place from bench_entry)) as rows,
        (select json_agg(a)::text from account a where a."userId" in (select "userId" from bench_entry)) as accounts`;
    ({ rows = '[]', accounts = '[]' } = (await written.execute(tx)).rows[0] ?? {});
  });
  await sql`insert into bench_row select * from json_populate_recordset(null::account_history, ${rows}::json)`.execute(
    db,
  );
  await sql`insert into bench_account select * from json_populate_recordset(null::account, ${accounts}::json)`.execute(
    db,
  );
  await sql`analyze bench_row, bench_account, bench_entry`.execute(db);
}

/**
 * A batch as a settlement posts it, against the bare SQL that writes the very same rows, worked out before: milliseconds of both. One account
 * has `largest` entries, the others share the rest. `db` must be patient and have one connection.
 */
export async function compareBatches(
  db: Db,
  { entries, accounts, largest, rounds }: Record<'entries' | 'accounts' | 'largest' | 'rounds', number>,
) {
  await sql`create table bench_entry as
    select place, case when place % ${Math.floor(entries / largest)}::int = 0 then 1 else 2 + (place * 7919::bigint) % ${accounts - 1}::int end as "userId",
      (1 + place % 900)::numeric / 100 as amount
    from generate_series(1, ${entries}::int) as place`.execute(db);
  await keepRows(db);
  const { bare = 0, ours = 0 } = await interleaved(
    {
      bare: () =>
        timed(db, async (tx) => {
          await bareLedger.execute(tx);
          await bareAccounts.execute(tx);
        }),
      ours: () => timed(db, (tx) => posting.execute(tx)),
    },
    rounds,
  );
  await sql`drop table bench_entry, bench_row, bench_account`.execute(db);
  return { bare, ours };
}
