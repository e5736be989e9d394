import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  cleanDrawPlans,
  cleanDrawPlansExceptToday,
  generateDrawPlans,
  pageDrawPlans,
} from '#contract/draw-plans.ts';
import { deleteGame, updateGamePhase } from '#contract/games.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { addDays, dayOf } from '#server/platform-days.ts';
import { addPhase, type Betting, buildBetting } from '#server/testing/build-betting.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import { ownerOf } from '#server/testing/owner-of.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  admin = await server.admin();
});
afterAll(() => server.close());

const bet = async ({ userId, gameId, phase, bigSmall }: Betting) => {
  const lines = [{ playWayId: bigSmall, selection: '大', unitStake: '10' }];
  const wanted = { userId, gameId, phase, bizNo: randomUUID(), lines };
  expect((await server.site().call(placeBet, wanted)).envelope.success).toBe(true);
};
const today = () => dayOf(Date.now() / 1000, 'Asia/Shanghai');
const generate = async (gameId: number, day = today()) => {
  const window = { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` };
  return (await admin.call(generateDrawPlans, window)).envelope;
};
const plansOf = async (gameId: number) =>
  (await admin.call(pageDrawPlans, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];

it('a plan whose betting has begun is never deleted, replaced or renumbered, and the answer says so', async () => {
  const betting = await buildBetting(server.db, { from: -90, to: 150 });
  const { gameId, planId } = betting;
  await bet(betting);
  const [before] = await plansOf(gameId);
  expect((await admin.call(updateGamePhase, { id: gameId, phase: '7000' })).envelope.success).toBe(true);
  await sql`update game set "openRate" = 60 where id = ${gameId}`.execute(server.db);
  const generated = await generate(gameId);
  expect(generated.msg).toMatch(/^已生成 \d+ 期，1 期已开始投注，保留不变$/);
  const plans = await plansOf(gameId);
  expect(plans).toContainEqual(before);
  const start = before?.startTime ?? '';
  const end = before?.endTime ?? '';
  const overlapping = plans.filter((plan) => plan.startTime < end && plan.endTime > start);
  expect(overlapping.map(({ id }) => id)).toEqual([planId]);
  expect(plans.every(({ id, phase }) => id === planId || Number(phase) >= 7000)).toBe(true);
  const cleaned = (await admin.call(cleanDrawPlans, { gameId })).envelope;
  expect(cleaned.msg).toBe(`已清除 ${plans.length - 1} 期，1 期已开始投注，保留不变`);
  expect(await plansOf(gameId)).toEqual([before]);
  await addPhase(server.db, gameId, '9000', 3 * 86_400, 3 * 86_400 + 60);
  expect((await admin.call(cleanDrawPlansExceptToday, { gameId })).envelope.msg).toMatch(/^已清除 1 期/);
  expect(await plansOf(gameId)).toEqual([before]);
  expect((await admin.call(deleteGame, { id: gameId })).envelope.msg).toContain('不能删除');
});

it('whoever waits for others that plan the game finds the betting that has begun meanwhile', async () => {
  const waiting = await Promise.all([1, 2].map(() => buildBetting(server.db, { from: 2, to: 150 })));
  const [cleared, planned] = waiting.map(({ gameId }) => gameId) as [number, number];
  const calls = await server.db.transaction().execute(async (tx) => {
    await sql`select from game where id = any(${[cleared, planned]}::bigint[]) for update`.execute(tx);
    const begun = [admin.call(cleanDrawPlans, { gameId: cleared }), generate(planned)] as const;
    await expect.poll(() => waitForLocks(server.db), { interval: 20 }).toBe(begun.length);
    await sql`select pg_sleep(extract(epoch from max("startTime") - clock_timestamp()) + 0.1) from draw_plan
      where "gameId" = any(${[cleared, planned]}::bigint[])`.execute(tx);
    return begun;
  });
  expect((await calls[0]).envelope.msg).toBe('已清除 0 期，1 期已开始投注，保留不变');
  expect((await calls[1]).msg).toMatch(/，1 期已开始投注，保留不变$/);
});

it('betting that is turned off again leaves a plan with slips where it is, and one without to be planned anew', async () => {
  const betting = await buildBetting(server.db, { from: -90, to: 150 });
  const bare = await buildBetting(server.db, { from: -90, to: 150 });
  await bet(betting);
  await sql`update game set "betStatus" = false where id in (${betting.gameId}, ${bare.gameId})`.execute(
    server.db,
  );
  expect((await admin.call(cleanDrawPlans, { gameId: betting.gameId })).envelope.msg).toBe(
    '已清除 0 期，1 期已开始投注，保留不变',
  );
  expect((await admin.call(cleanDrawPlans, { gameId: bare.gameId })).envelope.msg).toBe('已清除 1 期');
  expect((await generate(bare.gameId, addDays(today(), 1))).msg).toBe('已生成 288 期');
});

it('the database itself keeps a plan with slips, and its times', async () => {
  const betting = await buildBetting(server.db);
  const { planId } = betting;
  await sql`update draw_plan set "endTime" = "endTime" + interval '1 minute' where id = ${planId}`.execute(
    server.db,
  );
  await bet(betting);
  for (const act of [
    sql`delete from draw_plan where id = ${planId}`,
    sql`update draw_plan set "endTime" = "endTime" + interval '1 minute' where id = ${planId}`,
    sql`update draw_plan set "startTime" = "startTime" - interval '1 minute' where id = ${planId}`,
  ])
    await expect(act.execute(server.db)).rejects.toMatchObject({ code: 'BE002', detail: '1000' });
});

/** On a slow machine what a bet waits for here would be held for longer than the second that it has. */
const giveBetsTime = () =>
  sql`create or replace function betting_patience() returns void language plpgsql as $$
    begin perform set_config('lock_timeout', '60s', true); end $$`.execute(ownerOf(server.db));

it('whoever bets while a plan is being removed finds it gone, and whoever removes one that is being bet on finds the slip', {
  retry: 0,
}, async () => {
  await giveBetsTime();
  const betting = await buildBetting(server.db);
  const { gameId, planId, userId, bigSmall, phase } = betting;
  const wanted = () => ({
    ...{ userId, gameId, phase, bizNo: randomUUID() },
    lines: [{ playWayId: bigSmall, selection: '大', unitStake: '10' }],
  });
  const site = server.site();
  const waiting = sql<{
    n: number;
  }>`select count(*) as n from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const someoneWaits = () =>
    expect.poll(async () => (await waiting.execute(server.db)).rows[0]?.n, { interval: 5 }).toBe(1);
  // The bettor's transaction is held open by the account of the player, which somebody else has.
  let removing: Promise<unknown> = Promise.resolve();
  let placing: Promise<{ envelope: { success: boolean } }> | undefined;
  await server.db.transaction().execute(async (tx) => {
    await sql`select from account where "userId" = ${userId} for update`.execute(tx);
    placing = site.call(placeBet, wanted());
    // Tried together with others it lets go of everything once more, and begins again by itself.
    await expect.poll(() => waitForLocks(server.db), { interval: 5 }).toBe(1);
    removing = sql`delete from draw_plan where id = ${planId}`
      .execute(server.db)
      .catch((error: unknown) => error);
    await someoneWaits();
  });
  expect((await placing)?.envelope.success).toBe(true);
  expect(await removing).toMatchObject({ code: 'BE002' });
  const other = await buildBetting(server.db);
  const late = {
    ...wanted(),
    gameId: other.gameId,
    lines: [{ playWayId: other.bigSmall, selection: '大', unitStake: '10' }],
  };
  let refused: Promise<{ envelope: { msg: string | null } }> | undefined;
  await server.db.transaction().execute(async (tx) => {
    await sql`delete from draw_plan where id = ${other.planId}`.execute(tx);
    refused = site.call(placeBet, late);
    await someoneWaits();
  });
  expect((await refused)?.envelope.msg).toBe(`期号 ${phase} 不存在`);
});
