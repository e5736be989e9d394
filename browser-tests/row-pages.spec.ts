import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { addBalance, pageAccounts } from '#contract/accounts.ts';
import { generateDrawPlans } from '#contract/draw-plans.ts';
import { addGameCategory } from '#contract/game-categories.ts';
import { addGame } from '#contract/games.ts';
import { putBackOrder, takeOrder } from '#contract/money-desk.ts';
import { placeWithdrawal } from '#contract/platform.ts';
import { addUser, freezeUser } from '#contract/users.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { examine } from './axe.ts';
import { clientOf, expect, firstOperator, site, test } from './fixtures.ts';
import { begin } from './forms.ts';
import { limited } from './limited.ts';
import { unique } from './unique.ts';

const rows = (page: Page) => page.locator('.list-box:visible tbody').getByRole('row');
const parts = (page: Page, noun: string) => page.getByRole('navigation', { name: `${noun}的内容` });

const dataOf = <T>({ envelope }: { envelope: { data: T | null; msg: string | null } }): T => {
  if (envelope.data === null) throw new Error(String(envelope.msg));
  return envelope.data;
};

/** A player with a phone and 100, of which 40 wait to be paid out. */
async function playerWhoWaits(client: TestClient, phone: string) {
  const nickName = unique('等待');
  const id = dataOf(await client.call(addUser, { nickName, phone }));
  const [account] = dataOf(await client.call(pageAccounts, { userId: id })).data;
  await client.call(addBalance, { id: account?.id ?? 0, balance: '100' });
  const order = {
    userId: id,
    amount: '40',
    bankOrderNo: randomUUID(),
    receiveAccount: { accountNo: '6222' },
  };
  return { id, nickName, withdrawalId: dataOf(await site().call(placeWithdrawal, order)) };
}

const overflow = (page: Page) =>
  page.evaluate(() => {
    const boxes = [document.documentElement, ...document.querySelectorAll('.shell-content, .list-box')];
    return Math.max(...boxes.map((box) => box.scrollWidth - box.clientWidth));
  });

/** On a phone: nothing stands beside the screen, and what can be pressed on the page itself can be hit. */
async function expectFitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflow(page)).toBe(0);
  const beside = await page.locator('.row-head, .row-tabs').evaluateAll((parts) =>
    parts
      .flatMap((part) => [part, ...part.querySelectorAll('*')])
      .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
      .map(({ outerHTML }) => outerHTML),
  );
  expect(beside).toEqual([]);
  const low = await page.locator('.row-head button, .row-tabs a').evaluateAll((all) =>
    all
      .filter((element) => element.getClientRects().length > 0)
      .filter((element) => element.getBoundingClientRect().height < 40)
      .map(({ outerHTML }) => outerHTML),
  );
  expect(low).toEqual([]);
}

