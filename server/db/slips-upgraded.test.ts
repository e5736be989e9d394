import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemsIn } from '#server/features/bets-proof/report-proof.ts';
import { foldReport } from '#server/features/reports/fold-report.ts';
import { pageReport } from '#server/features/reports/report-store.ts';
import { filesAfter, landings, lay, numberOf } from '#server/testing/past-database.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import type { Db } from './database.ts';
import { migrate } from './migrate.ts';

// What a program of before the report left behind: slips in every state, and a debt that was written off.
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase({ empty: true });
  db = database.db;
  await lay(
    db,
    filesAfter(landings.length).filter((file) => numberOf(file) <= '0252'),
  );
  await sql`insert into game_category (name) values ('时时彩')`.execute(db);
  await sql`insert into game (name, "categoryId", phase, "openRate", "stopBetSecond") values ('旧游戏', 1, '1', 300, 5)`.execute(
    db,
  );
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status) values
      (1, 'noon', '2026-01-10 11:00', '2026-01-10 12:00', 'OPENED'), (1, 'midnight', '2026-01-11 23:00', '2026-01-12 00:00', 'OPENING')`.execute(
    db,
  );
  await sql`
    insert into slip_rules (hash, "playWayId", "playWayName", "categoryName", "subCategoryName", rules)
    select sha256(n::text::bytea), n, '玩法 ' || n, '', '', '{"selection":null,"separator":",","odds":[]}' from generate_series(101, 102) as n`.execute(
    db,
  );
  await sql`
    with line (slip, way, stake, status, payout, refund) as (values
      (1, 1, 10, 'WON', 19.8, 0), (1, 2, 5, 'LOST', 0, 0), (2, 1, 4, 'PUSHED', 0, 4), (3, 1, 7, 'PENDING', 0, 0), (4, 1, 3, 'CANCELLED', 0, 3),
      (5, 1, 6, 'VOID', 0, 6), (5, 2, 2, 'WON', 3.96, 0), (6, 1, 100, 'LOST', 0, 0)
    ), kept as (
      insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout", status, payout, refund)
      select slip, 100 + way, way, '1', 1, stake, stake, '"1.98"', 0, status, payout, refund from line order by slip, way
    )
    insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", status, stake, payout, refund, "acceptOdds", agents,
      "testAccount", "contentHash", "createTime", "settleTime")
    overriding system value
    select s.id, 'old-' || s.id, s."userId", 1, p.id, p.phase, p."endTime", s.status, sum(l.stake), sum(l.payout), sum(l.refund), 'SAME',
      s.agents::jsonb, s.test, '', p."startTime", s.settled::timestamptz
    from (values
      (1, 1, 'noon', 'WON', '[{"id":5}]', false, '2026-01-10 12:00:01'), (2, 1, 'noon', 'PUSHED', '[{"id":5}]', false, '2026-01-10 12:00:01'),
      (3, 2, 'midnight', 'PENDING', '[]', false, null), (4, 2, 'noon', 'CANCELLED', '[]', false, '2026-01-11 00:00'),
      (5, 2, 'noon', 'WON', '[]', false, '2026-01-12 10:00'), (6, 3, 'noon', 'LOST', '[{"id":5}]', true, '2026-01-10 12:00:01')
    ) as s (id, "userId", phase, status, agents, test, settled) join draw_plan p on p.phase = s.phase join line l on l.slip = s.id
    group by s.id, s."userId", p.id, s.status, s.agents, s.test, s.settled`.execute(db);
  await sql`
    insert into account_debt ("userId", "debtSeq", kind, "originDebt", amount, "newDebt", "changeType", "bizOrderNo", "createTime", hash) values
      (1, 1, 'OWED', 0, 8, 8, 'WIN_REVERSAL', 'B1/2', '2026-01-10 13:00', ''),
      (1, 2, 'WRITTEN_OFF', 8, 8, 0, 'DEBT_WRITE_OFF', null, '2026-01-12 09:00', '')`.execute(db);
  await migrate(db);
});
afterAll(() => database.drop());

const report = (groupBy: 'DAY' | 'AGENT' | 'USER') =>
  pageReport(db, { groupBy, currentPage: 1, pageSize: 100, sort: 'key' });

it('the first start of the program that has a report counts all slips there are, each on its day', async () => {
  const { data, totals } = await report('DAY');
  const told = data.map(({ key, slips, players, stake, payout, refund, unsettled, writtenOff, result }) => [
    ...[key, slips, players, stake, payout, refund, unsettled, writtenOff, result],
  ]);
  expect(told).toEqual([
    ['2026-01-10', 4, 2, '30.00', '23.76', '4.00', '0.00', '0.00', '2.24'],
    // The draw of midnight belongs to the day before it; what was cancelled was given back on the day of the act.
    ['2026-01-11', 1, 1, '7.00', '0.00', '3.00', '7.00', '0.00', '4.00'],
    ['2026-01-12', 0, 0, '0.00', '8.00', '6.00', '0.00', '8.00', '-14.00'],
  ]);
  expect(totals).toMatchObject({ slips: 5, players: 2, stake: '37.00', refund: '13.00', unsettled: '7.00' });
  expect(
    (await report('AGENT')).data.map(({ key, slips, stake, writtenOff }) => [key, slips, stake, writtenOff]),
  ).toEqual([
    ['0', 3, '18.00', '0.00'],
    ['5', 2, '19.00', '8.00'],
  ]);
});

it('what was counted then is what bets:verify counts, and goes on to be', async () => {
  expect(await problemsIn(db)).toEqual([]);
  // The slip that was pending when the program changed is settled by the new one.
  await sql`update slip_line set status = 'WON', payout = 13.86 where "slipId" = 3`.execute(db);
  await sql`update slip set status = 'WON', payout = 13.86, "settleTime" = now() where id = 3`.execute(db);
  const [, day] = (await report('DAY')).data;
  expect(day).toMatchObject({ key: '2026-01-11', payout: '13.86', unsettled: '0.00', result: '-9.86' });
  await foldReport(db);
  expect(await problemsIn(db)).toEqual([]);
});
