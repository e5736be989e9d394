import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { given } from '#server/testing/given.ts';
import { listGameNumbersByGame } from '../contract/game-numbers.ts';
import { addOdds, updateOdds } from '../contract/odds.ts';
import { addParamSetting } from '../contract/param-settings.ts';
import { pagePlayWays } from '../contract/play-ways.ts';
import { addRole, listRoles, updateRole } from '../contract/roles.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { giveUp, openForm, rowOf, rows, submit } from './forms.ts';

test('a form that asks before it is left has the keyboard all along', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('角色名称').fill('半个名称');
  await form.getByRole('button', { name: '取消' }).press('Enter');
  await expect(form.getByRole('button', { name: '继续填写' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('button', { name: '取消' })).toBeFocused();
  await giveUp(form);
});

test('a refusal of fields is read out where the fields are, and not by the notice too', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  await form.getByRole('button', { name: '提交' }).click();
  // It goes by itself, so that only what it is while it stands tells anything.
  const notice = page.locator('.toast').filter({ hasText: '不能为空' });
  await expect(notice).toBeVisible();
  expect(await notice.getByRole('alert').count()).toBe(0);
  await expect(form.getByRole('alert')).toHaveCount(2);
  await expect(form.getByLabel('角色名称')).toBeFocused();
  await expect(form.getByLabel('角色名称')).toHaveAccessibleDescription(/不能为空/);
});

test('help beside a field leads into the handbook while the form waits; the handbook is searched', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/game/lottery');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = openForm(page);
  await form.getByLabel('封盘秒数').fill('17');
  const help = form
    .locator('.form-label')
    .filter({ hasText: '封盘秒数' })
    .getByRole('link', { name: '查看手册' });
  await help.click();
  const search = page.getByLabel('搜索手册');
  await expect(search).toHaveValue('封盘秒数');
  const article = page.getByRole('article');
  await expect(article.getByRole('listitem').first()).toContainText('封盘秒数是开奖前停止投注的时间');
  await search.fill('没有人写过的词');
  await expect(article.getByRole('status')).toHaveText('手册中没有“没有人写过的词”。');
  await search.fill('恢复码');
  await expect(article.getByRole('heading', { name: '安全中心' })).toBeVisible();
  await search.fill('');
  await expect(article.getByRole('heading', { level: 3 }).nth(20)).toBeAttached();
  await page.getByRole('tab', { name: /^游戏管理/ }).click();
  await expect(form.getByLabel('封盘秒数')).toHaveValue('17');
  await giveUp(form);
});

test('a parameter that is true or false is a switch', async ({ operatorPage: page }) => {
  const admin = await clientOf();
  const title = `开关${randomUUID().slice(0, 8)}`;
  await admin.call(addParamSetting, { title, key: title, value: 'true' });
  await page.goto('/main/system/params-setting');
  await expect(rowOf(page, title).getByText('开', { exact: true })).toBeVisible();
  await rowOf(page, title).getByRole('button', { name: '编辑' }).click();
  const off = openForm(page).getByRole('switch');
  await expect(off).toBeChecked();
  await off.click();
  await expect(off).not.toBeChecked();
  await submit(openForm(page));
  await expect(rowOf(page, title).getByText('关', { exact: true })).toBeVisible();
});

test('a password is shown by its eye', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/operator');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const secret = openForm(page).getByLabel('登录密码', { exact: true });
  await secret.fill('to be seen');
  await expect(secret).toHaveAttribute('type', 'password');
  await openForm(page).locator('.ant-input-password-icon').click();
  await expect(secret).toHaveAttribute('type', 'text');
  await openForm(page).locator('.ant-input-password-icon').click();
  await expect(secret).toHaveAttribute('type', 'password');
  await giveUp(openForm(page));
});

test('a row’s history tells what was done to it, and the record leads back to the row', async ({
  operatorPage: page,
}) => {
  const admin = await clientOf();
  const name = `r${randomUUID().slice(0, 8)}`;
  const id = (await admin.call(addRole, { desc: `历史${name}`, name })).envelope.data ?? 0;
  const role = (await admin.call(listRoles, { name })).envelope.data?.find((each) => each.id === id);
  await admin.call(updateRole, { id, version: role?.version ?? 1, name, desc: `改名${name}` });
  await page.goto(`/main/pms/role?name=${name}`);
  await rows(page).first().getByRole('cell').first().click();
  const drawer = page.getByRole('complementary', { name: '行详情' });
  await expect(drawer.getByRole('region', { name: '操作历史' })).toContainText('编辑角色');
  await expect(drawer.getByRole('region', { name: '操作历史' })).toContainText('新增角色');
  await drawer.getByRole('link', { name: '查看变更内容' }).click();
  // Of this role alone, and not of every row that has its number.
  await expect(page.getByRole('search').getByTitle('角色', { exact: true })).toBeVisible();
  await expect(rows(page).filter({ hasText: '编辑角色' })).toHaveCount(1);
  await expect(rows(page).filter({ hasNotText: '角色' })).toHaveCount(0);
  const change = rows(page).filter({ hasText: '编辑角色' }).first();
  await change.getByRole('button', { name: /展开/ }).click();
  // The head of the list alone stays in sight: heads within what a row opens to would lie over it.
  const heads = page.locator('tbody th');
  await expect(heads.first()).toBeVisible();
  const places = await heads.evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).position));
  expect(new Set(places)).toEqual(new Set(['static']));
  await page
    .getByRole('tabpanel', { name: '操作日志' })
    .getByRole('link', { name: `改名${name}` })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`pms/role\\?name=${name}`));

  // Rows of another kind below: what was done to odds is told of them, and nothing of the play way that has their number.
  const { gameId, playWayId } = await buildPlayWay(admin, ['01', '02']);
  const numbers = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
  await admin.call(addOdds, { playWayId, numberIds: numbers.map(({ id: each }) => each), odds: '1.5' });
  const [playWay] = (await admin.call(pagePlayWays, { gameId })).envelope.data?.data ?? [];
  const [own] = playWay?.odds ?? [];
  await admin.call(updateOdds, { id: own?.id ?? 0, version: own?.version, odds: '1.6' });
  await page.goto(`/main/game/playway?gameId=${gameId}`);
  await rows(page).filter({ hasText: '1.6' }).getByText('1.6', { exact: true }).click();
  await expect(drawer).toContainText(`编号 ${own?.id}`);
  await expect(drawer.getByRole('region', { name: '操作历史' })).toContainText('编辑赔率');
  await expect(drawer.getByRole('link', { name: '注单', exact: true })).toHaveCount(0);
  // What can only be named by what stands beside it is named too.
  await rows(page).first().getByText('猜号', { exact: true }).click();
  await expect(drawer.getByText('投注维度', { exact: true }).locator('..')).toHaveText('投注维度号码');
});

