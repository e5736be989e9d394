import { reviewDeposit } from '#contract/deposits.ts';
import { takeOrder } from '#contract/money-desk.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { goTo, rows, unlocked } from './forms.ts';
import { waitingDeposits } from './orders.ts';

const DEPOSITS = '/main/user/deposit-record';

test('a head sorts its column, the address says so, and page and whole are summed below', async ({
  operatorPage: page,
}) => {
  const { userId } = await waitingDeposits(22, (place) => ['7.5', '1200', '0.25'][place % 3] ?? '1');
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await expect(rows(page)).toHaveCount(20);
  const amounts = async () =>
    (await rows(page).locator('.money').allTextContents()).map(Number).filter((each) => !Number.isNaN(each));
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=amount/);
  await expect.poll(amounts).toEqual([...Array(7).fill(0.25), ...Array(8).fill(7.5), ...Array(5).fill(1200)]);
  await expect(page.getByRole('columnheader', { name: '金额', exact: true })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  // 7 x 0.25 + 8 x 7.5 + 5 x 1200, and two of 1200 more on the next page.
  const totals = (of: string) => page.locator(`[aria-label="${of}合计"]`);
  await expect(totals('本页')).toContainText('6061.75');
  await expect(totals('全部')).toContainText('8461.75');
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=-amount/);
  await expect.poll(async () => (await amounts())[0]).toBe(1200);
  await page.reload();
  await expect.poll(async () => (await amounts())[0]).toBe(1200);
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).not.toHaveURL(/sort=/);
});

test('a row opens beside its list with all it holds and what was done to it; arrows lead to the next', async ({
  operatorPage: page,
}) => {
  const { userId, ids } = await waitingDeposits(2);
  const admin = await clientOf();
  await admin.call(reviewDeposit, { id: ids[1] ?? 0, action: 'REJECT', remark: '名字不符' });
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await rows(page).first().getByText('2.00', { exact: true }).click();
  const drawer = page.getByRole('complementary', { name: '行详情' });
  await expect(drawer).toContainText(`编号 ${ids[1]}`);
  await expect(drawer).toContainText('名字不符');
  await expect(drawer.getByRole('region', { name: '操作历史' })).toContainText('审核充值订单');
  await expect(drawer.getByRole('link', { name: '账户', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(drawer.getByRole('status')).toHaveText(`编号 ${ids[0]}`);
  await expect(page.locator('tr[aria-current]')).toContainText(String(ids[0]));
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  // The keys go on in the list, from the row that was open last.
  await expect(page.getByRole('region', { name: '分页查询充值订单' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(drawer).toContainText(`编号 ${ids[0]}`);
});

test('a row tells of what was done to it elsewhere, and leads to all that refers to it', async ({
  operatorPage: page,
}) => {
  const { userId, ids } = await waitingDeposits(1);
  const admin = await clientOf();
  await admin.call(takeOrder, { kind: 'DEPOSIT', id: ids[0] ?? 0 });
  const drawer = page.getByRole('complementary', { name: '行详情' });
  const history = drawer.getByRole('region', { name: '操作历史' });
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await rows(page).first().getByText('1.00', { exact: true }).click();
  await expect(history).toContainText('领取订单');
  const links = await drawer
    .getByRole('navigation', { name: '相关列表' })
    .getByRole('link')
    .allTextContents();
  expect(links).toEqual([...new Set(links)]);
  await page.goto('/main/pms/role');
  await rows(page).first().getByRole('cell').nth(1).click();
  await drawer.getByRole('link', { name: '操作员', exact: true }).click();
  await expect(page).toHaveURL(/\/main\/pms\/operator\?roleId=\d+/);
});

test('orders are decided one after the other by keyboard: the next one has it when the row before is gone', async ({
  operatorPage: page,
}) => {
  const { userId, ids } = await waitingDeposits(3);
  await page.goto(`${DEPOSITS}?userId=${userId}&status=PROCESSING`);
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first().getByRole('group')).toHaveAccessibleDescription(`订单编号 ${ids[2]}`);
  await rows(page).first().getByRole('button', { name: '审核' }).focus();
  for (const left of [2, 1]) {
    await unlocked(page);
    await page.keyboard.press('Enter');
    await expect(page.locator('.popup-items').getByRole('button').first()).toBeFocused();
    await page.keyboard.press('Enter');
    const remark = page.getByRole('dialog').getByLabel('备注');
    await expect(remark).toBeFocused();
    await page.getByRole('dialog').getByRole('button', { name: '提交' }).press('Enter');
    await expect(rows(page)).toHaveCount(left);
    await expect(rows(page).first().getByRole('button', { name: '审核' })).toBeFocused();
  }
  await expect(rows(page)).toContainText(String(ids[0]));
});

test('a value is copied by hovering, a moment tells how long ago it was, “/” leads to the search', async ({
  operatorPage: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { userId } = await waitingDeposits(1, () => '1234567.5');
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await rows(page).first().locator('.money').first().hover();
  const copy = page.getByRole('button', { name: '复制 1234567.50' });
  await expect(copy).toBeVisible();
  // The value stays in sight under the mouse.
  const [value, button] = [
    await rows(page).first().locator('.money').first().boundingBox(),
    await copy.boundingBox(),
  ];
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(value?.x ?? 0);
  await copy.click();
  await expect(page.getByRole('status').getByText('已复制')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('1234567.50');
  const moment = rows(page).first().locator('.list-moment').first();
  await moment.hover();
  await expect(moment).toHaveAttribute('title', /（\d+ (秒|分钟)前）$/);
  await expect(page.getByText('时间按 Asia/Shanghai')).toBeVisible();
  // What takes no part of a text says so.
  await expect(page.getByLabel('三方单号', { exact: true })).toHaveAttribute('placeholder', /完整|开头/);

  await page.getByRole('heading').or(page.locator('body')).first().press('/');
  await expect(page.getByLabel('订单编号', { exact: true })).toBeFocused();
  // Folded fields come forth when they are wanted, and stay while they are filled.
  const more = page.getByRole('button', { name: '更多条件' });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await more.click();
  await expect(page.getByRole('button', { name: '收起条件' })).toBeVisible();
});

test('what is typed in the search waits while the list is sorted, a range half picked too; a link replaces it', async ({
  operatorPage: page,
}) => {
  const { userId } = await waitingDeposits(2);
  const address = `${DEPOSITS}?userId=${userId}`;
  await page.goto(address);
  await expect(rows(page)).toHaveCount(2);
  await page.getByLabel('三方单号', { exact: true }).fill('半个单号');
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=amount/);
  await expect(page.getByLabel('三方单号', { exact: true })).toHaveValue('半个单号');

  const from = page.getByLabel('创建时间').first();
  await from.click();
  await from.fill('2026-01-02 03:04:05');
  await goTo(page, `${address}&sort=-amount`);
  await expect(rows(page).first()).toContainText('2.00');
  await expect(from).toHaveValue('2026-01-02 03:04:05');
  await goTo(page, `${DEPOSITS}?userId=${userId}&status=FAIL`);
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await expect(page.getByLabel('三方单号', { exact: true })).toHaveValue('');
});
