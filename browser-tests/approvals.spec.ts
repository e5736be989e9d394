import { randomUUID } from 'node:crypto';
import type { Browser } from '@playwright/test';
import { addBalance } from '../contract/accounts.ts';
import { approvalIdOf, releaseApproval } from '../contract/approvals.ts';
import { listGameNumbersByGame } from '../contract/game-numbers.ts';
import { listMenus } from '../contract/menus.ts';
import { setOdds } from '../contract/odds.ts';
import { addOperator, bindOperatorRoles, resetOperatorPassword } from '../contract/operators.ts';
import { listParamSettings, updateParamSetting } from '../contract/param-settings.ts';
import { addRole, bindRoleMenus, listRoles } from '../contract/roles.ts';
import { changePassword } from '../contract/security.ts';
import { login } from '../contract/sign-in.ts';
import { post } from '../server/features/ledger/ledger-store.ts';
import { setParam } from '../server/testing/approving.ts';
import { allGrants, buildOperator } from '../server/testing/build-operator.ts';
import { buildPlayWay } from '../server/testing/build-play-way.ts';
import { buildUser } from '../server/testing/build-user.ts';
import { testClient } from '../server/testing/test-client.ts';
import { examine } from './axe.ts';
import { startChatServer } from './chat-server.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { enter, openForm, rowOf } from './forms.ts';
import { select, showOdds } from './odds.ts';

// Approvals hold for a whole server: these have one of their own.
test.describe.configure({ mode: 'serial' });

const PASSWORD = 'second pair of eyes';
const checker = { username: `checker-${randomUUID()}`, password: PASSWORD };
let server: Awaited<ReturnType<typeof startChatServer>>;

async function clientOf(who: { username: string; password: string }, headers = {}) {
  const { envelope } = await testClient(server.origin).call(login, who, { headers });
  return testClient(server.origin, envelope.data?.access_token ?? '');
}

test.beforeAll(async () => {
  server = await startChatServer({});
  const admin = await clientOf(firstOperator);
  const added = await admin.call(addOperator, { userName: checker.username, password: PASSWORD });
  const roles = (await admin.call(listRoles, { name: 'administrator' })).envelope.data ?? [];
  const roleIds = roles.map(({ id }) => id);
  await admin.call(bindOperatorRoles, { oid: added.envelope.data ?? 0, roleIds });
});
test.afterAll(() => server?.stop());

const windowOf = (browser: Browser) => browser.newPage({ locale: 'zh-CN', baseURL: server.origin });

