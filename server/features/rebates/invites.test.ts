import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#server/db/database.ts';
import { setParam } from '#server/testing/approving.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { type BuiltPhase, buildBettors } from '#server/testing/build-slips.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginVoid } from '../settlements/voids.ts';
import { payReleased } from './pay-run.ts';
import { releaseRun } from './release-run.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const release = (day: string) =>
  db
    .transaction()
    .execute((tx) => releaseRun(tx, { day, digest: undefined, operatorId: 1, userName: 'admin' }));
const deposited = (userId: number, amount: string, day: string) =>
  sql`
    insert into deposit ("userId", amount, type, "bankOrderNo", status, "successTime", reviewer, "reviewTime")
    values (${userId}, ${amount}, 'BANK_TRANSFER', ${randomUUID()}, 'SUCCESS', ${day}::date + interval '10 hours', 'admin', ${day}::date + interval '10 hours')`.execute(
    db,
  );
const receivesBy = (userId: number, account: string) =>
  sql`insert into withdrawal ("userId", amount, "bankOrderNo", "receiveAccountNo") values (${userId}, 1, ${randomUUID()}, ${account})`.execute(
    db,
  );
const rewarded = async (day: string) => {
  const { rows } = await sql<{ id: number }>`
    select "invitedId" as id from invite_reward where "runDay" = ${day}::date order by 1`.execute(db);
  return rows.map(({ id }) => id);
};

it('whoever brought a player who deposits and plays is rewarded once, so many a day, and never for who is themselves', async () => {
  const [first, second] = [await pastDay(db, 2), await pastDay(db, 1)];
  const game = await buildPastGame(db);
  await setParam(db, 'invite.reward', '8.8');
  await setParam(db, 'invite.mostPerDay', '2');
  // There are runs from the first day on which anybody has a share.
  const { userId: nobody } = await buildUser(db);
  await sql`
    with agent as (insert into agent (name, "userId") values ('没有玩家', ${nobody}) returning id)
    insert into agent_rate ("agentId", "validFrom", rate) select id, ${first}::date, 0.01 from agent`.execute(
    db,
  );
  const inviter = (await buildUser(db, { phone: '138 0000 0001', email: 'A@example.com' })).userId;
  await receivesBy(inviter, '6222 1');
  const phases = new Map<number, BuiltPhase>();
  const invite = async (rest: object, amount = '100', played = '100') => {
    const { userId } = await buildUser(db, { balance: '1000', parentId: inviter, ...rest });
    if (amount !== '0') await deposited(userId, amount, first);
    const phase = await game.play(first, [
      { userId, lines: [{ rules: 'first', selection: '9', unitStake: played }] },
    ]);
    phases.set(userId, phase);
    return userId;
  };
  const good = [await invite({ phone: '139' }), await invite({}), await invite({})];
  // What this one played will be void before it is their turn; neither side is rewarded for a test account.
  const lost = await invite({});
  await sql`update player set "testAccount" = true where id = ${await invite({})}`.execute(db);
  const { userId: tester } = await buildUser(db);
  await invite({ parentId: tester });
  await sql`update player set "testAccount" = true where id = ${tester}`.execute(db);
  for (const phone of ['138-0000-0001', '+86 13800000001', '008613800000001', '１３８０００００００１'])
    await invite({ phone });
  await invite({ email: 'a@EXAMPLE.com ' });
  for (const account of ['6222 1', '62221', '６２２２-1']) await receivesBy(await invite({}), account);
  await invite({}, '99.99');
  await invite({}, '0');
  await invite({}, '200', '199');
  await preparedRun(db, first);
  expect(await rewarded(first)).toEqual(good.slice(0, 2));
  await release(first);
  await payReleased(db);
  const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };
  const { gameId, phase } = given(phases.get(lost));
  await db.transaction().execute((tx) => beginVoid(tx, { gameId, phase }, act));
  await settleDue(db);
  await preparedRun(db, second);
  expect(await rewarded(second)).toEqual(good.slice(2));
  await release(second);
  await payReleased(db);
  const { rows } = await sql`
    select "userId", amount, "bizOrderNo" from account_history where "changeType" = 'INVITE_REWARD' order by id`.execute(
    db,
  );
  expect(rows).toEqual(
    [first, second].map((day, place) => ({
      ...{ userId: inviter, amount: place === 0 ? '17.60' : '8.80' },
      bizOrderNo: `BR${day.replaceAll('-', '')}/${inviter}`,
    })),
  );
  expect(await proveBets(db)).toMatchObject({ broken: 0 });
});

it('payments whose connections are killed again and again are made once; one that cannot be posted holds up no other', async () => {
  const users = await buildBettors(db, 900);
  const [full = 0] = users;
  const run = await sql<{ day: string }>`
    insert into rebate_run (day, "seenTime", opposing, "ownSlips") values (current_date - 400, now(), 'BOTH', false) returning day::text`.execute(
    db,
  );
  const day = run.rows[0]?.day ?? '';
  await sql`
    insert into rebate_share ("runDay", day, "userId", kind, agents, amount)
    select ${day}::date, ${day}::date, u, 'REBATE', '{}', 1.23 from unnest(${users}::bigint[]) as u`.execute(
    db,
  );
  await sql`
    insert into rebate_item ("runDay", "userId", kind, due, amount)
    select ${day}::date, u, 'REBATE', 1.23, 1.23 from unnest(${users}::bigint[]) as u`.execute(db);
  await sql`update rebate_run set status = 'PAYING', "releaseTime" = now() where day = ${day}::date`.execute(
    db,
  );
  await sql`select post_entries(array[${full}::bigint], array['MANUAL_ADDITION'], array[999999899999.9], array[null], array[null])`.execute(
    db,
  );
  const left = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from rebate_item where "runDay" = ${day}::date and "postTime" is null`.execute(db);
    return rows[0]?.n ?? -1;
  };
  const workers = [0, 1].map(() =>
    connect(database.url, { timeZone: 'Asia/Shanghai', max: 1, applicationName: 'paying' }),
  );
  let isKilling = true;
  const killing = (async () => {
    while (isKilling)
      await sql`
        select pg_terminate_backend(pid), pg_sleep(0.02) from pg_stat_activity
        where application_name = 'paying' and datname = current_database() and state <> 'idle' limit 1`.execute(
        db,
      );
  })();
  const until = Date.now() + 1_500;
  const work = async (own: Db) => {
    while ((await left()) > 1 && Date.now() < until) await payReleased(own).catch(() => {});
  };
  await Promise.all(workers.map(work));
  isKilling = false;
  await killing;
  for (const own of workers) await payReleased(own);
  await Promise.all(workers.map((own) => own.destroy()));
  expect(await left()).toBe(1);
  const { rows } = await sql`
    select count(*) as n, count(distinct "userId") as users, sum(amount) as sum from account_history
    where "bizOrderNo" like ${`BR${day.replaceAll('-', '')}/%`}`.execute(db);
  expect(rows).toEqual([{ n: 899, users: 899, sum: '1105.77' }]);
  const { rows: waiting } = await sql`
    select "userId", problem from rebate_item where "postTime" is null and amount > 0 and problem is not null`.execute(
    db,
  );
  expect(waiting).toEqual([{ userId: full, problem: '余额超出上限' }]);
  await expectProven(db);
});
