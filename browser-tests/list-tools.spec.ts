import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { reviewDeposit } from '../contract/deposits.ts';
import { listMenus } from '../contract/menus.ts';
import { addOperator, bindOperatorRoles } from '../contract/operators.ts';
import { createUser, placeDeposit, placeWithdrawal } from '../contract/platform.ts';
import { addRole, bindRoleMenus } from '../contract/roles.ts';
import { login } from '../contract/sign-in.ts';
import { testClient } from '../server/testing/test-client.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { rows } from './forms.ts';
import { platformKey } from './server.ts';

test.describe.configure({ timeout: 120_000 });

const PASSWORD = 'list of tools';
const DEPOSITS = '/main/user/deposit-record';
const heads = (page: Page): Promise<string[]> => page.getByRole('columnheader').allTextContents();

/** Where the server under test listens. */
const origin = process.env.CONSOLE_ORIGIN ?? '';

const asAdmin = async () => {
  const { access_token } = (await testClient(origin).call(login, firstOperator)).envelope.data ?? {};
  return testClient(origin, access_token);
};

/** An operator of a role that holds these screens, so that what is kept for an operator is no other test's. */
async function newcomer(...paths: string[]) {
  const admin = await asAdmin();
  const name = `list-${randomUUID().slice(0, 8)}`;
  const roleId = (await admin.call(addRole, { desc: name, name })).envelope.data ?? 0;
  const menus = (await admin.call(listMenus, {})).envelope.data ?? [];
  const held = flatMenus(menus).filter(({ path }) => path !== null && paths.includes(path));
  const menuIds = held.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId]));
  await admin.call(bindRoleMenus, { rid: roleId, menuIds: [...new Set(menuIds)] });
  const operators = [`${name}-a`, `${name}-b`];
  for (const userName of operators) {
    const oid = (await admin.call(addOperator, { userName, password: PASSWORD })).envelope.data ?? 0;
    await admin.call(bindOperatorRoles, { oid, roleIds: [roleId] });
  }
  return { role: name, operators };
}

const enter = (page: Page, username = '') => signIn(page, { username, password: PASSWORD });

/** A player of this test alone, with so many orders that wait. */
async function waitingOrders(count: number, amountOf = (place: number) => String(place + 1)) {
  const site = testClient(origin, platformKey);
  const username = `p${randomUUID().slice(0, 12)}`;
  const userId = (await site.call(createUser, { nickName: '批量', username })).envelope.data ?? 0;
  const ids: number[] = [];
  for (let place = 0; place < count; place += 1) {
    const order = {
      userId,
      amount: amountOf(place),
      type: 'BANK_TRANSFER' as const,
      bankOrderNo: randomUUID(),
    };
    ids.push((await site.call(placeDeposit, order)).envelope.data ?? 0);
  }
  return { userId, ids };
}

test('columns are hidden, moved, widened and pinned, for the operator wherever they sign in, and reset', async ({
  page,
  browser,
}) => {
  const { operators } = await newcomer(DEPOSITS);
  await enter(page, operators[0]);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  const before = await heads(page);
  await page.getByRole('button').filter({ hasText: /^列/ }).click();
  const panel = page.getByRole('dialog').getByRole('group', { name: '列' });
  await panel.getByLabel('付款账号', { exact: true }).uncheck();
  await expect(page.getByRole('columnheader', { name: '付款账号' })).toHaveCount(0);
  await panel.getByRole('button', { name: '上移状态' }).click();
  await panel.getByLabel('三方单号的列宽').fill('300');
  await panel.getByRole('button', { name: '固定金额' }).click();
  await expect.poll(async () => (await heads(page)).indexOf('金额')).toBe(1);
  await panel.getByRole('button', { name: '紧凑' }).click();
  await page.keyboard.press('Escape');
  const laidOut = await heads(page);
  expect(laidOut.indexOf('状态')).toBeLessThan(laidOut.indexOf('充值方式'));
  const head = page.getByRole('columnheader', { name: '三方单号' });
  await expect.poll(async () => Math.round((await head.boundingBox())?.width ?? 0)).toBe(300);
  const grip = await head.locator('.list-grip').boundingBox();
  if (!grip) throw new Error('a head has no end to be dragged');
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
  await page.mouse.down();
  await page.mouse.move(grip.x + grip.width / 2 + 40, grip.y + grip.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.round((await head.boundingBox())?.width ?? 0)).toBe(340);
  // Pinned: it stays where it is while the others move under it.
  const amount = page.getByRole('columnheader', { name: '金额', exact: true });
  const at = (await amount.boundingBox())?.x;
  await page.getByRole('region', { name: '分页查询充值订单' }).evaluate((box) => box.scrollTo({ left: 200 }));
  expect((await amount.boundingBox())?.x).toBe(at);

  const elsewhere = await browser.newPage({ locale: 'zh-CN', baseURL: origin });
  await enter(elsewhere, operators[0]);
  await elsewhere.goto(DEPOSITS);
  await expect.poll(() => heads(elsewhere)).toEqual(laidOut);
  await elsewhere.getByRole('button').filter({ hasText: /^列/ }).click();
  await elsewhere.getByRole('button', { name: '恢复默认' }).click();
  await expect.poll(() => heads(elsewhere)).toEqual(before);
  await elsewhere.close();
  // The keyboard goes past what is disabled, and through a width without keeping one.
  await page.goto(`${DEPOSITS}?columns=id,amount`);
  await page.getByRole('button').filter({ hasText: /^列/ }).click();
  await expect(panel.getByLabel('订单编号', { exact: true })).toBeFocused();
  for (const _ of ['the width', 'to pin', 'down']) await page.keyboard.press('Tab');
  await expect(panel.getByRole('button', { name: '下移订单编号' })).toBeFocused();
  await expect(page).toHaveURL(/columns=id/);
});

