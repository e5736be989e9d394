import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demandInOrder } from '#server/features/agents/agent-rules.ts';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { prepareRun } from '#server/features/rebates/prepare-run.ts';
import { ratesAboveMargin } from '#server/features/rebates/rate-store.ts';
import { given } from '#server/given.ts';
import { expectMoneyOfSlips } from '#server/testing/closings.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { testConfig } from '#server/testing/test-config.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { seed } from '../seed.ts';
import { pageSlips } from '../slips/slip-page.ts';

let database: TestDatabase;
const config = testConfig({ sampleData: true });
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const one = async (query: ReturnType<typeof sql<{ n: number }>>): Promise<number> =>
  (await query.execute(database.db)).rows[0]?.n ?? -1;

describe('the sample players', () => {
  it('are 200 with a month that proves, made once', async () => {
    const started = performance.now();
    await seed(database.db, config);
    const seconds = (performance.now() - started) / 1000;
    const proof = await expectProven(database.db);
    console.log(`sample data: ${proof.rows} ledger rows in ${seconds.toFixed(1)} s`);
    expect(proof.accounts).toBe(200);
    expect(proof.rows).toBeGreaterThan(2_000);
    await seed(database.db, config);
    expect((await expectProven(database.db)).rows).toBe(proof.rows);
  });

  it('pay in from accounts of their own, and are paid out of none that is known', async () => {
    const known = (table: 'deposit' | 'withdrawal') =>
      one(
        sql`select count(*) as n from ${sql.table(table)} where "fromName" is not null or "fromAccountNo" is not null`,
      );
    expect(await known('deposit')).toBeGreaterThan(100);
    expect(await known('withdrawal')).toBe(0);
  });

  it('have a month of slips, each what its draw makes of it, on draws before the first promise', async () => {
    const slips = await one(sql`select count(*) as n from slip`);
    expect(slips).toBeGreaterThan(2_000);
    expect(await proveBets(database.db)).toEqual({ slips, broken: 0, breaks: [] });
    await expectMoneyOfSlips(database.db);
    const elsewhere = sql<{ n: number }>`
      with promised as (select "gameId", min("startTime") as first from draw_plan where status = 'WAITTING' group by 1)
      select count(*) as n from slip s join draw_plan p on p.id = s."planId"
        join draw_record r on r.phase = s.phase and r."gameId" = s."gameId" join promised w on w."gameId" = s."gameId"
      where r.source is distinct from '样例' or r.seed is not null or s.status not in ('WON', 'LOST', 'PUSHED')
        or s."createTime" < p."startTime" or s."createTime" >= p."endTime" - interval '30 seconds' or s."settleTime" > now()
        or p."endTime" > w.first`;
    expect(await one(elsewhere)).toBe(0);
    const kinds = sql<{ n: number }>`select count(distinct status) as n from slip_line`;
    expect(await one(kinds)).toBeGreaterThanOrEqual(2);
    const open = sql<{
      n: number;
    }>`select count(*) as n from settlement where status <> 'DONE' or total <> slips`;
    expect(await one(open)).toBe(0);
    for (const status of ['WON', 'LOST', 'PENDING'] as const) {
      const { totalCount } = await pageSlips(database.db, { status, currentPage: 1, pageSize: 10 });
      expect(totalCount, status).toBe(
        await one(sql`select count(*) as n from slip where status = ${status}`),
      );
    }
  });

  it('name agents that there are, and no child has a greater rate than its parent', async () => {
    const unknown = sql<{ n: number }>`
      select count(*) as n from player p where "agentId" is not null and not exists (select from agent a where a.id = p."agentId")`;
    expect(await one(unknown)).toBe(0);
    expect(await one(sql`select count(*) as n from agent where "parentId" is not null`)).toBeGreaterThan(3);
    expect(
      await one(sql`select count(*) as n from slip where jsonb_array_length(agents) > 1`),
    ).toBeGreaterThan(100);
    for (const { id, parentId } of await database.db.selectFrom('agent').select(['id', 'parentId']).execute())
      await demandInOrder(database.db, { id, parentId }, '0001-01-01');
  });

  it('give a day of rebates to look at from the start, below what the house keeps', async () => {
    const day = given(await prepareRun(database.db));
    const { rows } = await sql<{ kind: string }>`
      select distinct kind from rebate_share where day = ${day}::date order by 1`.execute(database.db);
    expect(rows.map(({ kind }) => kind)).toEqual(['REBATE', 'RETURN']);
    const rates = await database.db.selectFrom('rebate_rate').selectAll().execute();
    expect(await ratesAboveMargin(database.db, rates, day)).toEqual([]);
  });

  it('find news and limits', async () => {
    expect(await one(sql`select count(distinct "categoryId") as n from news`)).toBe(2);
    expect(await one(sql`select count(*) as n from bet_limit`)).toBe(1);
  });

  it('leave orders of every status, some of them waiting, and nothing in the future', async () => {
    for (const table of ['deposit', 'withdrawal'])
      for (const status of ['SUCCESS', 'FAIL', 'PROCESSING'])
        expect(
          await one(sql`select count(*) as n from ${sql.table(table)} where status = ${status}`),
          `${table} ${status}`,
        ).toBeGreaterThan(0);
    expect(await one(sql`select count(*) as n from account_history where "createTime" > now()`)).toBe(0);
    expect(
      await one(sql`select count(distinct "changeType") as n from account_history`),
    ).toBeGreaterThanOrEqual(6);
  });

  it('hold money as their orders say: frozen what waits, credited what passed, taken out what was paid', async () => {
    const differing = sql<{ n: number }>`
      select count(*) as n from account a where "freezeAmount" <> coalesce((
        select sum(amount) from withdrawal w where w."userId" = a."userId" and status = 'PROCESSING'), 0)`;
    expect(await one(differing)).toBe(0);
    for (const [table, type] of [
      ['deposit', 'RECHARGE'],
      ['withdrawal', 'WITHDRAW'],
    ] as const) {
      const unmatched = sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} o full join (select * from account_history where "changeType" = ${type}) h
          on h."bizOrderNo" = o.id::text and h."userId" = o."userId" and h.amount = o.amount
        where (o.id is null) or (o.status = 'SUCCESS') <> (h.id is not null)`;
      expect(await one(unmatched), table).toBe(0);
    }
  });
});