test('one prepares, the other sees what it will do and releases; one’s own cannot be released', async ({
  browser,
}) => {
  const { userId, username } = await buildUser(server.db, { nickName: '待复核玩家', balance: '10' });
  const mine = await windowOf(browser);
  await signIn(mine, firstOperator);
  const state = Promise.withResolvers<void>();
  await mine.route('**/api/approval/state*', async (route) => {
    await state.promise;
    await route.continue();
  });
  await mine.goto('/main/system/approval');
  const head = mine.getByRole('columnheader', { name: '复核编号' });
  const place = await head.boundingBox();
  state.resolve();
  await expect(mine.getByText('复核未开启：重要操作由一名操作员即可完成')).toBeVisible();
  // What comes late does not push the list down.
  expect(await head.boundingBox()).toEqual(place);
  const admin = await clientOf(firstOperator);
  const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
  const param = params.find(({ key }) => key === 'approval.enabled');
  if (!param) throw new Error('no parameter');
  await admin.call(updateParamSetting, { ...param, value: 'true' });

  await mine.goto(`/main/user/account?userId=${userId}`);
  await rowOf(mine, '待复核玩家').getByRole('button', { name: '加款' }).click();
  const form = openForm(mine);
  await enter(form, '金额', '250');
  await enter(form, '备注', '活动补发');
  await form.getByRole('button', { name: '提交' }).click();
  const told = mine.getByRole('dialog').filter({ hasText: '须由另一名有复核权限的操作员放行' });
  await expect(told).toBeVisible();
  await expect(form.getByLabel('金额')).toHaveCount(0);
  await told.getByRole('link', { name: /复核编号/ }).click();
  await expect(mine).toHaveURL(/\/main\/system\/approval\?id=\d+/);
  const own = rowOf(mine, '人工加款');
  await expect(own).toContainText('待复核');
  await expect(own).toContainText('活动补发');
  await expect(own.getByRole('button', { name: '撤回' })).toBeVisible();
  await expect(own.getByRole('button', { name: '放行' })).toHaveCount(0);
  // How many wait is said beside the menu, and beside its folder while that is closed.
  const menus = mine.getByRole('navigation', { name: '主菜单' });
  await expect(
    menus.getByRole('link', { name: /^待复核\s*，1 项待复核，其中 0 项可由您复核$/ }),
  ).toBeVisible();
  await menus.getByRole('button', { name: '系统管理' }).click();
  await expect(
    menus.getByRole('button', { name: /^系统管理\s*，1 项待复核，其中 0 项可由您复核$/ }),
  ).toBeVisible();

  const theirs = await windowOf(browser);
  await signIn(theirs, checker);
  await theirs.goto('/main/analysis/bashboard');
  await theirs
    .getByRole('main')
    .getByRole('link', { name: /待复核.*1.*其中 1 项可由您复核/s })
    .click();
  const waiting = rowOf(theirs, '人工加款');
  await expect(waiting).toContainText('人工加扣款一律须复核');
  await expect(waiting).toContainText(username);
  await expect(waiting).toContainText('250.00');
  await waiting.getByRole('button', { name: /展开/ }).click();
  const detail = theirs.getByRole('table').filter({ hasText: '变更前' }).last();
  await expect(detail).toContainText('10.00');
  await expect(detail).toContainText('260.00');
  await waiting.getByRole('button', { name: '放行' }).click();
  const release = theirs.getByRole('dialog');
  for (const told of [username, '250.00', '活动补发', '10.00', '260.00'])
    await expect(release).toContainText(told);
  await examine(theirs, 'what is about to be released');
  await release.getByLabel('复核意见').fill('已与活动名单核对');
  await release.getByRole('button', { name: '放行' }).click();
  await expect(theirs.getByText('已放行并执行')).toBeVisible();
  const folder = theirs.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: /^待复核/ });
  await expect(folder).toHaveAccessibleName('待复核');
  await theirs.goto('/main/system/approval');
  const done = rowOf(theirs, '人工加款');
  await expect(done).toContainText('已放行');
  await expect(done).toContainText('已与活动名单核对');
  await expect(done.getByRole('button', { name: '放行' })).toHaveCount(0);
  await mine.goto(`/main/user/account?userId=${userId}`);
  await expect(rowOf(mine, '待复核玩家')).toContainText('260.00');
  // What was submitted is no form that somebody left half filled.
  await expect(mine.getByRole('dialog')).toHaveCount(0);
  await theirs.close();
  await mine.close();
});

test('a debt is written off in part: one asks at its row, with the reason, and the other releases it', async ({
  browser,
}) => {
  await setParam(server.db, 'approval.enabled', 'true');
  const { userId } = await buildUser(server.db, { nickName: '欠款玩家', balance: '10' });
  const reversal = { userId, changeType: 'WIN_REVERSAL', amount: '80.5', source: 'OWING' } as const;
  await post(server.db, { ...reversal, bizOrderNo: randomUUID(), desc: null });
  const mine = await windowOf(browser);
  await signIn(mine, firstOperator);
  await mine.goto(`/main/user/account?userId=${userId}`);
  await expect(rowOf(mine, '欠款玩家')).toContainText('70.50');
  await rowOf(mine, '欠款玩家').getByRole('button', { name: '核销' }).click();
  const form = openForm(mine);
  await expect(form.getByLabel('核销金额')).toHaveValue('70.50');
  await enter(form, '核销金额', '70.51');
  await enter(form, '原因', '玩家失联，无法追回');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByText('不能超过该用户的欠款')).toBeVisible();
  await enter(form, '核销金额', '50');
  await form.getByRole('button', { name: '提交' }).click();
  const told = mine.getByRole('dialog').filter({ hasText: '须由另一名有复核权限的操作员放行' });
  await expect(told).toBeVisible();

  const theirs = await windowOf(browser);
  await signIn(theirs, checker);
  await theirs.goto('/main/system/approval');
  const waiting = rowOf(theirs, '核销欠款');
  await expect(waiting).toContainText('玩家失联，无法追回');
  await waiting.getByRole('button', { name: '放行' }).click();
  const release = theirs.getByRole('dialog');
  await release.getByLabel('复核意见').fill('已核对欠款来源');
  await release.getByRole('button', { name: '放行' }).click();
  await expect(theirs.getByText('已放行并执行')).toBeVisible();
  await mine.goto(`/main/user/account?userId=${userId}`);
  await expect(rowOf(mine, '欠款玩家')).toContainText('20.50');
  await theirs.close();
  await mine.close();
});

