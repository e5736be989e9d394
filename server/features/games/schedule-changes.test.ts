import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateDrawPlans } from '#contract/draw-plans.ts';
import {
  addBetTimeRange,
  deleteBetTimeRange,
  pageGames,
  updateGame,
  updateGamePhase,
} from '#contract/games.ts';
import { addDays, dayOf, daysFrom } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const tomorrow = addDays(dayOf(Date.now() / 1000, 'Asia/Shanghai'), 1);
const generate = (gameId: number) =>
  admin.call(generateDrawPlans, {
    gameId,
    beginDate: `${tomorrow} 00:00:00`,
    endDate: `${tomorrow} 23:59:59`,
  });
const shown = async (id: number) => {
  const { envelope } = await admin.call(pageGames, { pageSize: 9999 });
  return given(envelope.data?.data.find((game) => game.id === id));
};
const left = (count: number) =>
  `，已有的开奖计划有 ${count} 期与现在的设置不符，请在该游戏的“开奖计划”菜单里重新生成`;

it('another phase tells how many plans still have the old ones, until they are made anew', async () => {
  const id = await buildGame(server.db, { openRate: 3_600 });
  const set = async (phase: string) => (await admin.call(updateGamePhase, { id, phase })).envelope.msg;
  expect(await set('500')).toBe('修改成功');
  await generate(id);
  expect(await set('700')).toBe(`修改成功${left(24)}`);
  // Said once: an edit that leaves them as they are has nothing to say.
  const { phase, timeRangesDesc, ...game } = await shown(id);
  const edit = { ...game, introduce: '新的说明', timeRanges: undefined, numbers: undefined };
  const edited = await admin.call(updateGame, { ...edit, resultRule: undefined });
  expect(edited.envelope.msg).toBe('修改成功');
  const { version } = await shown(id);
  const faster = { ...edit, version, openRate: 1_800, resultRule: undefined };
  expect((await admin.call(updateGame, faster)).envelope.msg).toBe(`修改成功${left(48)}`);
  await generate(id);
  expect(await set('900')).toBe(`修改成功${left(48)}`);
  // As many as before, and of another phase: that they are not those is said again.
  expect(await set('901')).toBe(`修改成功${left(48)}`);
  expect(await set((await shown(id)).phase)).toBe('修改成功');
});

it('other betting times tell of what they add to planned days and take from them', async () => {
  const timeRanges = [{ start: '10:00:00', end: '12:00:00' }];
  const id = await buildGame(server.db, { openRate: 3_600, phaseRule: 'DAILY', timeRanges });
  const afternoon = { gameId: id, start: '14:00:00', end: '17:00:00' };
  await generate(id);
  const added = await admin.call(addBetTimeRange, afternoon);
  expect(added.envelope.msg).toBe(`新增成功${left(3)}`);
  await generate(id);
  const removed = await admin.call(deleteBetTimeRange, { id: given(added.envelope.data) });
  expect(removed.envelope.msg).toBe(`删除成功${left(3)}`);
});

it('the first betting time of a game numbered by the year tells the phase that its draws since New Year come to', async () => {
  const add = async (gameId: number) => {
    const range = { gameId, start: '00:00:00', end: '00:00:00' };
    return (await admin.call(addBetTimeRange, range)).envelope.msg;
  };
  const byYear = { openRate: 86_400, phaseRule: 'YEARLY', timeRanges: [] } as const;
  const today = dayOf(Date.now() / 1000, 'Asia/Shanghai');
  const year = today.slice(0, 4);
  const count = 1 + daysFrom(`${year}-01-01`, today);
  const reckoned = year + String(count).padStart(3, '0');
  expect(await add(await buildGame(server.db, { ...byYear, phase: `${year}999` }))).toBe(
    `新增成功，当前期号为 ${year}999，按开奖日程推算为 ${reckoned}：与官方不同时请“更新期号”`,
  );
  expect(await add(await buildGame(server.db, { ...byYear, phase: reckoned }))).toBe('新增成功');
  expect(await add(await buildGame(server.db, { ...byYear, phaseRule: 'RUNNING', phase: '7' }))).toBe(
    '新增成功',
  );
});

it('a betting time that is shorter than a draw takes is added, and the answer says that nothing comes of it', async () => {
  const gameId = await buildGame(server.db, { openRate: 604_800, timeRanges: [] });
  const add = async (more: object) =>
    (await admin.call(addBetTimeRange, { gameId, start: '10:00:00', end: '10:05:00', ...more })).envelope.msg;
  expect(await add({})).toBe('新增成功，但这段时间短于开奖间隔 604800 秒，不会有期次');
  expect(await add({ start: '11:00:00', end: '11:05:00', openRate: 300 })).toBe('新增成功');
});

it('a phase that the numbering rule does not go by is taken for its width, and the answer says so', async () => {
  const id = await buildGame(server.db, { openRate: 3_600, phaseRule: 'DAILY', phase: '20260101001' });
  const { phase } = await shown(id);
  const set = async (to: string) => (await admin.call(updateGamePhase, { id, phase: to })).envelope.msg;
  expect(await set(phase)).toBe('修改成功');
  const narrow = phase.slice(0, 8) + phase.slice(-2);
  expect(await set(`${phase.slice(0, 8)}77`)).toBe(
    `修改成功，当前期号仍按期号规则推算为 ${narrow}：所填的期号只决定位数`,
  );
});