test('two windows lay out one list, and neither takes back what the other did', async ({ page, context }) => {
  const { operators } = await newcomer(DEPOSITS);
  await enter(page, operators[0]);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  const beside = await context.newPage();
  await beside.goto(DEPOSITS);
  await expect(rows(beside).first()).toBeVisible();
  const hide = async (window: Page, column: string) => {
    await window.getByRole('button').filter({ hasText: /^列/ }).click();
    const saved = window.waitForResponse('**/api/operator/preference/layout');
    await window.getByRole('dialog').getByLabel(column, { exact: true }).uncheck();
    await saved;
  };
  await hide(page, '付款账号');
  await hide(beside, '付款人姓名');
  // A width that is none is not kept, and does not go on standing there.
  const width = beside.getByLabel('金额的列宽');
  await width.fill('12');
  await width.press('Tab');
  await expect(width).toHaveValue('');
  // What is seen at once is not told as well.
  expect(await beside.getByText('操作成功').count()).toBe(0);
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect.poll(() => heads(page)).not.toContain('付款人姓名');
  expect(await heads(page)).not.toContain('付款账号');
});

test('how a list was laid out stands, though an answer of before comes after it', async ({ page }) => {
  const { operators } = await newcomer(DEPOSITS);
  await enter(page, operators[0]);
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  await page.waitForFunction(() => localStorage.getItem('preferences'));
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  let answered = 0;
  await page.route('**/api/operator/preference/list', async (route) => {
    const response = await route.fetch();
    answered += 1;
    // The second is asked for to lay out the list as it is by then.
    if (answered !== 2) await held;
    // Whoever asked may have gone meanwhile.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await page.reload();
  await expect.poll(() => answered).toBe(1);
  const head = page.getByRole('columnheader', { name: '付款账号' });
  await expect(head).toHaveCount(1);
  await page.getByRole('button').filter({ hasText: /^列/ }).click();
  const saved = page.waitForResponse('**/api/operator/preference/layout');
  await page.getByRole('dialog').getByLabel('付款账号', { exact: true }).uncheck();
  await saved;
  await expect.poll(() => answered).toBe(3);
  letGo();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('preferences'))).toMatch(/hidden":true/);
  await expect(head).toHaveCount(0);
});

test('a head sorts its column, the address says so, and page and whole are summed below', async ({
  operatorPage: page,
}) => {
  const { userId } = await waitingOrders(22, (place) => ['7.5', '1200', '0.25'][place % 3] ?? '1');
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

test('a view saved for a role is opened by another operator of it, who starts with it', async ({
  page,
  browser,
}) => {
  const { role, operators } = await newcomer(DEPOSITS);
  await enter(page, operators[0]);
  await page.goto(`${DEPOSITS}?status=FAIL&sort=-amount`);
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  await page.getByRole('button', { name: '保存当前视图' }).click();
  const form = page.getByRole('dialog').filter({ hasText: '保存视图' });
  await form.getByLabel('视图名称').fill('大额失败');
  await form.getByLabel('共享给角色').fill(role);
  await page.locator('.ant-select-item-option:visible').filter({ hasText: role }).click();
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toHaveCount(0);

  const theirs = await browser.newPage({ locale: 'zh-CN', baseURL: origin });
  await enter(theirs, operators[1]);
  await theirs.goto(DEPOSITS);
  await theirs.getByRole('button').filter({ hasText: /^视图/ }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: '默认打开“大额失败”', exact: true }).click();
  await theirs.getByRole('button').filter({ hasText: /^视图/ }).click();
  await theirs.getByRole('link', { name: /大额失败/ }).click();
  await expect(theirs).toHaveURL(/status=FAIL&sort=-amount/);
  await expect(rows(theirs).first()).toContainText('失败');
  // Opened without a search, the list begins with it, and the address says what it shows.
  await theirs.goto(DEPOSITS);
  await expect(theirs).toHaveURL(/status=FAIL&sort=-amount/);
  await expect(rows(theirs).first()).toContainText('失败');
  await theirs.close();

  await page.getByRole('button').filter({ hasText: /^视图/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(dialog).toContainText('确定删除视图“大额失败”吗？');
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('删除成功')).toBeVisible();
});

test('30 orders are rejected at once; the two decided meanwhile are told and can be tried again', async ({
  ownPage: page,
}) => {
  const { userId, ids } = await waitingOrders(30);
  await page.goto(`${DEPOSITS}?userId=${userId}&pageSize=50`);
  await expect(rows(page)).toHaveCount(30);
  await page.getByRole('button', { name: '多选' }).click();
  await page.getByRole('checkbox', { name: '全选' }).check();
  const bar = page.getByRole('region', { name: '批量操作' });
  await expect(bar).toContainText('已选 30 行');
  await expect(bar).toContainText('465.00');
  const admin = await asAdmin();
  for (const id of ids.slice(0, 2))
    await admin.call(reviewDeposit, { id, action: 'REJECT', remark: '先处理' });
  await bar.getByRole('button', { name: '拒绝（30）' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '拒绝：30 行' });
  await dialog.getByRole('button', { name: '拒绝' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('备注不能为空');
  await dialog.getByLabel('备注').fill('批量拒绝');
  await dialog.getByRole('button', { name: '拒绝' }).click();
  await expect(dialog).toContainText('成功 28 行，失败 2 行，共 30 行');
  const outcomes = dialog.getByRole('list', { name: '每行的结果' }).getByRole('listitem');
  await expect(outcomes.filter({ hasText: '该订单已处理' })).toHaveCount(2);
  await dialog.getByRole('button', { name: '重试失败的 2 行' }).click();
  await expect(dialog).toContainText('成功 0 行，失败 2 行，共 2 行');
  await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
  await expect(rows(page).filter({ hasText: '已拒绝' })).toHaveCount(30);
  await expect(bar).toContainText('已选 2 行');
  await page.getByRole('button', { name: '多选' }).click();
  await expect(page.getByRole('checkbox', { name: '全选' })).toHaveCount(0);
});

test('a selection grows page by page, ends with another search, and is shown before anything is done to it', async ({
  ownPage: page,
}) => {
  const { userId } = await waitingOrders(22);
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await expect(rows(page)).toHaveCount(20);
  await page.getByRole('button', { name: '多选' }).click();
  const all = page.getByRole('checkbox', { name: '全选' });
  const bar = page.getByRole('region', { name: '批量操作' });
  await all.check();
  await expect(bar).toContainText('已选 20 行');
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=amount/);
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).not.toHaveURL(/sort=/);
  await page.getByRole('button', { name: '下一页' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(bar).toContainText('已选 20 行');
  await all.check();
  await expect(bar).toContainText('已选 22 行');
  await all.uncheck();
  await expect(bar).toContainText('已选 20 行');
  await all.check();
  await bar.getByRole('button', { name: '通过（22）' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '通过：22 行' });
  const chosen = dialog.getByRole('list', { name: '所选的行' }).getByRole('listitem');
  await expect(chosen).toHaveCount(22);
  await expect(chosen.filter({ hasText: '22.00' })).toHaveCount(1);
  await expect(dialog.getByRole('group', { name: '所选合计' })).toContainText('253.00');
  await dialog.getByRole('button', { name: '取消' }).click();
  await expect(dialog).toBeHidden();

  await page.getByLabel('三方单号', { exact: true }).fill('没有这个单号');
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await page.getByRole('button', { name: '重置' }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(bar).toHaveCount(0);
  await page.getByRole('button', { name: '多选' }).click();
});

test('what the buttons of a row do is done to several: orders passed and marked, operators disabled and enabled, rows deleted', async ({
  page,
}) => {
  const { operators } = await newcomer(
    ...[DEPOSITS, '/main/user/withdraw-record', '/main/pms/operator', 'pms:operator:disable'],
    ...['/main/pms/role', 'pms:role:delete'],
  );
  const admin = await asAdmin();
  const { userId } = await waitingOrders(2);
  const site = testClient(origin, platformKey);
  const mark = randomUUID().slice(0, 8);
  for (const n of [1, 2]) {
    await admin.call(addOperator, { userName: `bulk-${mark}-${n}`, password: PASSWORD });
    await admin.call(addRole, { desc: `批量${mark}-${n}`, name: `bulk-${mark}-${n}` });
  }
  await enter(page, operators[0]);
  const bar = page.getByRole('region', { name: '批量操作' });
  const done = async (word: string, fill = async (_dialog: Locator) => {}) => {
    const all = page.getByRole('checkbox', { name: '全选' });
    if ((await all.count()) === 0) await page.getByRole('button', { name: '多选' }).click();
    await all.check();
    await bar.getByRole('button', { name: `${word}（2）`, exact: true }).click();
    const dialog = page.getByRole('dialog').filter({ hasText: `${word}：2 行` });
    await fill(dialog);
    await dialog.getByRole('button', { name: word, exact: true }).click();
    await expect(dialog).toContainText('成功 2 行，失败 0 行，共 2 行');
    await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
    await expect(dialog).toBeHidden();
  };
  const open = async (path: string) => {
    await page.goto(path);
    await expect(rows(page)).toHaveCount(2);
  };

  await open(`${DEPOSITS}?userId=${userId}`);
  await done('通过');
  await expect(rows(page).filter({ hasText: '已通过' })).toHaveCount(2);
  for (const amount of ['1', '2']) {
    const order = { userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '6222' } };
    expect((await site.call(placeWithdrawal, order)).envelope.success).toBe(true);
  }
  await open(`/main/user/withdraw-record?userId=${userId}`);
  await done('已打款', async (dialog) => {
    await dialog.getByLabel('付款人姓名').fill('公司');
    await dialog.getByLabel('付款账号').fill('6222');
  });
  await expect(rows(page).filter({ hasText: '已打款' })).toHaveCount(2);
  await open(`/main/pms/operator?userName=bulk-${mark}`);
  await done('停用');
  await expect(rows(page).filter({ hasText: '停用' })).toHaveCount(2);
  await done('启用');
  await expect(rows(page).filter({ hasText: '停用' })).toHaveCount(0);
  await open(`/main/pms/role?desc=批量${mark}`);
  await done('删除');
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
});

test('a row opens beside its list with all it holds and what was done to it; arrows lead to the next', async ({
  operatorPage: page,
}) => {
  const { userId, ids } = await waitingOrders(2);
  const admin = await asAdmin();
  await admin.call(reviewDeposit, { id: ids[1] ?? 0, action: 'REJECT', remark: '名字不符' });
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await rows(page).first().getByText('2.00', { exact: true }).click();
  const drawer = page.getByRole('complementary', { name: '行详情' });
  await expect(drawer).toContainText(`编号 ${ids[1]}`);
  await expect(drawer).toContainText('名字不符');
  await expect(drawer.getByRole('region', { name: '操作历史' })).toContainText('审核充值订单');
  await expect(drawer.getByRole('link', { name: '账户', exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(drawer).toContainText(`编号 ${ids[0]}`);
  await page.keyboard.press('Escape');
  await expect(drawer).toHaveCount(0);
  // The keys go on in the list.
  await expect(page.getByRole('region', { name: '分页查询充值订单' })).toBeFocused();
});

test('a value is copied by hovering, a moment tells how long ago it was, “/” leads to the search', async ({
  operatorPage: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { userId } = await waitingOrders(1, () => '1234567.5');
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
  await expect(page.getByText('已复制')).toBeVisible();
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
  const { userId } = await waitingOrders(2);
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
  const go = (to: string) =>
    page.evaluate((path) => {
      history.pushState(null, '', path);
      dispatchEvent(new PopStateEvent('popstate'));
    }, to);
  await go(`${address}&sort=-amount`);
  await expect(rows(page).first()).toContainText('2.00');
  await expect(from).toHaveValue('2026-01-02 03:04:05');
  await go(`${DEPOSITS}?userId=${userId}&status=FAIL`);
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await expect(page.getByLabel('三方单号', { exact: true })).toHaveValue('');
});

test('what is entered for several rows outlives a reload, and is asked about before it is lost', async ({
  ownPage: page,
}) => {
  const { userId } = await waitingOrders(2);
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await expect(rows(page)).toHaveCount(2);
  const begin = async () => {
    await page.getByRole('checkbox', { name: '全选' }).check();
    const bar = page.getByRole('region', { name: '批量操作' });
    await bar.getByRole('button', { name: '拒绝（2）' }).click();
    return page.getByRole('dialog').filter({ hasText: '拒绝：2 行' });
  };
  await page.getByRole('button', { name: '多选' }).click();
  const dialog = await begin();
  await dialog.getByLabel('备注').fill('名字不符');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: '继续填写' }).click();
  await expect(page.getByRole('tab', { name: /充值/ }).getByLabel('有未提交的内容')).toBeVisible();
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect((await begin()).getByLabel('备注')).toHaveValue('名字不符');
  await dialog.getByRole('button', { name: '取消' }).click();
  await dialog.getByRole('button', { name: '放弃' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('有未提交的内容')).toHaveCount(0);
  await page.getByRole('button', { name: '多选' }).click();
});
