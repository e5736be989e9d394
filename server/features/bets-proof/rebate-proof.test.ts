import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseTime } from '#server/db/database-clock.ts';
import { setParam } from '#server/testing/approving.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { payReleased } from '../rebates/pay-run.ts';
import { prepareRun } from '../rebates/prepare-run.ts';
import { releaseRun } from '../rebates/release-run.ts';
import { installDrawingGame } from '../sample-data/drawing-game.ts';
import { seedSampleUsers } from '../sample-data/sample-players.ts';
import { seed } from '../seed.ts';
import { countTurnover } from '../turnover-requirements/count-turnover.ts';
import { proveBets } from './prove-bets.ts';
import { problemsWithin } from './rebate-proof.ts';

/** A whole month of the sample. SAMPLE_DAYS=12 for less. */
const DAYS = Number(process.env.SAMPLE_DAYS ?? 31);
let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
  const config = testConfig({ sampleData: false });
  await seed(db, config);
  const now = await databaseTime(db);
  await db.transaction().execute(async (tx) => {
    await installDrawingGame(tx, now, config.timeZone);
    await seedSampleUsers(tx, config, now, { players: 80, days: DAYS });
  });
});
afterAll(() => database.drop());

/** Rates for everybody and all the time, for the sample's agents too, and rewards for who was invited. */
async function giveShares(): Promise<void> {
  await sql`
    insert into agent_rate ("agentId", "validFrom", rate)
    select id, date '2020-01-01', 0.02 - 0.001 * rank() over (order by id) from agent`.execute(db);
  await sql`
    insert into rebate_rate (level, "categoryId", rate, "validFrom")
    select l, c.id, 0.001 * (1 + l % 7) + 0.00013, d from (select distinct level as l from player) as levels, game_category c,
      (values (date '2020-01-01'), (current_date - 5)) as days (d)
    where d < current_date - 20 or l % 2 = 0`.execute(db);
  await setParam(db, 'invite.reward', '5');
  await setParam(db, 'invite.turnoverTimes', '0.01');
}

/** What was deposited and given is to be turned over, as if the parameter had said so all the time; all of it is counted. */
async function countRequired(): Promise<number> {
  await sql`
    insert into turnover_requirement ("userId", "historyId", kind, amount, times, required, "createTime")
    select "userId", id, "changeType", amount, 3, as_money(amount * 3), "createTime" from account_history
    where "changeType" in ('RECHARGE', 'RECHARGE_GIVE') order by id`.execute(db);
  await sql`update turnover_mark set "endTime" = '2020-01-01', "waysSince" = '2020-01-01', "settlementId" = 0`.execute(
    db,
  );
  while (await countTurnover(db));
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from turnover_counted where turnover > 0`.execute(db);
  return rows[0]?.n ?? 0;
}

it('recomputes rebates, commissions, rewards and what is to be turned over, and finds whatever is not so', async () => {
  await giveShares();
  let days = 0;
  for (let day = await prepareRun(db); day !== undefined; day = await prepareRun(db)) {
    const released = { day, digest: undefined, operatorId: 1, userName: 'admin' };
    await db.transaction().execute((tx) => releaseRun(tx, released));
    await payReleased(db);
    days++;
  }
  expect(days).toBeGreaterThan(DAYS - 3);
  const { rows } = await sql<{ kind: string; n: number }>`
    select kind, count(*) as n from rebate_item where amount > 0 group by 1 order by 1`.execute(db);
  const counted = await countRequired();
  expect(counted).toBeGreaterThan(20);
  const told = rows.map(({ kind, n }) => `${kind} ${n}`).join(', ');
  console.log(`rebates: ${days} days, ${told}; turnover counted ${counted} times`);
  expect(rows.map(({ kind }) => kind)).toEqual(['INVITE_REWARD', 'REBATE', 'RETURN']);
  const { broken } = await proveBets(db);
  expect(broken).toBe(0);
  await expectProven(db);

  for (const table of ['rebate_turnover', 'rebate_share', 'rebate_item', 'rebate_rate', 'invite_reward'])
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(database.owner);
  const tried: [string, RegExp][] = [
    [
      `update rebate_turnover set turnover = turnover + 1 where ctid = (select min(ctid) from rebate_turnover)`,
      /有效投注/,
    ],
    [
      `update rebate_share set amount = amount + 0.01 where ctid = (select min(ctid) from rebate_share)`,
      /应得/,
    ],
    [
      `update rebate_item set due = due + 1, amount = amount + 1 where ctid = (select min(ctid) from rebate_item where amount > 0)`,
      /应得与明细不符/,
    ],
    [
      `update rebate_item set "postTime" = null where ctid = (select min(ctid) from rebate_item where amount > 0)`,
      /账变与发放不符/,
    ],
    [`update rebate_rate set rate = rate + 0.01 where "validFrom" = '2020-01-01'`, /应得/],
    [
      `delete from rebate_item where ctid = (select min(ctid) from rebate_item where amount > 0)`,
      /没有发放|不属于任何返水/,
    ],
    [
      `insert into report_entry (kind, day, "userId", agents, rebate)
        select 'REBATE', "runDay", "userId", '{0,-1}', 5 from rebate_item where amount > 0 limit 1`,
      /报表 [0-9-]+ 用户 \d+ 的返水应为 /,
    ],
    [
      `insert into report_entry (kind, day, "userId", agents, rebate) values ('REBATE', '2001-01-01', 7, '{0,-1}', 5)`,
      /报表 2001-01-01 用户 7 的返水应为 0，记为 5/,
    ],
    [
      `select post_entries(array[(select min(id) from player)], array['REBATE'], array[1.0], array['BR20200101/1'], array[null])`,
      /BR20200101\/1（返水）不属于任何返水/,
    ],
  ];
  class Undone extends Error {}
  for (const [statement, words] of tried) {
    let said = '';
    await database.owner
      .transaction()
      .execute(async (tx) => {
        await sql.raw(statement).execute(tx);
        said = (await problemsWithin(tx)).join('\n');
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    expect(said, statement).toMatch(words);
  }
});