test('a support agent finds a player by a part of a phone number, tells from their page why a withdrawal waits, and looks at two players side by side', async ({
  browser,
  baseURL,
}) => {
  const client = await clientOf();
  const phone = `139${String(Date.now()).slice(-8)}`;
  const waiting = await playerWhoWaits(client, phone);
  await client.call(freezeUser, { userId: waiting.id, reason: '核实身份' });
  const other = dataOf(await client.call(addUser, { nickName: unique('另一'), phone: `${phone}0` }));
  const grants = [
    '/main/user/user',
    '/main/user/user-page',
    '/main/user/withdraw-record',
    'user:note:add',
    'user:limit:set',
  ];
  const page = await limited(browser, client, baseURL, grants);
  await page.setViewportSize({ width: 1280, height: 800 });

  // Somebody calls and tells the end of their phone number: two have such.
  await page.goto('/main/user/user');
  await expect(rows(page).first()).toBeVisible();
  const finder = page.getByRole('combobox', { name: /查找页面/ });
  await page.keyboard.press('Control+k');
  await expect(finder).toBeFocused();
  await page.keyboard.type(phone.slice(3));
  const hits = page.getByRole('option').filter({ hasText: phone });
  await expect(hits).toHaveCount(2);
  const caller = hits.filter({ hasText: waiting.nickName });
  for (let n = 0; (await caller.getAttribute('aria-selected')) !== 'true' && n < 9; n += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/main/user/user-page\\?id=${waiting.id}$`));
  await expect(page.getByRole('heading', { name: waiting.nickName })).toBeVisible();
  await expect(page.getByRole('list', { name: '等待中的提现' })).toHaveText(
    new RegExp(`提现订单 ${waiting.withdrawalId}，40\\.00，.*：等待审核，尚未处理；用户已冻结：核实身份`),
  );

  // Whoever is on the phone hears what becomes of it.
  const order = { kind: 'WITHDRAWAL' as const, id: waiting.withdrawalId };
  await client.call(takeOrder, order);
  const told = page.getByRole('list', { name: '等待中的提现' });
  await expect(told).toContainText(`“${firstOperator.username}”正在资金工作台处理`);
  await client.call(putBackOrder, order);
  await expect(told).toContainText('等待审核，尚未处理');

  // What they may not see or do is not there.
  await expect(parts(page, '用户').getByRole('link')).toHaveText(['提现订单', '备注', '限额']);
  for (const name of ['加款', '扣款', '投注'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('40.00');
  await expect(page.locator('.row-part').getByLabel('用户编号')).toHaveCount(0);
  await expect(page.locator('.row-part').getByLabel('用户名')).toHaveCount(0);
  expect(await overflow(page)).toBe(0);

  await parts(page, '用户').getByRole('link', { name: '备注' }).click();
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('备注').fill('已致电，等身份证照片');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toHaveCount(0);
  await expect(rows(page)).toContainText('已致电，等身份证照片');
  await rows(page).getByRole('button', { name: '置顶' }).click();
  await expect(page.getByRole('list', { name: '置顶备注' })).toContainText('已致电，等身份证照片');
  await examine(page, page.url());
  await expectFitsPhone(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await parts(page, '用户').getByRole('link', { name: '限额' }).click();
  const limits = page.getByRole('region', { name: '用户限额' });
  await expect(limits).toContainText('没有充值与亏损限额');
  for (const [amount, told] of [
    ['500', /每日亏损\s*500\.00\s*0\.00\s*500\.00/],
    ['800', /每日亏损\s*500\.00.*800\.00，.* 生效/],
  ] as const) {
    await begin(page, limits.getByRole('button', { name: '设置限额' }), {
      texts: { 限额: amount, 原因: '本人来电要求' },
    });
    for (const name of ['亏损', '每日']) await form.getByRole('radio', { name }).check();
    await form.getByRole('button', { name: '提交' }).click();
    await expect(form).toHaveCount(0);
    await expect(limits.getByRole('row').last()).toHaveText(told);
  }
  await parts(page, '用户').getByRole('link', { name: '备注' }).click();

  await page.getByRole('tab', { name: '用户管理' }).click();
  const more = page.getByRole('button', { name: '更多条件' });
  if (await more.isVisible()) await more.click();
  await page.getByLabel('手机号').fill(phone.slice(3));
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(rows(page)).toHaveCount(2);
  await rows(page)
    .getByRole('link', { name: String(other), exact: true })
    .click();
  await expect(page.getByRole('heading', { name: /另一/ })).toBeVisible();
  await expect(page.getByRole('list', { name: '等待中的提现' })).toHaveCount(0);
  await page.getByRole('tab', { name: new RegExp(`用户详情.*${waiting.id}`) }).click();
  await expect(page.getByRole('heading', { name: waiting.nickName })).toBeVisible();
  await expect(rows(page)).toContainText('已致电，等身份证照片');
  await page.getByRole('tab', { name: new RegExp(`用户详情.*${other}`) }).click();
  await expect(page.getByRole('heading', { name: /另一/ })).toBeVisible();

  await page.goto('/main/user/user-page?id=99999999');
  await expect(page.getByRole('alert').filter({ hasText: '用户不存在' }).first()).toBeVisible();
  await page.getByLabel('用户编号').fill(String(other));
  await page.getByRole('button', { name: '打开', exact: true }).click();
  await expect(page.getByRole('heading', { name: /另一/ })).toBeVisible();
  await page.context().close();
});

test('the page of a game is opened from a plan, and its lists stay with that game whatever is searched for', async ({
  operatorPage: page,
}) => {
  const client = await clientOf();
  const name = unique('详情彩');
  const categoryId = dataOf(await client.call(addGameCategory, { name }));
  const gameId = dataOf(
    await client.call(addGame, {
      ...{ name, categoryId, openRate: 600, stopBetSecond: 10, numbers: [{ number: '07' }] },
      timeRanges: [{ start: '00:00:00', end: '23:59:59' }],
    }),
  );
  const tomorrow = new Date(Date.now() + 36 * 3_600_000).toISOString().slice(0, 10);
  const window = { beginDate: `${tomorrow} 00:00:00`, endDate: `${tomorrow} 23:59:59` };
  dataOf(await client.call(generateDrawPlans, { gameId, ...window }));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`/main/game/open-plan?gameId=${gameId}`);
  await rows(page).first().getByRole('link', { name }).click();
  await expect(page).toHaveURL(new RegExp(`/main/game/game-page\\?id=${gameId}$`));
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('07');

  await parts(page, '游戏').getByRole('link', { name: '开奖计划' }).click();
  await expect(rows(page)).toHaveCount(20);
  const phase = (await rows(page).nth(3).getByRole('cell').first().textContent()) ?? '';
  const panel = page.locator('.row-part');
  await panel.getByLabel('期号').fill(phase);
  await panel.getByRole('button', { name: '搜索' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/game-page\?id=\d+&tab=open-plan&list=phase/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await panel.getByRole('button', { name: '重置' }).click();
  await expect(rows(page)).toHaveCount(20);
  await expect(page.getByText('共 144 条')).toBeVisible();
  expect(await overflow(page)).toBe(0);

  await parts(page, '游戏').getByRole('link', { name: '单期风险' }).click();
  await expect(page.getByText('请先选择游戏')).toHaveCount(0);
  await parts(page, '游戏').getByRole('link', { name: '盈亏报表' }).click();
  await expect(page).toHaveURL(/tab=report&list=range/);
  await examine(page, page.url());

  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expectFitsPhone(page);
});
