import type { Locator, Page } from '@playwright/test';
import { addBalance, pageAccounts, subtractBalance } from '#contract/accounts.ts';
import { pageWithdrawals } from '#contract/withdrawals.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { rows } from './forms.ts';
import { waitingOrder } from './orders.ts';
import { unique } from './unique.ts';

const form = (page: Page): Locator => page.getByRole('dialog');
const submit = (page: Page) => form(page).getByRole('button', { name: '提交' }).click();

test('a new player is credited and debited by hand, and the ledger tells of it', async ({
  operatorPage: page,
}) => {
  const nickName = unique('玩家');
  await page.goto('/main/user/user');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  await form(page).getByLabel('昵称').fill(nickName);
  await form(page).getByRole('button', { name: '新增', exact: true }).click();
  await expect(form(page)).toHaveCount(0);
  await expect(page.getByText('新增成功')).toBeVisible();
  await page.getByLabel('昵称').fill(nickName);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(rows(page)).toHaveCount(1);

  await rows(page).getByRole('button', { name: '相关' }).click();
  await form(page).getByRole('link', { name: '账户', exact: true }).click();
  await expect(page).toHaveURL(/\/main\/user\/account\?userId=\d+/);
  await expect(rows(page).filter({ hasText: nickName })).toHaveCount(1);
  await rows(page).getByRole('button', { name: '加款' }).click();
  const amount = form(page).getByLabel('金额', { exact: true });
  // What is typed sign by sign waits until the field is left: a slip stays one, and a number of several groups is not cut half way.
  await amount.pressSequentially('1,2345');
  await amount.blur();
  await expect(amount).toHaveValue('1,2345');
  await amount.clear();
  await amount.pressSequentially('1,234,567');
  await amount.blur();
  await expect(amount).toHaveValue('1234567');
  // As it is pasted from a spreadsheet, or typed with an input method.
  await amount.fill(' １００．５ ');
  await expect(amount).toHaveValue('100.5');
  await expect(form(page).getByRole('status').filter({ hasText: '0.00 → 100.50' })).toBeVisible();
  await form(page).getByLabel('备注').fill('补发活动奖励');
  await submit(page);
  await expect(form(page)).toHaveCount(0);
  await expect(rows(page)).toContainText('100.50');

  // Somebody else moves money of the same account meanwhile.
  const userId = Number(new URL(page.url()).searchParams.get('userId'));
  const other = await clientOf();
  const [account] = given((await other.call(pageAccounts, { userId })).envelope.data).data;
  await other.call(addBalance, { id: given(account).id, balance: '5' });
  await rows(page).getByRole('button', { name: '加款' }).click();
  await form(page).getByLabel('金额', { exact: true }).fill('1');
  const change = form(page).getByRole('status').filter({ hasText: '105.50 → 106.50' });
  await expect(change).toContainText('已变动，此前显示为 100.50');
  await other.call(subtractBalance, { id: given(account).id, balance: '5' });
  await expect(
    form(page)
      .getByRole('status')
      .filter({ hasText: /^100.50 → 101.50$/ }),
  ).toBeVisible();
  await form(page).getByRole('button', { name: '取消' }).click();
  await form(page).getByRole('button', { name: '放弃' }).click();

  await rows(page).getByRole('button', { name: '扣款' }).click();
  await form(page).getByLabel('金额', { exact: true }).fill('1e3');
  await submit(page);
  await expect(form(page).getByText('金额须为不超过 4 位小数的数字')).toBeVisible();
  await form(page).getByLabel('金额', { exact: true }).fill('100.6');
  await submit(page);
  await expect(form(page).getByText('可用余额不足')).toBeVisible();
  await form(page).getByLabel('金额', { exact: true }).fill('0.25');
  await submit(page);
  await expect(form(page)).toHaveCount(0);
  await expect(rows(page)).toContainText('100.25');

  await rows(page).getByRole('button', { name: '相关' }).click();
  await form(page).getByRole('link', { name: '账变记录' }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).first()).toContainText('-0.25');
  await expect(rows(page).last()).toContainText('+100.50');
  await expect(rows(page).last()).toContainText('操作员 admin：补发活动奖励');
});

