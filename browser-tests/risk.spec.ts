import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { sql } from 'kysely';
import { placeBet } from '../contract/platform-bets.ts';
import { payReleased } from '../server/features/rebates/pay-run.ts';
import { prepareRun } from '../server/features/rebates/prepare-run.ts';
import { settleDue } from '../server/features/settlements/settle.ts';
import { buildBetting } from '../server/testing/build-betting.ts';
import { buildDice } from '../server/testing/build-dice.ts';
import { buildPastGame, pastDay } from '../server/testing/build-rebates.ts';
import { recordResult } from '../server/testing/build-slips.ts';
import { buildUser } from '../server/testing/build-user.ts';
import { testClient } from '../server/testing/test-client.ts';
import { dialogs, examine } from './axe.ts';
import { startChatServer } from './chat-server.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { choose, enter, giveUp, openForm, rowOf, submit } from './forms.ts';
import { hold } from './hold.ts';

// What the house stands to lose is looked at in a server of its own, on which nobody else bets.
test.describe.configure({ mode: 'default' });

const platformKey = 'platform-key-of-the-journeys-of-risk';
let server: Awaited<ReturnType<typeof startChatServer>>;
test.beforeAll(async () => {
  server = await startChatServer({}, { platformApiKey: platformKey });
});
test.afterAll(() => server?.stop());

async function windowOf(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ locale: 'zh-CN', baseURL: server.origin });
  await signIn(page, firstOperator);
  return page;
}

/** Places a slip as the players' site does; tells why not, if so. */
async function bet(
  wanted: { userId: number; gameId: number; phase: string },
  playWayId: number,
  selection: string,
  unitStake: string,
) {
  const line = { playWayId, selection, unitStake };
  const { envelope } = await testClient(server.origin, platformKey).call(placeBet, {
    ...{ ...wanted, bizNo: randomUUID(), lines: [line] },
  });
  return envelope.success ? null : envelope.msg;
}

test('a limit is set for a play way, listed, changed and refuses slips above it', async ({ browser }) => {
  const { bigSmall, ...betting } = await buildBetting(server.db);
  const { userId, gameId, phase } = betting;
  expect(await bet({ userId, gameId, phase }, bigSmall, '大', '30')).toBeNull();
  const page = await windowOf(browser);
  await page.goto(`/main/bet/limit?gameId=${gameId}`);
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  const game = await server.db
    .selectFrom('game')
    .select('name')
    .where('id', '=', gameId)
    .executeTakeFirstOrThrow();
  await choose(page, form.getByLabel('游戏', { exact: true }), game.name);
  await choose(page, form.getByLabel('玩法', { exact: true }), '总和大小');
  await enter(form, '最低单注', '50');
  await enter(form, '最高单注', '20');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toContainText('最高单注不能低于最低单注');
  await enter(form, '最低单注', '2');
  await enter(form, '原因', '新玩法试运行');
  await submit(form);
  const row = rowOf(page, '总和大小');
  await expect(row).toContainText('20.00');
  expect(await bet({ userId, gameId, phase }, bigSmall, '大', '30')).toBe(
    '第 1 个注项的单注金额超过玩法“总和大小”的最高单注 20.00',
  );
  expect(await bet({ userId, gameId, phase }, bigSmall, '大', '20')).toBeNull();
  await row.getByRole('button', { name: '编辑' }).click();
  await expect(openForm(page).getByLabel('最高单注', { exact: true })).toHaveValue(/^20/);
  await enter(openForm(page), '单期用户投注限额', '60');
  await submit(openForm(page));
  await expect(row).toContainText('60.00');
  expect(await bet({ userId, gameId, phase }, bigSmall, '小', '11')).toBe(
    '超过单期用户投注限额 60.00，该用户本期还可投注 10.00',
  );
  await page.close();
});

