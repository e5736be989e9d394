import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getDrawDesk } from '#contract/draw-desk.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildBettors, buildSlips, claimResults, recordResult } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { foldExposure } from '../exposure/exposure-store.ts';
import { settleDue } from '../settlements/settle.ts';

const DESK = '/main/game/draw-desk';
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const desk = async (client: TestClient = admin) => given((await client.call(getDrawDesk, {})).envelope.data);
const gameOn = async (gameId: number, client?: TestClient) =>
  given((await desk(client)).games.find((game) => game.gameId === gameId));
const waitsOf = async (gameId: number, client?: TestClient) =>
  (await desk(client)).waits.filter((wait) => wait.gameId === gameId);

/** A phase of a game, from so many minutes ago until so many after now. */
const plan = (gameId: number, phase: string, from: number, to: number, status = 'WAITTING') =>
  sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status, "lateTime")
    values (${gameId}, ${phase}, date_trunc('second', now()) + make_interval(mins => ${from}::int),
      date_trunc('second', now()) + make_interval(mins => ${to}::int), ${status},
      case when ${status} = 'OPENING' then now() end)`.execute(server.db);
/** What a result of a source makes of its phase. */
async function drawn(gameId: number, phase: string, result: string): Promise<number> {
  const recordId = await recordResult(server.db, { gameId, phase }, result);
  await sql`update draw_plan set status = 'OPENED' where "gameId" = ${gameId} and phase = ${phase}`.execute(
    server.db,
  );
  return recordId;
}
const numbers = Array.from({ length: 10 }, (_, number) => String(number));

it('tells of each game that is on the open phase, what is left of it, its stakes, last results and sources', async () => {
  const { db } = server;
  const gameId = await buildGame(db, { name: '现在彩', stopBetSecond: 30, numbers });
  const off = await buildGame(db, { status: false });
  const idle = await buildGame(db, { name: '休息彩' });
  for (let n = 1; n <= 7; n += 1) {
    await plan(gameId, `10${n}`, -60 + n, -59 + n, 'OPENING');
    await drawn(gameId, `10${n}`, `${n},0,0,0,0`);
    await sql`update draw_record set "openTime" = now() - make_interval(mins => ${60 - n}::int)
      where "gameId" = ${gameId} and phase = ${`10${n}`}`.execute(db);
  }
  await plan(gameId, '108', -4, 2);
  await plan(gameId, '109', 2, 8);
  await plan(idle, '201', -30, -20, 'OPENED');
  await plan(idle, '202', 30, 40);
  const [userId = 0, tester = 0] = await buildBettors(db, 2);
  const line = { rules: 'first', selection: '1', unitStake: '12.5' } as const;
  await buildSlips(db, { gameId, phase: '108' }, [{ userId, lines: [line] }]);
  await foldExposure(db);
  await buildSlips(db, { gameId, phase: '108' }, [
    { userId, lines: [line, line] },
    { userId: tester, testAccount: true, lines: [line] },
  ]);
  await sql`insert into spider ("gameId", name, "spiderServiceName", enabled, "consecutiveFailures", "lastError", "lastSuccessTime")
    values (${gameId}, '甲', 'JsonPathSpider', true, 0, null, now()), (${gameId}, '乙', 'JsonPathSpider', true, 3, '超时', null),
      (${gameId}, '丙', 'JsonPathSpider', false, 9, '停用', null)`.execute(db);
  const told = await gameOn(gameId);
  expect(told).toMatchObject({
    ...{ gameName: '现在彩', betStatus: false },
    open: { phase: '108', stake: '37.50' },
    next: { phase: '109' },
    sources: { enabled: 2, failing: 1, lastError: '超时' },
  });
  expect(told.last?.map(({ phase, result }) => `${phase} ${result[0]}`)).toEqual([
    '107 7',
    '106 6',
    '105 5',
    '104 4',
    '103 3',
  ]);
  const { drawsIn, closesIn } = given(told.open);
  expect(drawsIn - closesIn).toBe(30);
  expect(drawsIn).toBeGreaterThan(60);
  expect(drawsIn).toBeLessThanOrEqual(120);
  expect(await gameOn(idle)).toMatchObject({ open: null, next: { phase: '202' }, last: [], sources: null });
  expect((await desk()).games.map((game) => game.gameId)).not.toContain(off);
});

it('tells what waits for a person, why and since when', async () => {
  const { db } = server;
  const gameId = await buildGame(db, { name: '等待彩', status: false, numbers });
  await plan(gameId, '1', -50, -45, 'OPENING');
  await plan(gameId, '2', -40, -35, 'OPENING');
  await plan(gameId, '3', -30, -25, 'OPENING');
  await plan(gameId, '4', -20, -15, 'OPENING');
  await sql`insert into draw_alarm ("gameId", phase, reason, "createTime", "lastTime", "nextTime")
    values (${gameId}, '2', '种子已失', now() - interval '9 minutes', now(), now())`.execute(db);
  const recordId = await drawn(gameId, '3', '1,2,3,4,5');
  await claimResults(db, recordId, ['5,4,3,2,1']);
  await sql`update draw_record set conflict = true where id = ${recordId}`.execute(db);
  await sql`insert into draw_word ("gameId", phase, source, result, "openTime", "createTime") values
    (${gameId}, '4', '甲', '1,1,1,1,1', now(), now() - interval '3 minutes'),
    (${gameId}, '4', '乙', '2,2,2,2,2', now(), now() - interval '2 minutes'),
    (${gameId}, '3', '甲', '1,2,3,4,5', now(), now())`.execute(db);
  await sql`insert into draw_entry ("gameId", phase, result, evidence, reason, "operatorId", "userName", "dueTime")
    values (${gameId}, '1', '9,9,9,9,9', '官网截图', '来源无响应', 1, '录入员', now() + interval '10 minutes')`.execute(
    db,
  );
  const waits = await waitsOf(gameId);
  const by = (kind: string, phase: string) =>
    given(waits.find((wait) => wait.kind === kind && wait.phase === phase));
  expect(waits.map(({ kind, phase }) => `${kind} ${phase}`).toSorted()).toEqual(
    ['LATE 1', 'ALARM 2', 'CONFLICT 3', 'LATE 4', 'AWAITED 4', 'ENTRY 1'].toSorted(),
  );
  expect(by('LATE', '1').age).toBeGreaterThanOrEqual(45 * 60);
  expect(by('ALARM', '2')).toMatchObject({ note: '种子已失', voidable: false });
  expect(by('ALARM', '2').age).toBeGreaterThanOrEqual(9 * 60);
  expect(by('CONFLICT', '3').record).toMatchObject({
    ...{ id: recordId, result: '1,2,3,4,5', conflict: true },
    conflicts: [{ source: '另一来源', result: '5,4,3,2,1' }],
  });
  expect(by('AWAITED', '4').note).toBe('甲：1,1,1,1,1；乙：2,2,2,2,2');
  expect(by('AWAITED', '4').age).toBeGreaterThanOrEqual(3 * 60);
  expect(by('ENTRY', '1').note).toMatch(/^录入员 录入 9,9,9,9,9，.* 生效$/);
});

it('shows the newest that waits of every game, whatever long waits elsewhere, and how many wait in all', async () => {
  const { db } = server;
  const [silent, other] = [await buildGame(db, { name: '哑彩' }), await buildGame(db, { name: '新逾期彩' })];
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status, "lateTime")
    select ${silent}::bigint, n::text, now() - make_interval(mins => 200 - n), now() - make_interval(mins => 199 - n), 'OPENING', now()
    from generate_series(1, 120) as n`.execute(db);
  await plan(other, '1', -2, -1, 'OPENING');
  expect(await waitsOf(other)).toMatchObject([{ kind: 'LATE', phase: '1', total: 1 }]);
  const waits = await waitsOf(silent);
  expect(waits.map(({ phase }) => phase)).toEqual(['116', '117', '118', '119', '120']);
  expect(new Set(waits.map(({ total }) => total))).toEqual(new Set([120]));
});

