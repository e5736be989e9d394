import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { buildGame } from '#server/testing/build-game.ts';
import { buildBettors, buildSlips, claimResults, recordResult } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { testClient } from '#server/testing/test-client.ts';
import { pageDeposits } from '../contract/deposits.ts';
import { listParamSettings, updateParamSetting } from '../contract/param-settings.ts';
import {
  createUser,
  getUserBalance,
  placeDeposit,
  placeWithdrawal,
  postEntries,
} from '../contract/platform.ts';
import { listRoles } from '../contract/roles.ts';
import { pageWithdrawals } from '../contract/withdrawals.ts';
import { examine } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { choose, enter, rowOf, submit } from './forms.ts';
import { newOperator, newRole } from './operators.ts';
import { platformKey } from './server.ts';
import { startTwoServers, type TwoServers, windowAt } from './two-servers.ts';

const PASSWORD = 'somebody of the tests';
const MONEY = ['/main/user/money-desk', '/main/user/deposit-record', '/main/user/withdraw-record'];
const DRAWS = [
  ...['/main/game/draw-desk', '/main/game/open-plan', '/main/game/open-record', '/main/game/spider'],
  ...['/main/bet/settlement', 'game:openRecord:enter', 'bet:phase:void'],
];
let servers: TwoServers;

// One queue for all of them: one after the other.
test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  servers = await startTwoServers();
  await operators('cashier', MONEY, 'cashier-a', 'cashier-b', 'cashier-c', 'cashier-d');
  await operators('draws', DRAWS, 'manager');
});
test.afterAll(() => servers?.stop());

/** Operators of a role that holds these menus and buttons. */
async function operators(role: string, paths: readonly string[], ...names: string[]) {
  const { admin } = servers;
  const roleId = await newRole(admin, paths, role);
  for (const username of names) await newOperator(admin, [roleId], { username, password: PASSWORD });
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
const deposit = async (userId: number, amount: string, at = servers.site) => {
  const order = { userId, amount, type: 'BANK_TRANSFER' as const, bankOrderNo: randomUUID() };
  return given((await at.call(placeDeposit, order)).envelope.data);
};
const withdraw = async (userId: number, amount: string) => {
  const order = { userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '6222' } };
  return given((await servers.site.call(placeWithdrawal, order)).envelope.data);
};

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
/** Has the key pressed in the instant in which the tab is shown, wherever the keyboard is then. */
async function pressAsShown(page: Page, tab: RegExp, key: string) {
  await page.getByRole('tab', { name: tab }).evaluate((element, pressed) => {
    const shown = new MutationObserver(() => {
      if (element.getAttribute('aria-selected') !== 'true') return;
      shown.disconnect();
      const at = document.activeElement ?? document.body;
      at.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }));
    });
    shown.observe(element, { attributeFilter: ['aria-selected'] });
  }, key);
}
/** On a phone: whatever is pressed is as large as a finger, and nothing has to be moved sideways. */
async function expectFitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 800 });
  const small = page.locator('.tab-panel:visible').locator('button:visible, input:visible, textarea:visible');
  const low = () =>
    small.evaluateAll((all) =>
      all
        .filter((element) => element.getBoundingClientRect().height < 40)
        .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    );
  await expect.poll(low).toEqual([]);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth))
    .toBeLessThanOrEqual(0);
}

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
  await examine(a, 'an order on the desk');
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
  // What is half written is asked about before it is lost.
  await expect(b.getByRole('tab', { selected: true }).getByLabel('有未提交的内容')).toBeVisible();
  const question = b.waitForEvent('dialog');
  await b.evaluate(() => setTimeout(() => location.reload()));
  expect((await question).type()).toBe('beforeunload');
  await (await question).dismiss();
  await expect(b.getByLabel('拒绝原因')).toHaveValue('npru1 not ours');
  await b.getByLabel('拒绝原因').focus();
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
  const live = await deposit(userId, '7', testClient(two, platformKey));
  await expect(a.getByRole('button', { name: `领取充值订单 ${live}` })).toBeVisible();
  await press(a, 'n');
  const last = await ready(a);
  // The same on a phone: the desk itself, and what its decisions ask.
  await expectFitsPhone(a);
  for (const key of ['r', 'p']) {
    await press(a, key);
    await expect(onDesk(a).getByRole('button', { name: /^确认/ })).toBeVisible();
    await expectFitsPhone(a);
    if (key === 'r') await press(a, 'Escape');
  }
  await press(a, 'Escape');
  await pass(a, last);

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
  // What was promised within 15 minutes is told by its colour as well.
  for (const [minutes, told, colour] of [
    [2, /已等 2 分钟，还剩 1[23] 分钟/, 'good'],
    [12, /已等 12 分钟，还剩 [23] 分钟/, 'warn'],
    [20, /已等 20 分钟，已超时 5 分钟/, 'bad'],
  ] as const) {
    await sql`update deposit set "createTime" = now() - make_interval(mins => ${minutes}) where id = ${id}`.execute(
      servers.db,
    );
    await c.goto('/main/user/money-desk');
    const age = c.getByRole('region', { name: '队列' }).getByRole('listitem').getByText('已等');
    await expect(age).toHaveText(told);
    await expect(age).toHaveClass(`tag tag-${colour}`);
  }
  await expect(c.getByRole('button', { name: `领取充值订单 ${id}` })).toBeVisible();
  await press(c, 'n');
  const name = await ready(c);
  await expect(onDesk(c)).toBeFocused();
  // In the list too it is the first one's to decide.
  await d.goto(`/main/user/deposit-record?id=${id}`);
  await expect(d.locator('tbody').getByRole('row')).toContainText('cashier-c 处理中');
  await expect(d.getByRole('button', { name: '审核' })).toHaveCount(0);
  await d.goto('/main/user/money-desk');
  await d.getByRole('button', { name: `接手充值订单 ${id}` }).click();
  await d.getByRole('dialog').getByRole('button', { name: '接手' }).click();
  await expect(onDesk(c).getByRole('alert')).toHaveText('该订单已由 cashier-d 接手');
  await expect(onDesk(c).getByRole('button', { name: /（P）/ })).toHaveCount(0);
  expect(await ready(d)).toBe(name);
  await pass(d, name);
  await expect(onDesk(c).getByRole('alert')).toHaveText('该订单已处理（cashier-d）');
});