test('a plan leads to what its phase exposes the house to, number by number and by the worst of all draws', async ({
  browser,
}) => {
  const { gameId, phase, playWays } = await buildDice(server.db);
  const { userId } = await buildUser(server.db, { balance: '100000' });
  const wanted = { userId, gameId, phase };
  expect(await bet(wanted, playWays.size, '大', '1000')).toBeNull();
  expect(await bet(wanted, playWays.straight, '6|6|5', '10')).toBeNull();
  await sql`update param_setting set value = '1500' where key = 'bet.exposureWarnAbove'`.execute(server.db);
  const page = await windowOf(browser);
  await page.goto(`/main/game/open-plan?gameId=${gameId}`);
  await rowOf(page, phase).getByRole('button', { name: '相关' }).click();
  await page.getByRole('link', { name: '单期风险' }).click();
  await expect(page).toHaveURL(new RegExp(`/main/bet/exposure\\?.*gameId=${gameId}`));
  const big = rowOf(page, '大');
  await expect(big).toContainText('1950.00');
  await expect(big).toContainText('-950.00');
  await expect(big.locator('meter')).toHaveAttribute('value', '49');
  const outlook = page.getByRole('region', { name: '每种开奖结果的盈亏' });
  // 6,6,5: 大 pays 1,950, 直选 1,800, of 1,010 staked.
  await expect(outlook).toContainText('最坏 -2,740.00');
  await expect(outlook).toContainText('最好 1,010.00');
  await expect(outlook.getByRole('alert')).toContainText('最坏的亏损超过警示金额 1,500.00');
  await expect(outlook.getByRole('listitem').first()).toContainText('6,6,5 -2,740.00');
  // It keeps up with what is bet.
  expect(await bet(wanted, playWays.size, '小', '1000')).toBeNull();
  await expect(outlook).toContainText('最坏 -1,740.00');
  await expect(rowOf(page, '小').first()).toBeVisible();
  // Of a game with more draws than are told, numbers warn of what they lose by themselves.
  const { bigSmall, ...many } = await buildBetting(server.db, { balance: '100000' });
  expect(await bet(many, bigSmall, '大', '2000')).toBeNull();
  expect(await bet(many, bigSmall, '小', '100')).toBeNull();
  await page.goto(`/main/bet/exposure?gameId=${many.gameId}`);
  await expect(outlook.getByRole('alert')).toHaveText('1 个号码开出时的亏损超过警示金额 1,500.00');
  await expect(page.locator('td .result-bar.warns')).toHaveText(['-1,860.00']);
  await page.close();
});

test('other rules are tried on the slips there were: from a play way, on a result that is typed, and while they are edited', async ({
  browser,
}) => {
  const { db } = server;
  const { bigSmall, gameId, phase, userId } = await buildBetting(db);
  const wanted = { userId, gameId, phase };
  expect(await bet(wanted, bigSmall, '大', '10')).toBeNull();
  expect(await bet(wanted, bigSmall, '小', '20')).toBeNull();
  const page = await windowOf(browser);
  const dialog = page.getByRole('dialog');
  const tried = dialog.getByRole('region', { name: '真实注单试算' });
  const tryOut = () => dialog.getByRole('button', { name: '用真实注单试算' }).click();

  await page.goto(`/main/game/playway?gameId=${gameId}`);
  await rowOf(page, '总和大小').getByRole('button', { name: '试算' }).click();
  await tryOut();
  await expect(dialog.getByText('最近 100 期没有已结算的注单可以试算')).toBeVisible();
  // Tried again, it is read again. It is drawn here while it still takes bets.
  await sql`alter table draw_record disable trigger draw_record_checked`.execute(db);
  await recordResult(db, wanted, '9,9,9,9,9');
  await sql`alter table draw_record enable trigger draw_record_checked`.execute(db);
  await settleDue(db);
  await tryOut();
  await expect(tried).toContainText(
    '共 2 个注项，投注额 30.00：实际派彩与退还 19.80，按试算的规则（处理器第 1 版）19.80，平台盈亏相差 0.00，0 个注项结果不同。没有改动任何注单。',
  );
  // Until its answer comes the former one stays, so that nothing moves.
  const { asked, letGo } = await hold(page, '**/game/betLatitude/sandbox');
  await dialog.getByLabel('指定结果').fill('0,0,0,0,0');
  await tryOut();
  await expect.poll(asked).toBe(1);
  await expect(tried).toContainText('共 2 个注项，投注额 30.00：实际派彩与退还 19.80');
  letGo();
  await expect(tried.getByRole('row').filter({ hasText: phase })).toContainText('0,0,0,0,0');
  await expect(tried).toContainText('实际派彩与退还 39.60，按试算的规则（处理器第 1 版）39.60');
  await dialog.getByLabel('指定结果').fill('0,0');
  await tryOut();
  await expect(dialog.getByRole('alert')).toContainText('5');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await page.goto(`/main/game/bet-latitude?gameId=${gameId}`);
  const latitude = rowOf(page, '总和');
  await latitude.getByRole('button', { name: '编辑' }).click();
  await enter(dialog, '结果位置', '0,1');
  await enter(dialog, '“大”的起点', '19');
  await dialog.getByRole('button', { name: '预览' }).click();
  await tryOut();
  await expect(tried).toContainText(
    '实际派彩与退还 19.80，按试算的规则（处理器第 1 版）39.60，平台盈亏相差 -19.80，2 个注项结果不同。',
  );
  await giveUp(dialog);
  await expect(dialog).toHaveCount(0);
  await expect(latitude).toContainText('*');
  await page.close();
});

