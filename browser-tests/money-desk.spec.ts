import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { given } from '#server/testing/given.ts';
import { pageDeposits } from '../contract/deposits.ts';
import { listMenus, type Menu } from '../contract/menus.ts';
import { addOperator, bindOperatorRoles } from '../contract/operators.ts';
import {
  createUser,
  getUserBalance,
  placeDeposit,
  placeWithdrawal,
  postEntries,
} from '../contract/platform.ts';
import { addRole, bindRoleMenus } from '../contract/roles.ts';
import { pageWithdrawals } from '../contract/withdrawals.ts';
import { expect, test } from './fixtures.ts';
import { startTwoServers, type TwoServers, windowAt } from './two-servers.ts';

const PASSWORD = 'a cashier of the tests';
const PATHS = ['/main/user/money-desk', '/main/user/deposit-record', '/main/user/withdraw-record'];
let servers: TwoServers;

// One queue for all of them: one after the other.
test.describe.configure({ mode: 'serial', timeout: 420_000 });
test.beforeAll(async () => {
  test.setTimeout(420_000);
  servers = await startTwoServers();
  await cashiers('cashier-a', 'cashier-b', 'cashier-c', 'cashier-d');
});
test.afterAll(() => servers?.stop());

/** Cashiers who may see the desk and both lists. */
async function cashiers(...names: string[]) {
  const { admin } = servers;
  const roleId = given((await admin.call(addRole, { desc: '出纳', name: 'cashier' })).envelope.data);
  const flat = (list: readonly Menu[]): Menu[] => list.flatMap((menu) => [menu, ...flat(menu.childrens)]);
  const menus = flat(given((await admin.call(listMenus, {})).envelope.data));
  const held = menus.filter(({ path }) => path !== null && PATHS.includes(path));
  const menuIds = [
    ...new Set(held.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId]))),
  ];
  await admin.call(bindRoleMenus, { rid: roleId, menuIds });
  for (const userName of names) {
    const oid = given((await admin.call(addOperator, { userName, password: PASSWORD })).envelope.data);
    await admin.call(bindOperatorRoles, { oid, roleIds: [roleId] });
  }
}

async function player(balance: string): Promise<number> {
  const { site } = servers;
  const userId = given(
    (await site.call(createUser, { nickName: '玩家', username: randomUUID() })).envelope.data,
  );
  const entry = { userId, changeType: 'RECHARGE_GIVE' as const, amount: balance, bizOrderNo: randomUUID() };
  await site.call(postEntries, { entries: [entry] });
  return userId;
}
const deposit = async (userId: number, amount: string) => {
  const order = { userId, amount, type: 'BANK_TRANSFER' as const, bankOrderNo: randomUUID() };
  return given((await servers.site.call(placeDeposit, order)).envelope.data);
};
const withdraw = async (userId: number, amount: string) => {
  const order = { userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '6222' } };
  return given((await servers.site.call(placeWithdrawal, order)).envelope.data);
};

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const onDesk = (page: Page) => page.getByRole('region', { name: '当前订单' }).getByRole('article');
/** What lies on the desk once it can be decided. */
async function ready(page: Page): Promise<string> {
  await expect(onDesk(page).getByRole('button', { name: /（P）/ })).toBeVisible();
  return given(await onDesk(page).getAttribute('aria-label'));
}
const gone = (page: Page, name: string) =>
  expect(page.getByRole('article', { name, exact: true })).toHaveCount(0);

/** Pays what lies on the desk, by keys alone. */
async function pass(page: Page, name: string) {
  await press(page, 'p');
  await expect(onDesk(page).getByRole('button', { name: /^确认/ })).toBeFocused();
  await press(page, 'Enter');
  await gone(page, name);
}