test('a reason half typed is asked about whatever would leave its order; what waits in another tab holds no keys back', async ({
  browser,
}) => {
  const userId = await player('10');
  const ids = [await deposit(userId, '3'), await deposit(userId, '4')];
  const c = await windowAt(browser, servers.origins[0], { username: 'cashier-c', password: PASSWORD });
  const d = await windowAt(browser, servers.origins[1], { username: 'cashier-d', password: PASSWORD });
  await c.goto(`/main/user/deposit-record?id=${ids[1]}`);
  await expect(c.locator('tbody').getByRole('row').first()).toBeVisible();
  await c.goto('/main/user/money-desk');
  await expect(c.getByRole('button', { name: `领取充值订单 ${ids[0]}` })).toBeVisible();
  await press(c, 'n');
  const name = await ready(c);
  await press(c, 'r');
  const reason = c.getByLabel('拒绝原因');
  await reason.fill('名字不符');
  await press(c, 'Tab');
  await expect(onDesk(c).getByRole('button', { name: /^确认拒绝/ })).toBeFocused();
  // Neither N nor U takes it away; Escape and the buttons ask.
  await press(c, 'n', 'u');
  await expect(reason).toHaveValue('名字不符');
  await press(c, 'Escape');
  await expect(onDesk(c).getByText('填写的内容尚未提交，确定放弃吗？')).toBeVisible();
  await onDesk(c).getByRole('button', { name: '继续填写' }).click();
  await c.getByRole('button', { name: '下一笔（N）' }).click();
  const question = c.getByRole('dialog', { name: `离开${name}` });
  await expect(question).toContainText('填写的内容尚未提交');
  await question.getByRole('button', { name: '取消', exact: true }).click();
  await expect(question).toHaveCount(0);
  await expect(reason).toHaveValue('名字不符');

  // What is on its way can be given up no more: what becomes of it, if only that nobody knows, is told there.
  const lost = Promise.withResolvers<void>();
  let sent = 0;
  await c.route('**/depositRecord/review', async (route) => {
    sent += 1;
    await lost.promise;
    await route.abort();
  });
  await onDesk(c)
    .getByRole('button', { name: /^确认拒绝/ })
    .click();
  await expect.poll(() => sent).toBe(1);
  await press(c, 'Enter', 'Escape', 'n');
  await expect(c.getByRole('button', { name: '下一笔（N）' })).toHaveAttribute('aria-disabled', 'true');
  await c.getByRole('button', { name: '下一笔（N）' }).click({ force: true });
  await expect(question).toHaveCount(0);
  await expect(onDesk(c).getByText('填写的内容尚未提交，确定放弃吗？')).toHaveCount(0);
  await expect(reason).toHaveValue('名字不符');
  lost.resolve();
  await expect(onDesk(c).getByText('没有收到系统的响应')).toBeVisible();
  await c.unroute('**/depositRecord/review');

  // While another tab is shown the order is free; on coming back it is taken again, with what was typed.
  const taken = async () =>
    (
      await sql<{
        taken: boolean;
      }>`select "takenBy" is not null as taken from deposit where id = ${ids[0]}`.execute(servers.db)
    ).rows[0]?.taken;
  await expect.poll(taken).toBe(true);
  await c.getByRole('tab', { name: /^充值订单/ }).click();
  await expect.poll(taken).toBe(false);
  await c.getByRole('tab', { name: /^资金工作台/ }).click();
  await expect.poll(taken).toBe(true);
  await expect(reason).toHaveValue('名字不符');
  // Taken by another meanwhile, it is off the desk.
  await c.getByRole('tab', { name: /^充值订单/ }).click();
  await expect.poll(taken).toBe(false);
  await d.goto('/main/user/money-desk');
  await d.getByRole('button', { name: `领取充值订单 ${ids[0]}` }).click();
  await ready(d);
  await c.getByRole('tab', { name: /^资金工作台/ }).click();
  await expect(c.getByText('按 N 领取最急的一笔订单')).toBeVisible();

  // A form that waits in another tab holds no keys back.
  await c.getByRole('tab', { name: /^充值订单/ }).click();
  await c.getByRole('button', { name: '审核' }).click();
  await c.getByRole('button', { name: '拒绝', exact: true }).click();
  await c.getByRole('dialog').getByLabel('备注').fill('半个备注');
  await pressAsShown(c, /^资金工作台/, 'n');
  await c.keyboard.press('Alt+2');
  expect(await ready(c)).toBe(`充值订单 ${ids[1]}`);
  await pass(c, `充值订单 ${ids[1]}`);
  await pass(d, name);
});