it('shows no phase as late on which all bets are void', async () => {
  const { db } = server;
  const gameId = await buildGame(db, { name: '全部作废彩' });
  for (const n of [1, 2, 3]) await plan(gameId, String(n), 10 * n - 60, 10 * n - 55, 'OPENING');
  const { rows } = await sql<{ id: number }>`
    insert into settlement ("gameId", phase, kind, status, "userName", reason, "endTime", "playWayId") values
      (${gameId}, '1', 'VOID', 'DONE', '值班员', '来源漏了这一期', now(), null),
      (${gameId}, '2', 'VOID', 'DONE', '值班员', '只作废一个玩法', now(), 7) returning id`.execute(db);
  const late = async () =>
    (await waitsOf(gameId)).flatMap(({ kind, phase }) => (kind === 'LATE' ? [phase] : [])).toSorted();
  expect(await late()).toEqual(['2', '3']);
  await sql`insert into settlement ("gameId", phase, kind, status, "userName", reason, "endTime", undoes)
    values (${gameId}, '1', 'UNVOID', 'DONE', '值班员', '误操作', now(), ${rows[0]?.id})`.execute(db);
  expect(await late()).toEqual(['1', '2', '3']);
});

it('tells of settlements that are held, and of the voids of a day until they are taken back', async () => {
  const { db } = server;
  const gameId = await buildGame(db, { name: '结算彩', status: false, numbers });
  await plan(gameId, '1', -50, -45, 'OPENING');
  const [userId = 0] = await buildBettors(db, 1);
  // Rules that nobody can read any more are for a person.
  await buildSlips(db, { gameId, phase: '1' }, [
    { userId, lines: [{ rules: 'broken', selection: '1', unitStake: '10' }] },
  ]);
  await drawn(gameId, '1', '1,2,3,4,5');
  await settleDue(db);
  const [held] = await waitsOf(gameId);
  expect(held).toMatchObject({ kind: 'HELD', phase: '1', bigWins: 0 });
  expect(given(held).settlementId).not.toBeNull();
  const voided = await sql<{ id: number }>`
    insert into settlement ("gameId", phase, kind, status, "userName", reason, "endTime", "startTime") values
      (${gameId}, '7', 'VOID', 'DONE', '值班员', '号码球故障', now(), now()),
      (${gameId}, '8', 'VOID', 'DONE', '值班员', '前天的', now(), now() - interval '2 days') returning id`.execute(
    db,
  );
  const told = async () => (await waitsOf(gameId)).filter(({ kind }) => kind === 'VOIDED');
  expect(await told()).toMatchObject([{ phase: '7', note: '值班员：号码球故障' }]);
  await sql`insert into settlement ("gameId", phase, kind, status, "userName", reason, "endTime", undoes)
    values (${gameId}, '7', 'UNVOID', 'DONE', '值班员', '误操作', now(), ${voided.rows[0]?.id})`.execute(db);
  expect(await told()).toEqual([]);
});