test('a sign-in from a new address is told on the overview, named in the safe, and taken note of', async ({
  browser,
}) => {
  const page = await windowOf(browser);
  await signIn(page, checker);
  await clientOf(checker, { 'x-forwarded-for': '198.51.100.23', 'user-agent': 'another' });
  await page.goto('/main/analysis/bashboard');
  await page.getByRole('link', { name: /新地址登录.*1/s }).click();
  await expect(page).toHaveURL(/\/main\/other\/safe$/);
  const list = page.getByRole('list', { name: '新地址' });
  await expect(list).toContainText('198.51.100.23');
  await page.getByRole('button', { name: '是我本人，知道了' }).click();
  await expect(list).toHaveCount(0);
  await page.goto('/main/analysis/bashboard');
  await expect(page.getByRole('link', { name: /^待复核 \d/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /新地址登录/ })).toHaveCount(0);
  await page.close();
});

test('from a phone: what waits is told, opened, read and released, within its width', async ({ browser }) => {
  await setParam(server.db, 'approval.enabled', 'true');
  const { userId } = await buildUser(server.db, { nickName: '手机复核', balance: '10' });
  const reversal = { userId, changeType: 'WIN_REVERSAL', amount: '60', source: 'OWING' } as const;
  await post(server.db, { ...reversal, bizOrderNo: randomUUID(), desc: null });
  const mine = await windowOf(browser);
  await signIn(mine, firstOperator);
  await mine.goto(`/main/user/account?userId=${userId}`);
  await rowOf(mine, '手机复核').getByRole('button', { name: '核销' }).click();
  const form = openForm(mine);
  await enter(form, '核销金额', '50');
  await enter(form, '原因', '手机上复核的欠款');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(
    mine.getByRole('dialog').filter({ hasText: '须由另一名有复核权限的操作员放行' }),
  ).toBeVisible();

  const phone = await browser.newPage({
    ...{ locale: 'zh-CN', baseURL: server.origin, hasTouch: true, isMobile: true },
    viewport: { width: 390, height: 844 },
  });
  await signIn(phone, checker);
  const menus = phone.getByRole('navigation', { name: '主菜单' });
  await expect(menus).toBeHidden();
  await phone.getByRole('button', { name: '展开菜单' }).tap();
  await menus.getByRole('button', { name: /^系统管理/ }).tap();
  await menus.getByRole('link', { name: /^待复核\s*，\d+ 项待复核/ }).tap();
  await expect(phone).toHaveURL(/\/main\/system\/approval/);
  await expect(menus).toBeHidden();
  const card = phone.locator('tbody tr').filter({ hasText: '手机上复核的欠款' });
  await expect(card).toBeVisible();
  const isAsWideAsThePhone = () =>
    phone.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
  expect(await isAsWideAsThePhone()).toBe(true);
  await phone.getByRole('button', { name: '更多条件' }).tap();
  // What is cut off at the edge makes the page no wider, and can never be reached.
  for (const field of await phone.locator('[data-field] > :not(label):visible').all()) {
    const place = await field.boundingBox();
    expect(place && place.x >= 0 && place.x + place.width <= 390).toBe(true);
  }
  await examine(phone, 'what waits, on a phone');
  const release = card.getByRole('button', { name: '放行' });
  await release.scrollIntoViewIfNeeded();
  const box = await release.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390 && box.height >= 40).toBe(true);
  await release.tap();
  const dialog = phone.getByRole('dialog');
  // Smaller letters would have the phone magnify the page.
  await expect(dialog.getByLabel('复核意见')).toHaveCSS('font-size', '16px');
  await dialog.getByLabel('复核意见').fill('已在手机上核对');
  await dialog.getByRole('button', { name: '放行' }).tap();
  await expect(phone.getByText('已放行并执行')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(card).toContainText('已放行');
  expect(await isAsWideAsThePhone()).toBe(true);
  await phone.close();
  await mine.close();
});

test('of several rows at once those that wait for a second operator are told so, and are not tried again', async ({
  browser,
}) => {
  await setParam(server.db, 'approval.enabled', 'true');
  const mine = await windowOf(browser);
  await signIn(mine, firstOperator);
  const { oddsNow } = await showOdds(mine, await clientOf(firstOperator));
  const bar = await select(mine, '01', '02');
  await bar.getByRole('button', { name: '设赔率（2）', exact: true }).click();
  const dialog = mine.getByRole('dialog', { name: '设赔率：2 行' });
  await dialog.getByLabel('赔率', { exact: true }).fill('4.2');
  await dialog.getByRole('button', { name: '设赔率', exact: true }).click();
  await expect(dialog).toContainText('成功 0 行，等待复核 2 行，失败 0 行，共 2 行');
  await expect(dialog.getByText('已提交，等待复核')).toHaveCount(2);
  await expect(dialog.getByRole('button', { name: /^重试/ })).toHaveCount(0);
  expect((await oddsNow()).map(({ odds }) => odds)).toEqual(['3', '3', '3', '3']);
  await mine.close();
});

