import type { Page } from '@playwright/test';
import { addBetLatitude, pageBetLatitudes } from '../contract/bet-latitudes.ts';
import type { AnyEndpoint, WireInput } from '../contract/endpoint.ts';
import { addGameNumber, listGameNumbersByGame } from '../contract/game-numbers.ts';
import { listGames } from '../contract/games.ts';
import { addOdds } from '../contract/odds.ts';
import { addPlayWay, pagePlayWays } from '../contract/play-ways.ts';
import { addSpider } from '../contract/spiders.ts';
import { realDraws } from '../server/testing/real-draws.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { begin, fill, giveUp, rowOf, submit } from './forms.ts';

const mark = Date.now().toString(36);
const game = `手工PK10 ${mark}`;
const balls = Array.from({ length: 10 }, (_, step) => String(step + 1));

/** Opens the menu of the game's row and gives one of its buttons. */
async function more(page: Page, what: string) {
  await rowOf(page, game).getByRole('button', { name: /^更多/ }).click();
  return page.getByRole('button', { name: what, exact: true });
}

/** The game for what is done beside the screens. */
async function overTheWire() {
  const client = await clientOf();
  const games = (await client.call(listGames, {})).envelope.data ?? [];
  const gameId = games.find(({ name }) => name === game)?.id;
  if (gameId === undefined) throw new Error(`there is no game ${game}`);
  /** Does what a form would have done. */
  const done = async <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>) => {
    const { success, msg } = (await client.call(endpoint, input)).envelope;
    expect(success, `${endpoint.summary}: ${msg}`).toBe(true);
  };
  return { client, gameId, done };
}

/** A list of the game alone, open to its last row: other tests add rows of their own games meanwhile, which would push these from the page. */
async function openList(page: Page, path: string) {
  const { gameId } = await overTheWire();
  await page.goto(`${path}?gameId=${gameId}&pageSize=50`);
}

/** The id of the one of these that has this name. */
function idOf(
  rows: readonly { readonly id: number; readonly name: string }[] | undefined | null,
  name: string,
) {
  const id = rows?.find((row) => row.name === name)?.id;
  if (id === undefined) throw new Error(`there is no ${name}`);
  return id;
}

async function addGame(page: Page) {
  await page.goto('/main/game/game-category');
  const fillCategory = { texts: { 分类名称: `赛车 ${mark}`, 排序: '7' } };
  await fill(page, page.getByRole('button', { name: '新增' }), fillCategory);
  await expect(rowOf(page, `赛车 ${mark}`)).toBeVisible();

  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '新增', exact: true }).first(), {
    texts: {
      游戏名称: game,
      开奖间隔秒数: '300',
      封盘秒数: '30',
      规则说明: '第一行\n第二行',
      期号: '0800001',
    },
    choices: { 游戏分类: `赛车 ${mark}` },
  });
  await page.getByLabel('游戏名称').fill(game);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(rowOf(page, game)).toHaveCount(1);
  await expect(rowOf(page, game)).toContainText('0800001');
  await rowOf(page, game).getByRole('button', { name: '展开' }).click();
  await expect(page.getByText('第一行')).toBeVisible();
}

async function addTimesAndNumbers(page: Page) {
  await fill(page, await more(page, '新增投注时间'), {
    texts: { 开始时间: '09:02:45', 结束时间: '23:57:45' },
  });
  await expect(rowOf(page, game)).toContainText('09:02:45-23:57:45');
  const numbers = [...balls, '大', '小', '单', '双', '龙', '虎', '11'];
  await fill(page, await more(page, '新增号码'), { texts: { 号码: numbers.shift() ?? '' } });
  // The others are added the same way; their forms would show nothing new. So it is with all that follows.
  const { gameId, done } = await overTheWire();
  for (const number of numbers) await done(addGameNumber, { gameId, number });
}

/** Results to preview by: a collector brings what a source says was drawn in 2018. */
async function collectDraws() {
  const { gameId, done } = await overTheWire();
  const data = realDraws
    .filter((draw) => draw.game === 'bjpk10')
    .map(({ phase, result, date }) => ({ expect: phase, opencode: result, opentime: `${date} 12:00:00` }));
  const url = new URL(`?body=${encodeURIComponent(JSON.stringify({ data }))}`, process.env.DRAW_SOURCE).href;
  const spider = { name: `历史开奖 ${mark}`, url, spiderServiceName: 'OpenCodeSpider', enabled: true };
  await done(addSpider, { gameId, ...spider });
}

/** The preview's lines: phase, and what wins. */
const previewed = (page: Page, phase: string) =>
  page.getByRole('dialog').getByRole('row').filter({ hasText: phase }).getByRole('cell');

