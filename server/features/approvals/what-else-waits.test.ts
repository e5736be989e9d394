import { afterAll, expect, it } from 'vitest';
import { addGameNumber, listGameNumbersByGame, updateGameNumber } from '#contract/game-numbers.ts';
import { type Game, listGames, updateGame } from '#contract/games.ts';
import { addMenu, deleteMenu, listMenus, type Menu } from '#contract/menus.ts';
import { addOdds, setOdds, updateOdds } from '#contract/odds.ts';
import { addPlayWay, pagePlayWays } from '#contract/play-ways.ts';
import { setParam, startApproving, waiting } from '#server/testing/approving.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { given } from '#server/testing/given.ts';
import { sendTable } from '#server/testing/send-table.ts';

const { server, admin, release, whyOf } = await startApproving();
afterAll(() => server.close());

const playWaysOf = async (gameId: number) =>
  (await admin.call(pagePlayWays, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
const numbersOf = async (gameId: number) =>
  (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
const gameOf = async (gameId: number): Promise<Game> =>
  given((await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === gameId));

/** A play way on the numbers 1, 2 and 3, of which 1 has odds by which the house keeps a tenth. */
async function threeNumbers() {
  const built = await buildPlayWay(admin, ['1', '2', '3']);
  const [one] = await numbersOf(built.gameId);
  const numberId = given(one).id;
  await admin.call(addOdds, { playWayId: built.playWayId, numberIds: [numberId], odds: '2.7' });
  return { ...built, numberId };
}
const editOf = ({ id, version, name, categoryId, openRate, stopBetSecond }: Game) => ({
  ...{ id, version, name, categoryId, openRate, stopBetSecond },
});

it('odds that are typed over wait when one of them returns more than 1, and are what they were until then', async () => {
  const { gameId, playWayId, numberId } = await threeNumbers();
  const set = (odds: string, seen: string) =>
    admin.call(setOdds, { playWayId, rows: [{ numberId, odds, seen }] });
  const oddsNow = async () => (await playWaysOf(gameId))[0]?.odds.map(({ odds }) => odds);
  expect((await set('2.9', '2.7')).envelope.data).toBe(1);
  const id = waiting(await set('3.3', '2.9'));
  expect(await whyOf(id)).toBe('玩法“猜号”的“1”返还率 1.1，高于 1');
  expect(await oddsNow()).toEqual(['2.9']);
  expect((await release(id)).data).toBe(1);
  expect(await oddsNow()).toEqual(['3.3']);
});

it('odds that come to return more than who releases them was told are not released', async () => {
  const { gameId, playWayId, numberId } = await threeNumbers();
  const among = async (...of: string[]) => {
    const resultRule = { parts: [{ count: 1, of, repeat: false, ordered: true }] };
    return (await admin.call(updateGame, { ...editOf(await gameOf(gameId)), resultRule })).envelope.data;
  };
  expect(await among('1', '2', '3', '4')).toBe(gameId);
  const id = waiting(
    await admin.call(setOdds, { playWayId, rows: [{ numberId, odds: '4.4', seen: '2.7' }] }),
  );
  expect(await whyOf(id)).toBe('玩法“猜号”的“1”返还率 1.1，高于 1');
  expect(await among('1', '2', '3')).toBe(gameId);
  expect((await release(id)).msg).toContain('提交之后情况已变化');
  expect((await playWaysOf(gameId))[0]?.odds).toMatchObject([{ odds: '2.7' }]);
});

it('odds of one number wait alike', async () => {
  const { gameId } = await threeNumbers();
  const [row] = given((await playWaysOf(gameId))[0]).odds;
  const set = (odds: string) => admin.call(updateOdds, { id: given(row).id, odds });
  expect((await set('2.9')).envelope.data).toBe(true);
  const id = waiting(await set('3.3'));
  expect(await whyOf(id)).toBe('玩法“猜号”的“1”返还率 1.1，高于 1');
  expect((await release(id)).data).toBe(true);
  expect((await playWaysOf(gameId))[0]?.odds).toMatchObject([{ odds: '3.3', returnRate: '1.1' }]);
});

it('another rule of what a result is waits when it makes a number come more often than its odds allow', async () => {
  const { gameId } = await threeNumbers();
  const game = await gameOf(gameId);
  const rule = (of: string[]) => ({ parts: [{ count: 1, of, repeat: false, ordered: true }] });
  expect(
    (await admin.call(updateGame, { ...editOf(game), resultRule: rule(['1', '2', '3', '4']) })).envelope.data,
  ).toBe(gameId);
  const id = waiting(
    await admin.call(updateGame, { ...editOf(await gameOf(gameId)), resultRule: rule(['1', '2']) }),
  );
  expect(await whyOf(id)).toBe('玩法“猜号”的“1”返还率 1.35，高于 1');
  expect((await gameOf(gameId)).resultRule?.parts[0]?.of).toHaveLength(4);
  expect((await release(id)).data).toBe(gameId);
  expect((await gameOf(gameId)).resultRule?.parts[0]?.of).toEqual(['1', '2']);
});

it('a number that is renamed to one that is drawn waits with the odds that follow it', async () => {
  const { gameId, playWayId } = await threeNumbers();
  const game = await gameOf(gameId);
  const of = ['1', '2', '3', '4'];
  await admin.call(updateGame, {
    ...editOf(game),
    resultRule: { parts: [{ count: 1, of, repeat: false, ordered: true }] },
  });
  const numberId = given((await admin.call(addGameNumber, { gameId, number: '9' })).envelope.data);
  if (typeof numberId !== 'number') throw new Error('not added');
  // Nothing is won on what is never drawn.
  expect((await admin.call(addOdds, { playWayId, numberIds: [numberId], odds: '8' })).envelope.data).toBe(
    true,
  );
  expect((await admin.call(updateGameNumber, { id: numberId, number: '8' })).envelope.data).toBe(numberId);
  const id = waiting(await admin.call(updateGameNumber, { id: numberId, number: '4' }));
  expect(await whyOf(id)).toBe('玩法“猜号”的“4”返还率 2，高于 1');
  expect((await numbersOf(gameId)).map(({ number }) => number)).toContain('8');
  expect((await release(id)).data).toBe(numberId);
  expect((await numbersOf(gameId)).map(({ number }) => number)).toContain('4');
});

it('a play way that is added with what is paid waits where that is too much', async () => {
  const { gameId } = await threeNumbers();
  const { subCategoryId, betLatitudeId } = given((await playWaysOf(gameId))[0]);
  const selection = { kind: 'PLACES' as const, places: 1, of: ['1', '2', '3'] };
  const add = (name: string, odds: string) =>
    admin.call(addPlayWay, { subCategoryId, betLatitudeId, name, selection, outcomes: [{ name, odds }] });
  expect((await add('直选', '2.9')).envelope.data).toBeTypeOf('number');
  const id = waiting(await add('高赔直选', '3.6'));
  expect(await whyOf(id)).toBe('玩法“高赔直选”的“高赔直选”返还率 1.2，高于 1');
  const names = async () => (await playWaysOf(gameId)).map(({ name }) => name);
  expect(await names()).not.toContain('高赔直选');
  expect((await release(id)).data).toBeTypeOf('number');
  expect(await names()).toContain('高赔直选');
});

it('a table of odds is not imported while calls wait, and is once they do not', async () => {
  const { gameId, playWayId } = await threeNumbers();
  const two = given((await numbersOf(gameId))[1]).id;
  const send = async (mode: string) => {
    const caller = { origin: server.origin, token: admin.token };
    const sent = { mode, given: { playWayId } };
    return (await sendTable(caller, addOdds, `号码,赔率\n${two},2.5\n`, sent)).envelope;
  };
  for (const mode of ['check', 'keep'])
    expect((await send(mode)).msg).toBe('该操作须由他人复核，不能从文件导入，请在表单中提交');
  expect((await playWaysOf(gameId))[0]?.odds).toHaveLength(1);
  await setParam(server.db, 'approval.enabled', 'false');
  try {
    expect((await send('check')).data?.faults).toEqual([]);
  } finally {
    await setParam(server.db, 'approval.enabled', 'true');
  }
});

const menuNamed = async (path: string): Promise<Menu> =>
  given(flatMenus((await admin.call(listMenus, {})).envelope.data ?? []).find((menu) => menu.path === path));

it('a menu that goes waits with the right to release it takes along; one that comes gives nobody anything new', async () => {
  const screen = await menuNamed('/main/system/approval');
  const button = { parentId: screen.id, type: 'BTN', title: '自定', path: 'own:button', index: 1 } as const;
  const added = await admin.call(addMenu, { ...button, urlExpression: '/approval/page' });
  expect(added.envelope.data).toBeTypeOf('number');
  expect((await admin.call(deleteMenu, { id: (await menuNamed('own:button')).id })).envelope.data).toBe(true);
  const { id: menuId } = await menuNamed('approval:release:bets');
  const id = waiting(await admin.call(deleteMenu, { id: menuId }));
  expect(await whyOf(id)).toMatch(/将失去复核权限$/);
  expect((await menuNamed('approval:release:bets')).id).toBe(menuId);
  expect((await release(id)).data).toBe(true);
  const left = flatMenus((await admin.call(listMenus, {})).envelope.data ?? []).map(({ path }) => path);
  expect(left).not.toContain('approval:release:bets');
});
