import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  generateDrawPlans,
  type PlanOutlook,
  pageDrawPlans,
  previewDrawPlans,
} from '#contract/draw-plans.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { addDays, dayOf } from '#server/platform-days.ts';
import { addPhase, buildBetting, slipOn } from '#server/testing/build-betting.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
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

const tomorrow = () => addDays(dayOf(Date.now() / 1000, 'Asia/Shanghai'), 1);
const windowOf = (gameId: number, date = tomorrow()) => ({
  ...{ gameId, beginDate: `${date} 00:00:00`, endDate: `${date} 23:59:59` },
});
const outlook = async (gameId: number): Promise<PlanOutlook['fates']> =>
  (await admin.call(previewDrawPlans, windowOf(gameId))).envelope.data?.fates ?? [];
const plansOf = async (gameId: number) =>
  (await admin.call(pageDrawPlans, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
const told = (plans: PlanOutlook['fates']) => plans.map(({ what, why, count }) => [what, why, count]);

it('tells what would be added, and does nothing; then what was added is kept', async () => {
  const gameId = await buildGame(server.db);
  const [row] = await outlook(gameId);
  expect(row).toMatchObject({
    ...{ what: 'ADDED', why: '日程中还没有计划的期次', count: 288 },
    ...{ from: `${tomorrow()} 00:00:00`, to: `${addDays(tomorrow(), 1)} 00:00:00` },
  });
  expect(Number(row?.lastPhase) - Number(row?.firstPhase)).toBe(287);
  expect(await plansOf(gameId)).toEqual([]);
  expect((await admin.call(generateDrawPlans, windowOf(gameId))).envelope.data).toBe(288);
  const before = await plansOf(gameId);
  expect(before.at(-1)?.phase).toBe(row?.firstPhase);
  expect(told(await outlook(gameId))).toEqual([['KEPT', '与日程一致', 288]]);
  expect(await plansOf(gameId)).toEqual(before);
});

it('tells why each of the others goes, stays or becomes another, as generating then does', async () => {
  const gameId = await buildGame(server.db);
  await admin.call(generateDrawPlans, windowOf(gameId));
  const plans = (await plansOf(gameId)).toReversed();
  const idOf = (place: number) => plans[place]?.id ?? 0;
  const change = (place: number, set: string) =>
    sql`update draw_plan set ${sql.raw(set)} where id = ${idOf(place)}`.execute(server.db);
  await change(0, `status = 'OPENED'`);
  await change(1, `status = 'OPENING'`);
  // Another phase at its time, another time for its phase, and a time that the schedule has not.
  const instead = async (place: number, phase: string, later: string) => {
    const { startTime = '', endTime = '' } = plans[place] ?? {};
    await sql`delete from draw_plan where id = ${idOf(place)}`.execute(server.db);
    await sql`
      insert into draw_plan ("gameId", phase, "startTime", "endTime")
      values (${gameId}, ${phase}, ${startTime}::timestamptz + ${later}::interval, ${endTime}::timestamptz + ${later}::interval)`.execute(
      server.db,
    );
  };
  await instead(10, 'X10', '0');
  await instead(20, plans[20]?.phase ?? '', '7 days');
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select ${gameId}, 'X30', "startTime" + interval '1 minute', "endTime" + interval '1 minute' from draw_plan
    where id = ${idOf(30)}`.execute(server.db);
  const wanted = await outlook(gameId);
  expect(told(wanted)).toEqual([
    ['KEPT', '已有开奖结果', 1],
    ['KEPT', '已到开奖时间，等待结果', 1],
    ['KEPT', '与日程一致', 284],
    ['REPLACED', '期号改为日程中的期号', 1],
    ['REMOVED', '不在现在的日程中', 1],
    ['REPLACED', '时间改为日程中的时间', 1],
  ]);
  expect(wanted.find(({ why }) => why === '不在现在的日程中')).toMatchObject({
    firstPhase: 'X30',
    lastPhase: 'X30',
  });
  expect((await admin.call(generateDrawPlans, windowOf(gameId))).envelope.success).toBe(true);
  const slots = (list: typeof plans) =>
    list.map(({ phase, startTime, endTime }) => `${startTime} ${endTime} ${phase}`).toSorted();
  expect(slots(await plansOf(gameId))).toEqual(slots(plans));
  expect(told(await outlook(gameId)).map(([what]) => what)).toEqual(['KEPT', 'KEPT', 'KEPT']);
});

it('keeps what betting has begun on, and is refused for what generating is refused for', async () => {
  const betting = await buildGame(server.db, {
    stopBetSecond: 5,
    timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
  });
  await sql`update game set "betStatus" = true where id = ${betting}`.execute(server.db);
  const today = windowOf(betting, dayOf(Date.now() / 1000, 'Asia/Shanghai'));
  await admin.call(generateDrawPlans, today);
  const { data } = (await admin.call(previewDrawPlans, today)).envelope;
  expect(told(data?.fates ?? [])).toContainEqual(['KEPT', '已开始投注', 1]);
  const wrong = { ...windowOf(betting), endDate: '2020-01-01 00:00:00' };
  expect((await admin.call(previewDrawPlans, wrong)).envelope).toMatchObject({
    ...{ success: false, data: { errors: { endDate: '结束时间不能早于开始时间' } } },
  });
  const fast = await buildGame(server.db, { openRate: 1, stopBetSecond: 0 });
  const month = {
    gameId: fast,
    beginDate: `${tomorrow()} 00:00:00`,
    endDate: `${addDays(tomorrow(), 5)} 00:00:00`,
  };
  const refused = (await admin.call(generateDrawPlans, month)).envelope.msg;
  expect(refused).toContain('150000');
  expect((await admin.call(previewDrawPlans, month)).envelope.msg).toBe(refused);
});

it('does exactly what was foreseen, or nothing once the ground has changed', async () => {
  const gameId = await buildGame(server.db);
  const window = windowOf(gameId);
  const foreseen = async () => (await admin.call(previewDrawPlans, window)).envelope.data?.digest ?? '';
  const first = await foreseen();
  expect(await foreseen()).toBe(first);
  expect((await admin.call(generateDrawPlans, { ...window, digest: first })).envelope.data).toBe(288);
  const plans = await plansOf(gameId);
  // All are there now: the same digest would add them once more.
  const stale = '预览之后情况已变化，没有生成任何计划，请重新预览';
  expect((await admin.call(generateDrawPlans, { ...window, digest: first })).envelope.msg).toBe(stale);
  expect(await plansOf(gameId)).toEqual(plans);
  const [gone] = plans;
  const digest = await foreseen();
  await sql`delete from draw_plan where id = ${gone?.id ?? 0}`.execute(server.db);
  expect((await admin.call(generateDrawPlans, { ...window, digest })).envelope.msg).toBe(stale);
  expect(await plansOf(gameId)).toHaveLength(287);
  const again = await foreseen();
  expect((await admin.call(generateDrawPlans, { ...window, digest: again })).envelope.success).toBe(true);
  expect((await plansOf(gameId)).map(({ phase }) => phase)).toEqual(plans.map(({ phase }) => phase));
});

it('says of each plan that stays whether slips, a record or a promise keeps it', async () => {
  const gameId = await buildGame(server.db);
  await admin.call(generateDrawPlans, windowOf(gameId));
  const [promised] = (await plansOf(gameId)).toReversed();
  await sql`update draw_plan set commitment = repeat('a', 64) where id = ${promised?.id ?? 0}`.execute(
    server.db,
  );
  expect(told(await outlook(gameId))).toEqual([
    ['KEPT', '与日程一致，开奖已承诺', 1],
    ['KEPT', '与日程一致', 287],
  ]);
  // Betting on it is over and begun on another; a slip keeps what no schedule has any more.
  const today = dayOf(Date.now() / 1000, 'Asia/Shanghai');
  const betting = await buildBetting(server.db, { phase: 'BET' });
  await addPhase(server.db, betting.gameId, 'FREE', -30, 3_000);
  const site = server.site();
  expect((await site.call(placeBet, slipOn(betting))).envelope.success).toBe(true);
  await sql`update game set "betStatus" = false where id = ${betting.gameId}`.execute(server.db);
  const window = { ...windowOf(betting.gameId, today), beginDate: `${addDays(today, -1)} 00:00:00` };
  const { data } = (await admin.call(previewDrawPlans, window)).envelope;
  const fateOf = (phase: string) =>
    data?.fates.find(({ firstPhase, lastPhase }) => [firstPhase, lastPhase].includes(phase));
  expect(fateOf('BET')).toMatchObject({ what: 'KEPT', why: '已有注单', count: 1 });
  expect(fateOf('FREE')).toMatchObject({ what: 'REMOVED', why: '不在现在的日程中' });
  await admin.call(generateDrawPlans, { ...window, digest: data?.digest });
  const phases = (await plansOf(betting.gameId)).map(({ phase }) => phase);
  expect(phases).toContain('BET');
  expect(phases).not.toContain('FREE');
});