async function addLatitudes(page: Page) {
  const dialog = await begin(page, await more(page, '新增投注维度'), {
    texts: { 投注维度名称: '冠亚大小', 结果位置: '0,1', 处理器参数: '{"from": 11}' },
    choices: { 结果处理器: 'SumBigSmallHandler' },
  });
  await expect(dialog.getByLabel('“大”的起点')).toHaveValue('11');
  await dialog.getByRole('button', { name: '预览' }).click();
  await expect(dialog.getByText('该游戏还没有开奖记录，有了结果后可在此预览。')).toBeVisible();
  await collectDraws();
  // Asked again, it is read again.
  await expect(async () => {
    await dialog.getByRole('button', { name: '预览' }).click();
    await expect(previewed(page, '704002')).toContainText(['704002', '9,2,8,7,5,4,6,3,10,1', '大', '—'], {
      timeout: 5_000,
    });
  }).toPass();
  // 9 + 2 is 11: with 大 from 12 as in PK10 it turns small.
  await dialog.getByLabel('“大”的起点').fill('12');
  await expect(dialog.getByRole('table')).toHaveCount(0);
  await dialog.getByRole('button', { name: '预览' }).click();
  await expect(previewed(page, '704002').nth(2)).toHaveText('小');
  await expect(previewed(page, '703988').nth(2)).toHaveText('大');
  await dialog.getByLabel('结果位置').fill('0,10');
  await dialog.getByRole('button', { name: '预览' }).click();
  await expect(previewed(page, '704002').nth(2)).toHaveText(/没有位置 10/);
  await dialog.getByLabel('结果位置').fill('0,1');
  await submit(dialog);

  await fill(page, await more(page, '新增投注维度'), {
    texts: { 投注维度名称: '冠军大小', 结果位置: '0', 处理器参数: '{"from": 6}' },
    choices: { 结果处理器: '（BigSmallHandler' },
  });
  const { gameId, done } = await overTheWire();
  for (const [name, resultIndex, resultHandlerName] of [
    ['冠军号码', '0', 'ValueHandler'],
    ['冠军单双', '0', 'OddEvenHandler'],
    ['冠军龙虎', '0,9', 'DragonTigerHandler'],
  ] as const)
    await done(addBetLatitude, { gameId, name, resultIndex, resultHandlerName });
}

async function addCategories(page: Page) {
  await fill(page, await more(page, '新增玩法分类'), {
    texts: { 玩法分类名称: `两面盘 ${mark}`, 每行数量: '4' },
  });
  await openList(page, '/main/game/playway-category');
  const top = rowOf(page, `两面盘 ${mark}`);
  await fill(page, top.getByRole('button', { name: '新增子分类' }), {
    texts: { 玩法分类名称: `冠军 ${mark}` },
  });
  // Its sub-categories are of the same game, which is not said again.
  const [ofTop, ofSub] = [top, rowOf(page, `冠军 ${mark}`)].map((row) => row.getByRole('cell').first());
  await expect(ofTop ?? top).toHaveText(/\S/);
  await expect(ofSub ?? top).toHaveText('');
  await fill(page, rowOf(page, `冠军 ${mark}`).getByRole('button', { name: '新增玩法' }), {
    texts: { 玩法名称: `冠军号码 ${mark}`, 显示赔率: '9.9' },
    choices: { 投注维度: '冠军号码' },
  });
  const { client, gameId, done } = await overTheWire();
  const { data: latitudes } = (await client.call(pageBetLatitudes, { gameId })).envelope;
  const { data: playWays } = (await client.call(pagePlayWays, { gameId })).envelope;
  const [{ subCategoryId } = { subCategoryId: 0 }] = playWays?.data ?? [];
  for (const name of ['冠军大小', '冠军单双', '冠军龙虎', '冠亚大小'])
    await done(addPlayWay, {
      ...{ subCategoryId, name: `${name} ${mark}`, showRate: '1.985' },
      betLatitudeId: idOf(latitudes?.data, name),
    });
}