/** Lists of many kinds of rows, each with a list that refers to its rows. */
const lists: readonly [path: string, related: string][] = [
  ['/main/user/user', '账户'],
  ['/main/user/withdraw-record', '账户'],
  ['/main/game/lottery', '开奖计划'],
  ['/main/game/open-plan', '操作历史'],
  ['/main/game/playway', '操作历史'],
  ['/main/pms/operator', '登录日志'],
];

/** On a phone nothing stands beside a row in full, or over it. */
async function expectCoversPhone(page: Page, drawer: Locator) {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() => drawer.evaluate((element) => element.getBoundingClientRect().toJSON()))
    .toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  // A click asks what is hit there: at the right, since the side bar, which lies over a phone's screen, was open before.
  await drawer
    .getByRole('definition')
    .first()
    .click({ trial: true, position: { x: 180, y: 4 } });
  await page.setViewportSize({ width: 1280, height: 800 });
}

for (const [index, [path, related]] of lists.entries())
  test(`a row of ${path} opens with all it holds and leads on; arrows lead to the next`, async ({
    operatorPage: page,
  }) => {
    await page.goto(path);
    await expect(rows(page).first()).toBeVisible();
    const cell = rows(page).first().getByRole('cell').nth(1);
    await cell.click({ position: { x: 3, y: 3 } });
    const drawer = page.getByRole('complementary', { name: '行详情' });
    const title = drawer.locator('header strong');
    await expect(title).toHaveText(/^编号 \d+$/);
    const first = await title.textContent();
    await expect(drawer.getByText(related, { exact: true }).first()).toBeVisible();
    const names = await drawer.getByRole('term').allTextContents();
    expect([...new Set(names)]).toEqual(names);
    if ((await rows(page).count()) > 1) {
      await page.keyboard.press('ArrowDown');
      await expect(title).not.toHaveText(first ?? '');
      await page.keyboard.press('ArrowUp');
    }
    await expect(title).toHaveText(first ?? '');
    if (index === 0) await expectCoversPhone(page, drawer);
    await page.keyboard.press('Escape');
    await expect(drawer).toHaveCount(0);
  });

/** From a small notebook at 200 % zoom to a wide desk. */
const rooms = [...[640, 1280, 1920, 2560].map((width) => ({ width, height: width === 640 ? 400 : 900 }))];
const handful = [
  '/main/analysis/bashboard',
  '/main/user/user',
  '/main/user/deposit-record',
  '/main/game/playway',
];

test('at 200 % zoom and from 1280 to 2560 pixels nothing is out of reach', async ({ operatorPage: page }) => {
  for (const path of handful) {
    await page.goto(path);
    await expect(page.getByRole('tabpanel').filter({ visible: true })).not.toBeEmpty();
    await expect(page.locator('[aria-busy="true"]:visible')).toHaveCount(0);
    for (const room of rooms) {
      await page.setViewportSize(room);
      const where = `${path} at ${room.width}`;
      const wider = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await expect.poll(wider, where).toBeLessThanOrEqual(0);
      const first = page.getByRole('tabpanel').filter({ visible: true }).getByRole('button').first();
      if ((await first.count()) === 0) continue;
      await first.scrollIntoViewIfNeeded();
      await expect(first, where).toBeInViewport();
    }
  }
});

test('on a phone the longest forms lie below the tabs, and nothing of them beyond their edge', async ({
  operatorPage: page,
}) => {
  const endOfTabs = async () => {
    const { y, height } = given(await page.getByRole('tablist').boundingBox());
    return y + height;
  };
  const dialog = page.getByRole('dialog');
  const beyond = () =>
    dialog.evaluate((box) =>
      [...box.querySelectorAll('*')]
        .filter((part) => part.getBoundingClientRect().right > box.getBoundingClientRect().right + 1)
        .map((part) => part.outerHTML.slice(0, 80)),
    );
  const forms = [
    ['/main/game/lottery', '编辑', '第 1 部分号码'],
    ['/main/game/playway', '赔率表', '粘贴赔率'],
  ] as const;
  const all = [390, 320].flatMap((width) => forms.map((form) => [width, ...form] as const));
  for (const [width, path, button, part] of all) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await expect(dialog.getByLabel(part)).toBeVisible();
    expect(given(await dialog.boundingBox()).y).toBeGreaterThanOrEqual(await endOfTabs());
    expect(await beyond()).toEqual([]);
    expect((await dialog.getByLabel(part).boundingBox())?.width).toBeGreaterThan(110);
  }
});