test('a day’s rebates are looked at, with a warning of a share above what the house keeps, and released once', async ({
  browser,
}) => {
  const { db } = server;
  const past = await buildPastGame(db);
  const { gameId } = await buildBetting(db);
  await sql`update game set "categoryId" = ${past.categoryId} where id = ${gameId}`.execute(db);
  const day = await pastDay(db, 1);
  const { userId } = await buildUser(db, { balance: '1000', level: 3 });
  await sql`insert into rebate_rate (level, "categoryId", rate, "validFrom") values (3, ${past.categoryId}, 0.02, ${day}::date)`.execute(
    db,
  );
  await past.play(day, [{ userId, lines: [{ rules: 'first', selection: '9', unitStake: '500' }] }]);
  expect(await prepareRun(db)).toBe(day);
  const page = await windowOf(browser);
  await page.goto('/main/bet/rebate');
  const row = rowOf(page, day).first();
  await expect(row).toContainText('待放行');
  await row.getByRole('button', { name: '展开' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '平台留存' })).toContainText(
    '等级 3 的返水比例 0.02 高于玩法“总和大小”的平台留存（返还率 0.99）',
  );
  await expect(rowOf(page, String(userId)).filter({ hasText: '返水' }).last()).toContainText('10.00');
  await row.getByRole('button', { name: '放行' }).click();
  await page
    .getByRole('dialog', { name: /^确定放行/ })
    .getByRole('button', { name: '放行' })
    .click();
  await expect(row.getByRole('button', { name: '放行' })).toHaveCount(0);
  await payReleased(db);
  await page.goto(`/main/user/account-history?userId=${userId}`);
  await expect(rowOf(page, '返水').first()).toContainText('10.00');
  await page.close();
});

test('the overview raises an alarm over slips that do not prove, and tells which', async ({ browser }) => {
  await sql`
    insert into bets_proof (day, "startTime", "endTime", slips, broken, problems)
    values (current_date, now(), now(), 120, 2, array['注单 7：派彩应为 1.00，记为 2.00', '账变 B9 WIN 5.00 不属于任何注单或结算'])`.execute(
    server.db,
  );
  const page = await windowOf(browser);
  await page.goto('/main/analysis/bashboard');
  const tile = page.getByRole('region', { name: '待处理' }).getByRole('link', { name: /注单复算不符/ });
  await expect(tile).toContainText('复算 120 张注单');
  await expect(page.getByRole('region', { name: '注单复算不符' })).toContainText(
    '注单 7：派彩应为 1.00，记为 2.00',
  );
  await tile.click();
  await expect(page).toHaveURL(/\/main\/bet\/settlement/);
  await page.close();
});

test('who waits for agreeing sources sees who said what, who said nothing, and what was entered by hand', async ({
  browser,
}) => {
  const { db } = server;
  const past = await buildPastGame(db);
  const game = await db
    .updateTable('game')
    .set({ agreeSources: 2 })
    .where('id', '=', past.gameId)
    .returning('name')
    .executeTakeFirstOrThrow();
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    select ${past.gameId}::bigint, n::text, now() - interval '2 hours' + n * interval '1 second', now() - interval '1 hour' + n * interval '1 second',
      'OPENING' from generate_series(801, 802) as n`.execute(db);
  await sql`
    insert into spider ("gameId", name, "spiderServiceName", url) select ${past.gameId}::bigint, n, 'OpenCodeSpider', 'http://127.0.0.1:1/'
    from unnest(array['来源甲', '来源乙']) as n`.execute(db);
  await sql`insert into draw_word ("gameId", phase, source, result, "openTime") values (${past.gameId}, '801', '来源甲', '9,3,5,5,5', now())`.execute(
    db,
  );
  await sql`
    insert into draw_entry ("gameId", phase, result, evidence, reason, "operatorId", "userName", "dueTime")
    values (${past.gameId}, '802', '1,2,3,4,5', '官网公告截图', '来源全部中断', 1, 'clerk', now() + interval '10 minutes')`.execute(
    db,
  );
  const page = await windowOf(browser);
  await page.goto('/main/game/open-record');
  await page.getByRole('button', { name: '等待一致' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '等待来源一致的期次' });
  await expect(dialog).toContainText(`${game.name} 期号 801`);
  await expect(dialog).toContainText('须 2 个来源一致');
  await expect(dialog).toContainText('来源甲：9,3,5,5,5');
  await expect(dialog).toContainText('尚无结果：来源乙');
  await expect(dialog).toContainText(`${game.name} 期号 802`);
  await expect(dialog).toContainText('clerk 于');
  await expect(dialog).toContainText('人工录入 1,2,3,4,5');
  await expect(dialog).toContainText('依据：官网公告截图');
  await examine(page, 'phases that wait for agreement', { within: dialogs });
  await page.close();
});
