import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { keepRules } from '../slips/kept-rules.ts';
import { contentHash } from '../slips/slip-content.ts';
import type { SampleDraws } from './sample-draws.ts';
import type { SampleSlip } from './sample-slips.ts';

const each = <T, V>(rows: readonly T[], value: (row: T) => V): V[] => rows.map(value);
const numberOf = (place: number): string => `SAMPLE-MONTH-${place + 1}`;

/** Ids for so many slips, in order. */
async function takeIds(db: Db, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval('slip_id_seq') as id from generate_series(1, ${count}::integer)`.execute(db);
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** Slips as placing leaves them, in the order of their times. Their lines are there before them, as when they are placed. */
async function placeAll(
  db: Db,
  { gameId }: SampleDraws,
  slips: readonly SampleSlip[],
  { users, ids }: { users: readonly number[]; ids: readonly number[] },
): Promise<void> {
  const rows = slips.map(({ person, draw, placed, stake, wanted }, place) => {
    const [userId, bizNo, { phase }] = [given(users[person]), numberOf(place), draw];
    const hash = contentHash({ userId, bizNo, gameId, phase, lines: wanted.lines }).toString('hex');
    return { userId, bizNo, phase, stake, hash, at: placed.toISOString() };
  });
  await sql`
    with better as materialized (
      select id, "testAccount", agent_chain("agentId") as agents from player where id = any(${[...users]}::bigint[])
    )
    insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash",
      "createTime")
    overriding system value
    select w.id, w."bizNo", w."userId", p."gameId", p.id, p.phase, p."endTime", as_money(w.stake), 'SAME', u.agents, u."testAccount",
      decode(w.hash, 'hex'), w.at
    from unnest(${[...ids]}::bigint[], ${each(rows, (row) => row.bizNo)}::text[], ${each(rows, (row) => row.userId)}::bigint[],
      ${each(rows, (row) => row.phase)}::text[], ${each(rows, (row) => row.stake)}::numeric[],
      ${each(rows, (row) => row.hash)}::text[], ${each(rows, (row) => row.at)}::timestamptz[])
      as w (id, "bizNo", "userId", phase, stake, hash, at)
      join draw_plan p on p."gameId" = ${gameId} and p.phase = w.phase join better u on u.id = w."userId"
    order by w.id`.execute(db);
}

async function placeLines(db: Db, slips: readonly SampleSlip[], ids: readonly number[]): Promise<number[]> {
  const lines = slips.flatMap((slip, place) =>
    slip.lines.map((line) => ({ ...line, slipId: given(ids[place]) })),
  );
  const rules = await keepRules(db, lines);
  const { rows } = await sql<{ id: number }>`
    insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
    select w."slipId", w."playWayId", w."rulesId", w.selection, w.units, as_money(w."unitStake"), as_money(w.units * w."unitStake"),
      w.odds::jsonb, as_money(w."maxPayout")
    from unnest(${each(lines, (line) => line.slipId)}::bigint[], ${each(lines, (line) => line.playWay.id)}::bigint[],
      ${rules}::bigint[], ${each(lines, (line) => line.selection)}::text[], ${each(lines, (line) => line.units)}::integer[],
      ${each(lines, (line) => line.unitStake)}::numeric[], ${each(lines, (line) => JSON.stringify(line.odds))}::text[],
      ${each(lines, (line) => line.maxPayout)}::numeric[])
      with ordinality as w ("slipId", "playWayId", "rulesId", selection, units, "unitStake", odds, "maxPayout", place)
    order by w.place returning id`.execute(db);
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}

async function settleLines(db: Db, slips: readonly SampleSlip[], ids: readonly number[]): Promise<void> {
  const judged = slips.flatMap(({ lines }) => lines.map((line) => line.judged));
  await sql`
    update slip_line l set status = w.status, "winningUnits" = w."winningUnits", "pushedUnits" = w."pushedUnits",
      payout = as_money(w.payout), refund = as_money(w.refund)
    from unnest(${[...ids]}::bigint[], ${each(judged, (line) => line.status)}::text[],
      ${each(judged, (line) => line.winningUnits)}::integer[], ${each(judged, (line) => line.pushedUnits)}::integer[],
      ${each(judged, (line) => line.payout)}::numeric[], ${each(judged, (line) => line.refund)}::numeric[])
      as w (id, status, "winningUnits", "pushedUnits", payout, refund)
    where l.id = w.id`.execute(db);
}

/** A settlement for each phase that was bet on, through with all it had to do, and what it made of every slip. */
async function settleAll(
  db: Db,
  { gameId }: SampleDraws,
  slips: readonly SampleSlip[],
  ids: readonly number[],
) {
  await sql`
    with made as materialized (
      select * from unnest(${[...ids]}::bigint[], ${each(slips, (slip) => slip.draw.phase)}::text[],
        ${each(slips, (slip) => slip.status)}::text[], ${each(slips, (slip) => slip.payout)}::numeric[],
        ${each(slips, (slip) => slip.refund)}::numeric[], ${each(slips, (slip) => slip.stake)}::numeric[],
        ${each(slips, (slip) => slip.settled.toISOString())}::timestamptz[])
        as w (id, phase, status, payout, refund, stake, at)
    ), settled as (
      insert into settlement (kind, status, "gameId", phase, "recordId", result, total, slips, stake, payout, refund, "startTime", "gatheredTime",
        "endTime")
      select 'FIRST', 'DONE', r."gameId", r.phase, r.id, r.result, m.n, m.n, as_money(m.stake), as_money(m.payout), as_money(m.refund),
        r."createTime", r."createTime", r."createTime"
      from (select phase, count(*) as n, sum(stake) as stake, sum(payout) as payout, sum(refund) as refund from made group by 1) as m
        join draw_record r on r."gameId" = ${gameId} and r.phase = m.phase
      order by r."openTime" returning id, phase
    ), told as (
      insert into slip_settlement ("slipId", n, "settlementId", status, payout, refund, "movedPayout", "movedRefund", "createTime")
      select m.id, 1, s.id, m.status, as_money(m.payout), as_money(m.refund), as_money(m.payout), as_money(m.refund), m.at
      from made m join settled s on s.phase = m.phase
    )
    update slip s set status = m.status, payout = as_money(m.payout), refund = as_money(m.refund), "settleTime" = m.at
    from made m where m.id = s.id`.execute(db);
}

/** Writes slips of the sample month as placing and settling leave them, a statement for all of each; gives their ids in the same order. */
export async function addSlips(
  db: Db,
  draws: SampleDraws,
  slips: readonly SampleSlip[],
  users: readonly number[],
): Promise<number[]> {
  if (slips.length === 0) return [];
  const ids = await takeIds(db, slips.length);
  const lineIds = await placeLines(db, slips, ids);
  await placeAll(db, draws, slips, { users, ids });
  await settleLines(db, slips, lineIds);
  await settleAll(db, draws, slips, ids);
  await sql`analyze draw_plan, draw_record, slip, slip_line, settlement, slip_settlement`.execute(db);
  return ids;
}
