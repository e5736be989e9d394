import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getDrawDesk } from '#contract/draw-desk.ts';
import { cleanDrawPlans, generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { changeGameBetStatus, listGames, updateGame } from '#contract/games.ts';
import { cancelBet, placeBet } from '#contract/platform-bets.ts';
import { getCurrentPhase } from '#contract/platform-catalogue.ts';
import { voidPhase } from '#contract/settlements.ts';
import { cancelSlip } from '#contract/slips.ts';
import { dayOf } from '#server/platform-days.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { addPhase, type Betting, buildBetting, closeBefore, slipOn } from '#server/testing/build-betting.ts';
import { buildPromise } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

/** Edits a game as an operator does. */
async function edit(gameId: number, fields: { stopBetSecond?: number; openRate?: number }): Promise<void> {
  const games = given((await admin.call(listGames, {})).envelope.data);
  const game = given(games.find(({ id }) => id === gameId));
  const { id, version, name, categoryId, openRate, stopBetSecond } = game;
  const edited = { id, version, name, categoryId, openRate, stopBetSecond, ...fields };
  expect((await admin.call(updateGame, edited)).envelope.data).toBe(gameId);
}
const bet = async (betting: Betting) => (await site.call(placeBet, slipOn(betting))).envelope;
const cancel = (id: number) => admin.call(cancelSlip, { id, reason: '玩家误投' });
const currentOf = async (id: number) => given((await site.call(getCurrentPhase, { id })).envelope.data);
const takesBets = async ({ gameId, phase }: Pick<Betting, 'gameId' | 'phase'>) =>
  given((await admin.call(pageDrawPlans, { gameId, phase })).envelope.data?.data[0]).takesBets;
const openOnDesk = async (gameId: number) =>
  given((await admin.call(getDrawDesk, {})).envelope.data?.games.find((game) => game.gameId === gameId)).open;
const at = (text: string | null) => Date.parse(`${text?.replace(' ', 'T')}+08:00`);
const secondsBefore = ({ closeTime, endTime }: { closeTime: string | null; endTime: string | null }) =>
  (at(endTime) - at(closeTime)) / 1000;

it('a phase that has closed is not opened again by another closing of its game, in one step or several', async () => {
  const betting = await buildBetting(server.db, { to: 25, stopBetSecond: 28 });
  const { gameId, phase } = betting;
  for (const stopBetSecond of [2, 1, 28, 3, 0, 2]) {
    await edit(gameId, { stopBetSecond });
    expect((await currentOf(gameId)).phase).toBeNull();
    expect((await bet(betting)).success).toBe(false);
    expect(await takesBets(betting)).toBe(false);
  }
  expect((await bet(betting)).msg).toBe(`期号 ${phase} 已封盘`);
  expect(await openOnDesk(gameId)).toMatchObject({ phase });
  expect(given(await openOnDesk(gameId)).closesIn).toBeLessThanOrEqual(0);
});

it('a slip of a phase that has closed is cancelled by a second operator alone, whatever its game says since', async () => {
  const betting = await buildBetting(server.db, { to: 60, stopBetSecond: 2 });
  const slipId = given((await bet(betting)).data).slipId;
  await closeBefore(server.db, betting.gameId, 70);
  await edit(betting.gameId, { stopBetSecond: 2 });
  expect((await cancel(slipId)).envelope.msg).toBe(`期号 ${betting.phase} 已封盘`);
  expect((await site.call(cancelBet, { slipId })).envelope.msg).toBe(`期号 ${betting.phase} 已封盘`);
  await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    expect(waiting(await cancel(slipId))).toBeGreaterThan(0);
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
});

it('a slip of a phase that has closed is refused at once, whoever holds its player’s account', async () => {
  const betting = await buildBetting(server.db, { to: 60, stopBetSecond: 2 });
  const slipId = given((await bet(betting)).data).slipId;
  await closeBefore(server.db, betting.gameId, 70);
  const answer = await server.db.transaction().execute(async (tx) => {
    await sql`select from account where "userId" = ${betting.userId} for no key update`.execute(tx);
    return site.call(cancelBet, { slipId });
  });
  expect(answer.envelope.msg).toBe(`期号 ${betting.phase} 已封盘`);
});

it('a phase that is open closes when it was told to, neither later nor sooner', async () => {
  const betting = await buildBetting(server.db, { to: 100, stopBetSecond: 28 });
  const { gameId, phase } = betting;
  const told = await currentOf(gameId);
  expect(secondsBefore(told)).toBe(28);
  for (const stopBetSecond of [2, 150, 60]) {
    await edit(gameId, { stopBetSecond });
    expect(await currentOf(gameId)).toMatchObject({ phase, closeTime: told.closeTime });
    expect(await openOnDesk(gameId)).toMatchObject({ phase, closeTime: told.closeTime });
    expect(await takesBets(betting)).toBe(true);
  }
  // What has to wait for the closing does so.
  await edit(gameId, { stopBetSecond: 150 });
  const slipId = given((await bet(betting)).data).slipId;
  const voided = await admin.call(voidPhase, { gameId, phase, reason: '赔率错盘' });
  expect(voided.envelope.msg).toBe(`期号 ${phase} 尚未封盘，不能作废`);
  expect((await cancel(slipId)).envelope.data).toBe(true);
});

it('another closing holds for phases that begin afterwards, and stays theirs', async () => {
  const { gameId } = await buildBetting(server.db, { to: 1.5, stopBetSecond: 28 });
  await addPhase(server.db, gameId, '1001', 1.5, 120);
  await edit(gameId, { stopBetSecond: 50 });
  await expect
    .poll(async () => (await currentOf(gameId)).phase, { timeout: 30_000, interval: 100 })
    .toBe('1001');
  expect(secondsBefore(await currentOf(gameId))).toBe(50);
  expect(given(await openOnDesk(gameId))).toMatchObject({ phase: '1001' });
  await edit(gameId, { stopBetSecond: 3 });
  expect(secondsBefore(await currentOf(gameId))).toBe(50);
  expect(secondsBefore(given(await openOnDesk(gameId)))).toBe(50);
});

it('a game that took no bets, as it closed too late, takes them at once when it closes sooner', async () => {
  const betting = await buildBetting(server.db, { to: 100, stopBetSecond: 1 });
  expect((await bet(betting)).msg).toBe('该游戏的封盘秒数少于 2，不接受投注');
  await edit(betting.gameId, { stopBetSecond: 28 });
  expect(secondsBefore(await currentOf(betting.gameId))).toBe(28);
  expect((await bet(betting)).success).toBe(true);
});

it('a plan that is taken away and made anew closes as the one before it', async () => {
  const betting = await buildBetting(server.db, { phase: '1', from: -90_000, to: -89_900 });
  const { gameId } = betting;
  // One slot a day, so that none ends meanwhile.
  await edit(gameId, { openRate: 86_400 });
  await closeBefore(server.db, gameId, 86_399);
  const day = dayOf(Date.now() / 1000, 'Asia/Shanghai');
  const window = { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` };
  const generate = () => admin.call(generateDrawPlans, window);
  const plan = async () =>
    (await admin.call(pageDrawPlans, { gameId, status: 'WAITTING' })).envelope.data?.data[0];
  expect((await generate()).envelope.data).toBe(1);
  const before = given(await plan());
  await admin.call(changeGameBetStatus, { id: gameId, betStatus: false });
  expect((await admin.call(cleanDrawPlans, { gameId })).envelope.success).toBe(true);
  expect(await plan()).toBeUndefined();
  await edit(gameId, { stopBetSecond: 2 });
  expect((await generate()).envelope.data).toBe(1);
  await admin.call(changeGameBetStatus, { id: gameId, betStatus: true });
  const { phase, startTime, endTime, takesBets: open } = given(await plan());
  expect([startTime, endTime, open]).toEqual([before.startTime, before.endTime, false]);
  expect((await bet({ ...betting, phase })).msg).toBe(`期号 ${phase} 已封盘`);
  expect((await currentOf(gameId)).phase).toBeNull();
});

it('a phase whose draw waits for a public value is closed once that is out, wherever it is asked', async () => {
  const betting = await buildBetting(server.db, { to: 3_600, stopBetSecond: 2 });
  const { gameId, phase } = betting;
  // Its plan was moved after it had been promised.
  await buildPromise(server.db, betting, { beacon: { time: Date.now() / 1000 + 5 } });
  await sql`update draw_plan set commitment = 'a' where "gameId" = ${gameId}`.execute(server.db);
  const slipId = given((await bet(betting)).data).slipId;
  const { closeTime } = await currentOf(gameId);
  expect(at(closeTime)).toBeLessThan(Date.now() + 5_500);
  expect(await openOnDesk(gameId)).toMatchObject({ phase, closeTime });
  await expect.poll(() => takesBets(betting), { timeout: 30_000, interval: 200 }).toBe(false);
  expect((await bet(betting)).msg).toBe(`期号 ${phase} 已封盘`);
  expect((await site.call(cancelBet, { slipId })).envelope.msg).toBe(`期号 ${phase} 已封盘`);
  expect((await admin.call(voidPhase, { gameId, phase, reason: '赔率错盘' })).envelope.success).toBe(true);
});
