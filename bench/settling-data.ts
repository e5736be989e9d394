import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type BuiltSlip, buildPhase, buildSlips } from '#server/testing/build-slips.ts';

const AT_ONCE = 5_000;

/** A phase with its slips, in the order they were placed. */
export interface Crowd {
  readonly gameId: number;
  readonly phase: string;
  readonly slips: readonly number[];
}

/** One player has a twentieth of all slips, the others share the rest; half bet on big or small, half on a digit. */
const slipOf = (users: readonly number[], place: number): BuiltSlip => ({
  userId: (place % 20 === 0 ? users[0] : users[place % users.length]) ?? 0,
  lines: [
    place % 2 === 0
      ? { rules: 'size', selection: place % 4 === 0 ? '大' : '小', unitStake: '1.2345' }
      : { rules: 'first', selection: String(place % 10), unitStake: '2' },
  ],
});

/** Builds a phase whose betting is over, with so many slips of these players: always the same. */
export async function buildCrowd(db: Db, users: readonly number[], count: number): Promise<Crowd> {
  const phase = await buildPhase(db);
  const slips: number[] = [];
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, place) =>
      slipOf(users, from + place),
    );
    slips.push(...(await buildSlips(db, phase, some)));
  }
  await sql`vacuum analyze slip, slip_line, slip_settlement, account, account_history`.execute(db);
  return { ...phase, slips };
}

/** Works out what settling a crowd will write, from another crowd that was settled: the rows of the one are those of the other. */
export async function prepareRows(db: Db, settled: Crowd, crowd: Crowd): Promise<void> {
  await sql`drop table if exists bench_map, bench_line, bench_slip, bench_move, bench_row, bench_account`.execute(
    db,
  );
  await sql`
    create table bench_map as select * from unnest(${[...settled.slips]}::bigint[], ${[...crowd.slips]}::bigint[]) as m (a, b)`.execute(
    db,
  );
  await sql`analyze bench_map`.execute(db);
  await sql`
    create table bench_line as
    select own.id, l.status, l."winningUnits", l."pushedUnits", l.payout, l.refund
    from bench_map join slip_line l on l."slipId" = a join slip_line own on own."slipId" = b`.execute(db);
  await sql`create table bench_slip as select b as id, s.status, s.payout, s.refund from bench_map join slip s on s.id = a`.execute(
    db,
  );
  await sql`
    create table bench_move as
    select b as "slipId", n, "settlementId", status, payout, refund, "movedPayout", "movedRefund" from bench_map join slip_settlement on "slipId" = a`.execute(
    db,
  );
  await sql`
    create table bench_row as
    select nextval('account_history_id_seq') as id, h."userId", c."lastSeq" + row_number() over w as "accountSeq",
      c."totalAmount" + sum(h.amount) over w - h.amount as "originAmount", h.amount, c."totalAmount" + sum(h.amount) over w as "newAmount",
      h.direction, h."changeType", 'B' || b as "bizOrderNo", h."desc", now() as "createTime", sha256(h.hash) as hash
    from bench_map join account_history h on h."bizOrderNo" = 'B' || a and h."changeType" in ('WIN', 'BET_REFUND')
      join account c on c."userId" = h."userId"
    window w as (partition by h."userId" order by h.id rows between unbounded preceding and current row)`.execute(
    db,
  );
  await sql`
    create table bench_account as
    select distinct on (c.id) c.id, r."newAmount" as "totalAmount", c."availableAmount" + r."newAmount" - c."totalAmount" as "availableAmount",
      r."accountSeq" as "lastSeq", r.hash as "lastHash"
    from bench_row r join account c on c."userId" = r."userId" order by c.id, r."accountSeq" desc`.execute(
    db,
  );
  await sql`vacuum analyze bench_line, bench_slip, bench_move, bench_row, bench_account`.execute(db);
}

/** The bare SQL that writes what settling writes, worked out before, in one transaction. */
export async function writeBare(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      update slip_line l set status = n.status, "winningUnits" = n."winningUnits", "pushedUnits" = n."pushedUnits", payout = n.payout,
        refund = n.refund from bench_line n where l.id = n.id`.execute(tx);
    await sql`
      update slip s set status = n.status, payout = n.payout, refund = n.refund, "settleTime" = clock_timestamp()
      from bench_slip n where s.id = n.id`.execute(tx);
    await sql`
      insert into slip_settlement ("slipId", n, "settlementId", status, payout, refund, "movedPayout", "movedRefund")
      select "slipId", n, "settlementId", status, payout, refund, "movedPayout", "movedRefund" from bench_move`.execute(
      tx,
    );
    await sql`
      insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo",
        "desc", "createTime", hash) overriding system value
      select id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo", "desc", "createTime", hash
      from bench_row order by id`.execute(tx);
    await sql`
      update account c set "totalAmount" = n."totalAmount", "availableAmount" = n."availableAmount", "lastSeq" = n."lastSeq",
        "lastHash" = n."lastHash" from bench_account n where c.id = n.id`.execute(tx);
  });
}
