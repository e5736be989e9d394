import { listGames } from '../contract/games.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { fill, openForm, rowOf, submit } from './forms.ts';

/** The play ways of a game alone, all on one page whatever other tests add meanwhile. */
async function playWaysOf(name: string): Promise<string> {
  const games = (await (await clientOf()).call(listGames, {})).envelope.data ?? [];
  const game = games.find((each) => each.name === name);
  if (!game) throw new Error(`there is no game ${name}`);
  return `/main/game/playway?gameId=${game.id}&pageSize=200`;
}

test('a play way of several numbers says what it returns while odds are typed, and tries a bet', async ({
  operatorPage: page,
}) => {
  const name = `11选5 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), {
    texts: { 游戏名称: name },
    choices: { 模板: '广东11选5' },
  });
  await expect(rowOf(page, name)).toBeVisible();

  await page.goto(await playWaysOf(name));
  const row = rowOf(page, name).filter({ hasText: '前二组选' });
  // One of 55 pairs at 32.5.
  await expect(row).toContainText('0.591');
  await row.getByRole('button', { name: '编辑' }).click();
  const dialog = openForm(page);
  await expect(dialog.getByLabel('选号方式')).toHaveValue('COMBINATION');
  await expect(dialog.getByLabel('可选号码')).toHaveValue('01-11');
  const odds = dialog.getByLabel('前二组选的赔率');
  await odds.fill('60');
  await expect(dialog.getByText('亏损').last()).toBeVisible();
  await expect(dialog.getByText('1.091').last()).toBeVisible();

  await dialog.getByLabel('试算选号').fill('01,02,03');
  await dialog.getByRole('button', { name: '试算' }).click();
  await expect(dialog.getByText('共 3 注，一期最高派彩 120')).toBeVisible();
  await expect(dialog.getByText('该游戏还没有开奖记录')).toBeVisible();
  // Tried again, it is read again: results may have come since.
  const again = page.waitForRequest((request) =>
    decodeURIComponent(request.postData() ?? '').includes('01,02,03'),
  );
  await dialog.getByRole('button', { name: '试算' }).click();
  await again;
  await dialog.getByLabel('试算选号').fill('01,12');
  await dialog.getByRole('button', { name: '试算' }).click();
  await expect(dialog.getByText('不能选号码 12')).toBeVisible();
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
  ]) {
    await page.setViewportSize(size);
    await expect(dialog.getByRole('button', { name: '提交' })).toBeInViewport();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-${size.width}.png` });
  }
  await submit(dialog);
  await expect(row.getByText('亏损')).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/list.png` });
});

test('places with numbers of their own are entered place by place', async ({ operatorPage: page }) => {
  const name = `11选5 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), {
    texts: { 游戏名称: name },
    choices: { 模板: '广东11选5' },
  });
  await expect(rowOf(page, name)).toBeVisible();
  await page.goto(await playWaysOf(name));
  const edit = rowOf(page, name).filter({ hasText: '前三直选' }).getByRole('button', { name: '编辑' });
  await edit.click();
  const dialog = openForm(page);
  await expect(dialog.getByLabel('可选号码')).toHaveValue('01-11');
  await dialog.getByLabel('各位号码不同').check();
  await expect(dialog.getByLabel('第 3 位号码')).toHaveValue('01-11');
  await dialog.getByLabel('第 1 位号码').fill('01-03');
  await dialog.getByLabel('试算选号').fill('04|05|06');
  await dialog.getByRole('button', { name: '试算' }).click();
  await expect(dialog.getByText('第 1 部分不能选号码 04')).toBeVisible();
  await submit(dialog);
  await edit.click();
  await expect(openForm(page).getByLabel('第 1 位号码')).toHaveValue('01-03');
  await expect(openForm(page).getByLabel('第 2 位号码')).toHaveValue('01-11');
});

test('what a result of a game is can be seen and changed part by part', async ({ operatorPage: page }) => {
  const name = `双色球 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), {
    texts: { 游戏名称: name },
    choices: { 模板: '双色球' },
  });
  await rowOf(page, name).getByRole('button', { name: '编辑' }).click();
  const dialog = openForm(page);
  await expect(dialog.getByLabel('第 1 部分号码')).toHaveValue('01-33');
  await expect(dialog.getByLabel('第 2 部分号码')).toHaveValue('01-16');
  await dialog.getByLabel('个数').last().fill('17');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByText('开奖结果的结果组成第 2 项的个数不能多于号码范围内的号码')).toBeVisible();
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/game.png` });
  await dialog.getByLabel('个数').last().fill('2');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByText('改后玩法“双色球”不能再判定')).toBeVisible();
  await dialog.getByLabel('个数').last().fill('1');
  await submit(dialog);
});