/** A game whose sources are silent: a phase is open, one is late, one late with slips on it, and of one two sources say different things. */
async function eveningGame(): Promise<number> {
  const { db } = servers;
  const numbers = Array.from({ length: 10 }, (_, number) => String(number));
  const gameId = await buildGame(db, { name: '晚班彩', numbers });
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status, "lateTime")
    select ${gameId}, phase, date_trunc('minute', now()) + make_interval(mins => begins), date_trunc('minute', now()) + make_interval(mins => ends),
      status, case when late then now() - interval '5 minutes' end
    from (values ('901', -50, -45, 'OPENING', true), ('902', -40, -35, 'OPENING', true), ('903', -30, -25, 'OPENING', false),
      ('904', -20, -15, 'OPENING', false), ('905', -5, 60, 'WAITTING', false)) as p (phase, begins, ends, status, late)`.execute(
    db,
  );
  await sql`insert into spider ("gameId", name, "spiderServiceName", url, "consecutiveFailures", "lastError", "nextRunTime")
    values (${gameId}, '官网', 'JsonPathSpider', 'http://127.0.0.1:9/', 4, '连接失败', now() + interval '1 day')`.execute(
    db,
  );
  const [userId = 0] = await buildBettors(db, 1);
  await buildSlips(db, { gameId, phase: '902' }, [
    { userId, lines: [{ rules: 'first', selection: '1', unitStake: '20' }] },
  ]);
  const recordId = await recordResult(db, { gameId, phase: '903' }, '1,2,3,4,5');
  await sql`update draw_plan set status = 'OPENED' where "gameId" = ${gameId} and phase = '903'`.execute(db);
  await claimResults(db, recordId, ['5,4,3,2,1']);
  await sql`update draw_record set conflict = true where id = ${recordId}`.execute(db);
  return gameId;
}

test('a draw manager’s evening: a late draw, a conflict and a voided phase, all from the draw desk, on a phone too', async ({
  browser,
}) => {
  const gameId = await eveningGame();
  const page = await windowAt(browser, servers.origins[0], { username: 'manager', password: PASSWORD });
  await page.goto('/main/game/draw-desk');
  const game = page.getByRole('article', { name: '晚班彩' });
  await expect(game.getByRole('link', { name: '期号 905' })).toBeVisible();
  await expect(game.getByRole('timer')).toHaveText(/距封盘 \d\d:\d\d/);
  await expect(game.getByText('1 个中 1 个失败')).toBeVisible();
  // Whoever enters results sees no stakes.
  await expect(game.getByText('投注额')).toHaveCount(0);
  const wait = (kind: string, phase: string) =>
    page
      .getByRole('region', { name: '待处理' })
      .getByRole('listitem', { name: `${kind} 晚班彩 期号 ${phase}` });
  const form = page.getByRole('dialog');
  await expect(wait('开奖逾期', '901').getByRole('group')).toHaveAccessibleDescription('晚班彩 期号 901');

  // The late draw: its result is entered by hand, and waits to be in force.
  await wait('开奖逾期', '901').getByRole('button', { name: '录入结果' }).click();
  await enter(form, '开奖结果', '9,8,7,6,5');
  await enter(form, '依据', '官网公告截图');
  await enter(form, '录入原因', '采集来源整晚没有响应');
  await submit(form);
  await expect(wait('录入待生效', '901')).toContainText('manager 录入 9,8,7,6,5');

  // The conflict: what the other source said is taken.
  await expect(wait('结果冲突', '903')).toContainText('另一来源：5,4,3,2,1');
  await wait('结果冲突', '903').getByRole('button', { name: '处理冲突' }).click();
  // Of another game there may be a phase of the same number.
  await expect(form.getByRole('definition')).toHaveText(['晚班彩', '903']);
  await choose(page, form.getByLabel('采用结果', { exact: true }), '5,4,3,2,1');
  await enter(form, '原因', '与官网公告一致');
  await submit(form);
  await expect(wait('结果冲突', '903')).toHaveCount(0);
  // What the form was opened from is gone.
  await expect(page.getByRole('heading', { name: /^待处理/ })).toBeFocused();
  await expect(game.getByRole('list', { name: '晚班彩最近开奖' })).toContainText('5,4,3,2,1');

  // The phase whose draw will not come: its slips are void, and that is seen.
  await wait('开奖逾期', '902').getByRole('button', { name: '作废注单' }).click();
  await expect(form).toContainText('就作废整期的注单；已派的奖会收回');
  await enter(form, '作废原因', '开奖机故障，官方取消本期');
  await submit(form);
  await expect(wait('已作废', '902')).toContainText('manager：开奖机故障，官方取消本期');
  await expect(wait('开奖逾期', '902')).toHaveCount(0);
  const stakes = async () =>
    (
      await sql<{
        n: number;
      }>`select count(*) as n from slip where "gameId" = ${gameId} and status = 'VOID'`.execute(servers.db)
    ).rows[0]?.n;
  await expect.poll(stakes).toBe(1);

  // What becomes late meanwhile is there without being asked for.
  await sql`update draw_plan set "lateTime" = now() where "gameId" = ${gameId} and phase = '904'`.execute(
    servers.db,
  );
  await expect(wait('开奖逾期', '904')).toBeVisible();
  // On a phone nothing has to be moved sideways.
  await examine(page, 'the draw desk with what waits');
  await expectFitsPhone(page);
  await expect(wait('开奖逾期', '904').getByRole('button', { name: '录入结果' })).toBeInViewport();
  const desk = page.getByRole('region', { name: '各游戏' });
  const [inner, outer] = await desk.evaluate((element) => [element.scrollWidth, element.clientWidth]);
  expect(inner).toBeLessThanOrEqual(given(outer));
  // Where more games are on than it shows, it says so.
  await page.route('**/api/game/drawDesk/now', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.totalGames = 732;
    await route.fulfill({ response, json });
  });
  await page.reload();
  await expect(desk.getByRole('heading', { name: '各游戏（732）' })).toBeVisible();
  await expect(desk.getByText(/^只显示最早添加的 \d+ 个/)).toBeVisible();
  await wait('开奖逾期', '904').getByRole('link', { name: '计划' }).click();
  await expect(page).toHaveURL(/\/main\/game\/open-plan\?gameId=\d+&phase=904/);
});

test('a payment that needs two is prepared at the desk, released on the other server, and leaves the queue', async ({
  browser,
}) => {
  const { admin, origins, site } = servers;
  const params = given((await admin.call(listParamSettings, {})).envelope.data);
  const enabled = given(params.find(({ key }) => key === 'approval.enabled'));
  // Where fewer than two could release it, nothing would wait for a second.
  const roles = given((await admin.call(listRoles, { name: 'administrator' })).envelope.data);
  const roleIds = roles.map(({ id }) => id);
  const checker = await newOperator(admin, roleIds, { username: 'checker', password: PASSWORD });
  await admin.call(updateParamSetting, { ...enabled, value: 'true' });
  const userId = await player('500');
  const id = await withdraw(userId, '80');
  const a = await windowAt(browser, origins[0], { username: 'cashier-a', password: PASSWORD });
  await a.goto('/main/user/money-desk');
  await expect(a.getByRole('button', { name: `领取提现订单 ${id}` })).toBeVisible();
  // Which orders are shown is a part of the address.
  const kindOf = (word: string) =>
    a.getByRole('group', { name: '订单种类' }).getByRole('button', { name: word });
  await kindOf('充值').click();
  await expect(a).toHaveURL(/\/main\/user\/money-desk\?kind=DEPOSIT$/);
  await a.reload();
  await expect(kindOf('充值')).toHaveAttribute('aria-pressed', 'true');
  await expect(a.getByText('没有待处理的订单')).toBeVisible();
  await kindOf('全部').click();
  await expect(a.getByRole('button', { name: `领取提现订单 ${id}` })).toBeVisible();
  await press(a, 'n');
  const name = await ready(a);
  expect(name).toBe(`提现订单 ${id}`);
  await press(a, 'p');
  await expect(onDesk(a).getByRole('button', { name: /^确认/ })).toBeFocused();
  await press(a, 'Enter');
  await gone(a, name);
  const line = a.getByRole('region', { name: '队列' }).getByRole('listitem').filter({ hasText: '80.00' });
  await expect(line).toContainText('待复核');
  await expect(line.getByRole('button')).toHaveCount(0);
  // Nothing is paid yet, and nobody else is given it.
  await press(a, 'n');
  await expect(a.getByText('没有可领取的订单')).toBeVisible();
  const balance = async () => (await site.call(getUserBalance, { id: userId })).envelope.data;
  expect(await balance()).toMatchObject({ totalAmount: '500.00', freezeAmount: '80.00' });

  const second = await windowAt(browser, origins[1], checker);
  await second.goto('/main/system/approval');
  const waiting = rowOf(second, 'cashier-a');
  await waiting.getByRole('button', { name: '放行' }).click();
  const release = second.getByRole('dialog');
  await release.getByLabel('复核意见').fill('已核对收款账号');
  await release.getByRole('button', { name: '放行' }).click();
  await expect(second.getByText('已放行并执行')).toBeVisible();
  await expect(line).toHaveCount(0);
  await expect(a.getByText('没有待处理的订单')).toBeVisible();
  expect(await balance()).toMatchObject({ totalAmount: '420.00', freezeAmount: '0.00' });
  const [paid] = given((await admin.call(pageWithdrawals, { id, pageSize: 1 })).envelope.data).data;
  expect(paid).toMatchObject({ status: 'SUCCESS', reviewer: 'cashier-a' });
});