test('a cashier’s hour: 20 deposits and 10 withdrawals by keys alone, beside another on the same queue', async ({
  browser,
}) => {
  const userId = await player('1000');
  for (let n = 0; n < 22; n += 1) await deposit(userId, '10');
  for (let n = 0; n < 10; n += 1) await withdraw(userId, '5');
  const [one, two] = servers.origins;
  const a = await windowAt(browser, one, { username: 'cashier-a', password: PASSWORD });
  const b = await windowAt(browser, two, { username: 'cashier-b', password: PASSWORD });
  for (const page of [a, b]) await page.goto('/main/user/money-desk');
  for (const page of [a, b])
    await expect(page.getByRole('status').filter({ hasText: '待处理充值 22 笔，提现 10 笔' })).toBeVisible();

  // Both ask at once; what the other holds is seen, and taken from them only on purpose.
  await Promise.all([press(a, 'n'), press(b, 'n')]);
  const [ofA, ofB] = await Promise.all([ready(a), ready(b)]);
  expect(ofA).not.toBe(ofB);
  const line = (page: Page, name: string) =>
    page
      .getByRole('region', { name: '队列' })
      .getByRole('listitem')
      .filter({ has: page.getByLabel(new RegExp(`${name}$`)) });
  await expect(line(a, ofB)).toContainText('cashier-b 处理中');

  // A reason is typed, whatever letters it has; the first of the usual ones is a key away.
  await press(b, 'r', 'Tab', 'Tab', 'Tab');
  await expect(b.getByLabel('拒绝原因')).toBeFocused();
  await b.keyboard.type('npru1 not ours');
  await expect(b.getByLabel('拒绝原因')).toHaveValue('npru1 not ours');
  expect(await onDesk(b).getAttribute('aria-label')).toBe(ofB);
  await press(b, 'Control+Enter');
  await gone(b, ofB);
  const secondOfB = await ready(b);
  await press(b, 'r', '1');
  await expect(onDesk(b).getByRole('button', { name: /^确认拒绝/ })).toBeFocused();
  await press(b, 'Enter');
  await gone(b, secondOfB);
  // B leaves: what lay on that desk is free again at once.
  const left = await ready(b);
  await b.close();

  const done = new Set<string>();
  for (let n = 0; n < 30; n += 1) {
    const name = await ready(a);
    expect(done.has(name)).toBe(false);
    expect([ofB, secondOfB]).not.toContain(name);
    done.add(name);
    await pass(a, name);
  }
  expect(done.has(left)).toBe(true);
  expect([...done].filter((name) => name.startsWith('充值'))).toHaveLength(20);
  await expect(a.getByText('没有待处理的订单')).toBeVisible();

  // One that arrives on the other server is there without being asked for.
  const live = await deposit(userId, '7');
  await expect(a.getByRole('button', { name: `领取充值订单 ${live}` })).toBeVisible();
  await press(a, 'n');
  await pass(a, await ready(a));

  const { admin, site } = servers;
  const decided = async (call: typeof pageDeposits | typeof pageWithdrawals) =>
    given((await admin.call(call, { userId, pageSize: 100 })).envelope.data).data.map(
      ({ status, reviewer, remark }) => [status, reviewer, remark ?? ''].join(' ').trim(),
    );
  const counted = (words: readonly string[]) =>
    Object.fromEntries(
      [...new Set(words)].map((word) => [word, words.filter((each) => each === word).length]),
    );
  expect(counted(await decided(pageDeposits))).toEqual({
    'SUCCESS cashier-a': 21,
    'FAIL cashier-b npru1 not ours': 1,
    'FAIL cashier-b 未收到款项': 1,
  });
  expect(counted(await decided(pageWithdrawals))).toEqual({ 'SUCCESS cashier-a': 10 });
  // 1000, 20 deposits of 10 and one of 7 in, 10 withdrawals of 5 out.
  const balance = (await site.call(getUserBalance, { id: userId })).envelope.data;
  expect(balance).toMatchObject({ totalAmount: '1157.00', freezeAmount: '0.00' });
});

test('an order on another’s desk is taken over on purpose, and its first cashier is told', async ({
  browser,
}) => {
  const userId = await player('10');
  const id = await deposit(userId, '3');
  const [one, two] = servers.origins;
  const c = await windowAt(browser, one, { username: 'cashier-c', password: PASSWORD });
  const d = await windowAt(browser, two, { username: 'cashier-d', password: PASSWORD });
  await c.goto('/main/user/money-desk');
  await expect(c.getByRole('button', { name: `领取充值订单 ${id}` })).toBeVisible();
  await press(c, 'n');
  const name = await ready(c);
  await d.goto('/main/user/money-desk');
  await d.getByRole('button', { name: `接手充值订单 ${id}` }).click();
  await d.getByRole('dialog').getByRole('button', { name: '接手' }).click();
  await expect(onDesk(c).getByRole('alert')).toHaveText('该订单已由 cashier-d 接手');
  await expect(onDesk(c).getByRole('button', { name: /（P）/ })).toHaveCount(0);
  await pass(d, name);
  await expect(onDesk(c).getByRole('alert')).toHaveText('该订单已处理（cashier-d）');
});