it('shows each part to those alone who may open its list, and no stakes to whoever enters results', async () => {
  const { db } = server;
  const gameId = await buildGame(db, { name: '权限彩', numbers });
  await plan(gameId, '1', -5, 5);
  await plan(gameId, '0', -30, -25, 'OPENING');
  const as = async (...grants: string[]) =>
    server.as((await buildOperator(db, { grants: [DESK, ...grants] })).username, PASSWORD);
  const bare = await as();
  expect(await gameOn(gameId, bare)).toMatchObject({
    open: { phase: '1', stake: null },
    last: null,
    sources: null,
  });
  expect((await desk(bare)).waits).toEqual([]);
  const planner = await as('/main/game/open-plan');
  expect((await waitsOf(gameId, planner)).map(({ kind }) => kind)).toEqual(['LATE']);
  expect(new Set((await desk(planner)).waits.map(({ kind }) => kind))).not.toContain('HELD');
  const enterer = await as('/main/game/open-record', '/main/game/spider', 'game:openRecord:enter');
  expect(await gameOn(gameId, enterer)).toMatchObject({ open: { stake: null }, last: [] });
  expect(await gameOn(gameId, await as('/main/bet/exposure'))).toMatchObject({ open: { stake: '0.00' } });
  const { username } = await buildOperator(db, { grants: ['/main/game/open-plan'] });
  expect((await (await server.as(username, PASSWORD)).call(getDrawDesk, {})).status).toBe(403);
});

it('shows the games that were added first, and says how many are on', async () => {
  const { db } = server;
  const before = await desk();
  expect(before.totalGames).toBe(before.games.length);
  const { rows } = await sql<{ id: number }>`
    insert into game (name, "categoryId", phase, "phaseTime", "openRate", "stopBetSecond", status)
    select '众多彩 ' || n, (select min(id) from game_category), '1', now(), 300, 0, true from generate_series(1, 500) as n returning id`.execute(
    db,
  );
  const { games, totalGames } = await desk();
  expect([games.length, totalGames]).toEqual([500, before.games.length + 500]);
  expect(games.slice(0, before.games.length).map(({ gameId }) => gameId)).toEqual(
    before.games.map(({ gameId }) => gameId),
  );
  await sql`delete from game where id = any(${rows.map(({ id }) => id)}::bigint[])`.execute(db);
});