const screens = [
  {
    path: '/main/user/deposit-record',
    menu: '审核',
    word: '通过',
    place: waitingOrder.deposit,
    balance: /^[\d,]+\.\d+ → [\d,]+\.\d+$/,
    end: '成功',
  },
  {
    path: '/main/user/withdraw-record',
    menu: '标记',
    word: '拒绝',
    place: waitingOrder.withdrawal,
    balance: /^[\d,]+\.\d+（不变）$/,
    end: '失败',
  },
];

for (const { path, menu, word, place, balance, end } of screens) {
  test(`an order that waits is decided once, with a remark, under its balance (${path})`, async ({
    operatorPage: page,
  }) => {
    await page.goto(`${path}?id=${await place()}`);
    await rows(page).getByRole('button', { name: menu }).click();
    await page.getByRole('dialog').getByRole('button', { name: word }).click();
    await expect(form(page).getByRole('status').filter({ hasText: balance })).toBeVisible();
    await form(page).getByLabel('备注').fill('核对无误');
    await submit(page);
    await expect(form(page)).toHaveCount(0);
    await expect(rows(page)).toContainText(end);
    await expect(rows(page).getByRole('button', { name: menu })).toHaveCount(0);
    await rows(page).getByRole('button').first().click();
    await expect(page.getByText('核对无误')).toBeVisible();
    await expect(page.getByRole('definition').filter({ hasText: 'admin' })).toBeVisible();
  });
}

test('a withdrawal marked as paid keeps who paid it', async ({ operatorPage: page }) => {
  const id = await waitingOrder.withdrawal();
  await page.goto(`/main/user/withdraw-record?id=${id}`);
  await rows(page).getByRole('button', { name: '标记' }).click();
  // The row was read before somebody else moved money of the same account.
  const other = await clientOf();
  const [order] = given((await other.call(pageWithdrawals, { id })).envelope.data).data;
  const { userId } = given(order);
  const [account] = given((await other.call(pageAccounts, { userId })).envelope.data).data;
  await other.call(addBalance, { id: given(account).id, balance: '5' });
  await page.getByRole('dialog').getByRole('button', { name: '已打款' }).click();
  const total = form(page).getByRole('status').filter({ hasText: '105.00 → 65.00' });
  await expect(total).toContainText('已变动，此前显示为 100.00');
  await other.call(addBalance, { id: given(account).id, balance: '2' });
  await expect(form(page).getByRole('status').filter({ hasText: '107.00 → 67.00' })).toBeVisible();
  await form(page).getByLabel('付款人姓名').fill('王会计');
  await form(page).getByLabel('付款账号').fill('6222 0200 1234');
  await submit(page);
  await expect(form(page)).toHaveCount(0);
  await expect(rows(page)).toContainText('王会计');
  await expect(rows(page)).toContainText('6222 0200 1234');
});

test('the ledger leads to the order behind a movement, and the order to its player', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/account-history?changeType=RECHARGE');
  const order = rows(page).first().getByRole('link').last();
  const id = await order.textContent();
  await order.click();
  await expect(page).toHaveURL(new RegExp(`/main/user/deposit-record\\?id=${id}$`));
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/main\/user\/user-page\?id=\d+$/);
  await expect(page.getByRole('button', { name: '加款', exact: true })).toBeVisible();
});

test('the way of a payment is read whole in its tag', async ({ operatorPage: page }) => {
  for (const path of ['/main/user/deposit-record', '/main/user/withdraw-record']) {
    await page.goto(`${path}?type=USDT_TRANSFER`);
    const tag = rows(page).first().getByText('USDT 转账', { exact: true });
    await expect(tag).toBeVisible();
    // Neither the tag nor its cell cuts it.
    const isWhole = await tag.evaluate((element) => {
      const cell = element.closest('td') ?? element;
      const inner = element.getBoundingClientRect();
      const outer = cell.getBoundingClientRect();
      return element.scrollWidth <= element.clientWidth + 1 && inner.right <= outer.right + 1;
    });
    expect(isWhole, path).toBe(true);
  }
});