test('what waits is shown whole: hundreds of odds by their numbers, and whose access changes', async ({
  browser,
}) => {
  await setParam(server.db, 'approval.enabled', 'true');
  const admin = await clientOf(firstOperator);
  const numbers = Array.from({ length: 600 }, (_, n) => `第${n + 1}号`);
  const { gameId, playWayId } = await buildPlayWay(admin, numbers);
  const rows = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
  const odds = rows.map(({ id: numberId }, place) => ({ numberId, odds: place === 590 ? '90000' : '500' }));
  const odd = approvalIdOf((await admin.call(setOdds, { playWayId, rows: odds })).envelope.data);
  const role = await admin.call(addRole, { desc: '新角色', name: `role-${randomUUID()}` });
  const menus = (await admin.call(listMenus, { title: '新闻' })).envelope.data ?? [];
  const menuIds = menus.flatMap(({ childrens }) => childrens.map(({ id }) => id));
  await admin.call(bindRoleMenus, { rid: Number(role.envelope.data), menuIds });
  const userName = `newcomer-${randomUUID()}`;
  const oid = (await admin.call(addOperator, { userName, password: PASSWORD })).envelope.data ?? 0;
  const bound = await admin.call(bindOperatorRoles, { oid, roleIds: [Number(role.envelope.data)] });
  const access = approvalIdOf(bound.envelope.data);

  const theirs = await windowOf(browser);
  await signIn(theirs, checker);
  await theirs.goto('/main/system/approval');
  const waiting = rowOf(theirs, '设置赔率');
  await expect(waiting).toContainText('玩法“猜号”的“第591号”返还率 150，高于 1');
  await waiting.getByRole('button', { name: /展开/ }).click();
  const changed = theirs.getByRole('region', { name: '赔率（odds）：变更前后' });
  await expect(changed).toContainText('共 600 行');
  await expect(changed.getByRole('row').filter({ hasText: '第500号' })).toContainText('500');
  await expect(changed.getByText('90000')).toHaveCount(0);
  await changed.getByRole('button', { name: '再显示 100 项（还有 100 项）' }).click();
  await expect(changed.getByRole('row').filter({ hasText: '第591号' })).toContainText('90000');
  await examine(theirs, 'hundreds of odds that wait');

  await theirs.goto(`/main/system/approval?id=${access}`);
  await rowOf(theirs, '分配角色').getByRole('button', { name: /展开/ }).click();
  const gains = theirs
    .getByRole('table', { name: '权限变化' })
    .getByRole('row')
    .filter({ hasText: userName });
  await expect(gains).toContainText('：/news/');

  const client = await clientOf(checker);
  expect((await client.call(releaseApproval, { id: odd ?? 0 })).envelope.data).toBe(600);
  await theirs.goto(`/main/system/change-record?summary=${encodeURIComponent('设置赔率')}&outcome=SUCCESS`);
  await rowOf(theirs, '设置赔率').getByRole('button', { name: /展开/ }).click();
  await expect(theirs.getByRole('region', { name: '赔率（odds）：变更前后' })).toContainText('共 600 行');
  await theirs.close();
});

test('who releases what was prepared with an account that they had opened themselves is marked in the list', async ({
  browser,
}) => {
  await setParam(server.db, 'approval.enabled', 'true');
  const grants = (await allGrants(server.db)).filter((path) => !path.startsWith('approval:release:'));
  const { id, username } = await buildOperator(server.db, { grants });
  const theirs = await clientOf(checker);
  const password = 'a word that two know';
  expect((await theirs.call(resetOperatorPassword, { id, password })).envelope.data).toBe(true);
  const own = { oldPassword: password, newPassword: PASSWORD, newConfirm: PASSWORD };
  await (await clientOf({ username, password })).call(changePassword, own);
  const maker = await clientOf({ username, password: PASSWORD });
  const { accountId } = await buildUser(server.db);
  const prepared = await maker.call(addBalance, { id: accountId, balance: '5' });
  const approval = approvalIdOf(prepared.envelope.data) ?? 0;
  expect((await theirs.call(releaseApproval, { id: approval })).envelope.success).toBe(true);

  const mine = await windowOf(browser);
  await signIn(mine, firstOperator);
  await mine.goto(`/main/system/approval?maker=${username}`);
  const row = rowOf(mine, '已放行');
  await expect(row).toContainText(`须留意 ${checker.username}`);
  await row.getByRole('button', { name: /展开/ }).click();
  await expect(
    mine.getByText(`提交前 7 天内 重置操作员密码“${username}”：由“${checker.username}”于`),
  ).toBeVisible();
  await examine(mine, 'a release that is marked');
  await mine.close();
});