/** Odds for several numbers at once; the play way then tells what it leaves the house. */
async function giveOdds(page: Page) {
  const { client, gameId, done } = await overTheWire();
  const { data: numbers } = (await client.call(listGameNumbersByGame, { id: gameId })).envelope;
  const { data: playWays } = (await client.call(pagePlayWays, { gameId })).envelope;
  const wired: [playWay: string, those: string[], odds: string][] = [
    ['冠军号码', balls, '9.9'],
    ['冠军大小', ['大', '小'], '1.985'],
    ['冠军单双', ['单', '双'], '1.985'],
  ];
  for (const [name, those, odds] of wired)
    await done(addOdds, {
      playWayId: idOf(playWays?.data, `${name} ${mark}`),
      numberIds: (numbers ?? []).flatMap(({ id, number }) => (those.includes(number) ? [id] : [])),
      odds,
    });
  await openList(page, '/main/game/playway');
  for (const [name, numbers, odds] of [
    ['冠亚大小', ['大', '小'], '1.9'],
    ['冠军龙虎', ['龙', '虎'], '2.1'],
  ] as const) {
    const adding = rowOf(page, `${name} ${mark}`).getByRole('button', { name: '新增赔率' });
    const form = await begin(page, adding, { choices: { 号码: numbers } });
    const send = form.getByRole('button', { name: '提交' });
    const place = await send.boundingBox();
    await form.getByLabel('赔率', { exact: true }).fill(odds);
    await expect(form.getByRole('status')).toContainText('返还率');
    // What is told meanwhile moves the button from under nobody's mouse.
    expect(await send.boundingBox()).toEqual(place);
    await submit(form);
  }
  const shown: [playWay: string, count: number, margin: string][] = [
    ['冠军号码', 10, '1.0101'],
    ['冠军大小', 2, '1.0075'],
    ['冠军单双', 2, '1.0075'],
    ['冠亚大小', 2, '1.0526'],
    ['冠军龙虎', 2, '0.9523'],
  ];
  for (const [name, count, margin] of shown) {
    const row = rowOf(page, `${name} ${mark}`);
    await expect(row).toContainText(`${count} 个`);
    await expect(row).toContainText(margin);
    await expect(row.getByText('亏损')).toHaveCount(Number(margin) < 1 ? 1 : 0);
  }

  // All or nothing: 11 has no odds yet, and gets none together with 大, which has.
  const row = rowOf(page, `冠亚大小 ${mark}`);
  const again = await begin(page, row.getByRole('button', { name: '新增赔率' }), {
    texts: { 赔率: '2.5' },
    choices: { 号码: ['11', '大', '小'] },
  });
  await again.getByRole('button', { name: '提交' }).click();
  await expect(again.getByText('号码 大、小 已有赔率，请先删除')).toBeVisible();
  await giveUp(again);
  await expect(row).toContainText('2 个');
  await expect(page.getByRole('cell', { name: '1.9', exact: true })).toHaveCount(2);
}

/** The game as players would find it: switched on, and read as it was drawn. */
async function switchOn(page: Page) {
  await page.goto('/main/game/lottery');
  await page.getByLabel('游戏名称').fill(game);
  await page.getByRole('button', { name: '搜索' }).click();
  await rowOf(page, game)
    .getByRole('button', { name: `启用游戏“${game}”` })
    .click();
  await rowOf(page, game)
    .getByRole('button', { name: `开放“${game}”的投注` })
    .click();
  await expect(rowOf(page, game).getByRole('button', { name: `停用游戏“${game}”` })).toHaveText('启用');
  await expect(rowOf(page, game).getByRole('button', { name: `关闭“${game}”的投注` })).toHaveText('启用');

  await openList(page, '/main/game/bet-latitude');
  const latitude = page.getByRole('row').filter({ hasText: game }).filter({ hasText: '冠军龙虎' });
  await latitude.getByRole('button', { name: '预览' }).click();
  // 9 beats 1, 8 beats 1, 1 loses to 9, 2 loses to 9.
  for (const [phase, winner] of Object.entries({ 704002: '龙', 703988: '龙', 664880: '虎', 664876: '虎' }))
    await expect(previewed(page, phase).nth(2)).toHaveText(winner);

  // A result that nobody drew is tried as well, and what cannot be read is told; the drawn ones come back.
  const dialog = page.getByRole('dialog');
  const tryOut = async (result: string) => {
    await dialog.getByLabel('指定结果').fill(result);
    await dialog.getByRole('button', { name: '按此结果试算' }).click();
  };
  await tryOut('1,2,3,4,5,6,7,8,9,10');
  await expect(previewed(page, '试算')).toHaveText(['试算', '1,2,3,4,5,6,7,8,9,10', '虎', '—']);
  await expect(previewed(page, '704002')).toHaveCount(0);
  await tryOut('1,2,3');
  await expect(previewed(page, '试算').nth(2)).toHaveText(/没有位置 9/);
  await dialog.getByRole('button', { name: '最近 100 期' }).click();
  await expect(previewed(page, '704002').nth(2)).toHaveText('龙');
  await expect(previewed(page, '试算')).toHaveCount(0);
}

test('a PK10 is built by hand, from its category to its odds', async ({ operatorPage: page }) => {
  await test.step('the game', () => addGame(page));
  await test.step('its betting times and numbers', () => addTimesAndNumbers(page));
  await test.step('how results are read, of draws of other days', () => addLatitudes(page));
  await test.step('how play ways are grouped, and the play ways', () => addCategories(page));
  await test.step('their odds', () => giveOdds(page));
  await test.step('the switches, and what was drawn', () => switchOn(page));
});
