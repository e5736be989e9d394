import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { sql } from 'kysely';
import { addOperator, bindOperatorRoles } from '../contract/operators.ts';
import { listRoles } from '../contract/roles.ts';
import { login } from '../contract/sign-in.ts';
import { prepareRun } from '../server/features/rebates/prepare-run.ts';
import { settleDue } from '../server/features/settlements/settle.ts';
import { setParam } from '../server/testing/approving.ts';
import { buildPastGame, pastDay } from '../server/testing/build-rebates.ts';
import {
  buildBettors,
  buildPhase,
  buildSlips,
  claimResults,
  recordResult,
} from '../server/testing/build-slips.ts';
import { buildUser } from '../server/testing/build-user.ts';
import { testClient } from '../server/testing/test-client.ts';
import { startChatServer } from './chat-server.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { choose, enter, rowOf } from './forms.ts';

// Approvals and held wins hold for a whole server: this has one of its own.
test.describe.configure({ mode: 'serial' });

const NINE = '9,3,5,5,5';
const ONE = '1,3,5,5,5';
const checker = { username: `checker-${randomUUID()}`, password: 'second pair of eyes' };
let server: Awaited<ReturnType<typeof startChatServer>>;

test.beforeAll(async () => {
  server = await startChatServer({});
  const { envelope } = await testClient(server.origin).call(login, firstOperator);
  const admin = testClient(server.origin, envelope.data?.access_token ?? '');
  const added = await admin.call(addOperator, { userName: checker.username, password: checker.password });
  const roles = (await admin.call(listRoles, { name: 'administrator' })).envelope.data ?? [];
  await admin.call(bindOperatorRoles, { oid: added.envelope.data ?? 0, roleIds: roles.map(({ id }) => id) });
});
test.afterAll(() => server?.stop());

const windowOf = async (browser: Browser, who: typeof firstOperator): Promise<Page> => {
  const page = await browser.newPage({ locale: 'zh-CN', baseURL: server.origin });
  await signIn(page, who);
  return page;
};
const settle = () => settleDue(server.db);
const form = (page: Page) => page.getByRole('dialog');

interface Built {
  readonly gameId: number;
  readonly phase: string;
  readonly game: string;
  readonly slips: readonly number[];
}

/** A phase of three players' slips, settled by nine at the first place, whose wins above an amount wait; another source said one. */
async function buildSettled(phase: string, holdAbove: string): Promise<Built> {
  const where = await buildPhase(server.db, phase);
  const game = `结算彩${phase}`;
  await sql`update game set name = ${game} where id = ${where.gameId}`.execute(server.db);
  const [anna = 0, berta = 0, clara = 0] = await buildBettors(server.db, 3, '100');
  const line = (selection: string, unitStake: string) => ({ rules: 'first' as const, selection, unitStake });
  const slips = await buildSlips(server.db, where, [
    { userId: anna, lines: [line('9', '2')] },
    { userId: berta, lines: [line('9', '20')] },
    { userId: clara, lines: [line('1', '2')] },
  ]);
  await setParam(server.db, 'bet.holdPayoutAbove', holdAbove);
  const recordId = await recordResult(server.db, where, NINE);
  await claimResults(server.db, recordId, [ONE]);
  await settle();
  await setParam(server.db, 'bet.holdPayoutAbove', '0');
  // Of the 117.58 that she has now the first keeps 7.58.
  await sql`select from post_entries(array[${anna}]::bigint[], array['MANUAL_DEDUCTION'], array[110], array[null], array[null])`.execute(
    server.db,
  );
  return { ...where, game, slips };
}

/** The row of a settlement of this kind; the newest stands first. */
const settlementOf = (page: Page, kind: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: kind, exact: true }) })
    .first();

/** Searches again, as an operator would, until the newest settlement of this kind says so. */
const expectSettlement = (page: Page, kind: string, status: string, slips: string, ...words: string[]) =>
  expect(async () => {
    await settle();
    await page.getByRole('button', { name: '搜索' }).click();
    await expect(settlementOf(page, kind).locator('[data-label="注单数"]')).toHaveText(slips, {
      timeout: 10_000,
    });
    for (const word of [status, ...words])
      await expect(settlementOf(page, kind)).toContainText(word, { timeout: 10_000 });
  }).toPass();

/** Writes why into a form's field and sends it. */
async function submit(page: Page, label: string, why: string): Promise<void> {
  const reason = form(page).getByLabel(label);
  await reason.fill(why);
  await expect(reason).toHaveValue(why);
  await form(page).getByRole('button', { name: '提交' }).click();
}

test('a settlement is seen, a held win let go, a phase voided and restored', async ({ browser }) => {
  const { gameId, phase, game, slips } = await buildSettled('810001', '100');
  const [, big = 0] = slips;
  const page = await windowOf(browser, firstOperator);
  await page.goto(`/main/bet/settlement?gameId=${gameId}`);
  await expectSettlement(page, '首次结算', '待处理', '2/3');
  // All that is held is let go in its row, where it can be let go at all.
  const letAllGo = settlementOf(page, '首次结算').getByRole('button', { name: '放行' });
  for (const [reason, buttons] of Object.entries({ UNPOSTED: 0, BIG_WIN: 1 })) {
    await sql`update slip_hold set reason = ${reason} where "slipId" = ${big}`.execute(server.db);
    await page.getByRole('button', { name: '搜索' }).click();
    await expect(letAllGo).toHaveCount(buttons);
  }
  await settlementOf(page, '首次结算').getByRole('button', { name: '展开' }).click();
  const held = page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: '大额派彩', exact: true }) });
  await expect(held.last().locator(`a[href="/main/bet/slip?id=${big}"]`)).toBeVisible();
  await held.last().getByRole('button', { name: '放行' }).click();
  await expect(form(page)).toContainText(`放行注单 ${big} 的派彩`);
  await submit(page, '放行原因', '与官网核对无误');
  await expect(form(page)).toHaveCount(0);
  await expectSettlement(page, '首次结算', '已完成', '3', '215.38');

  await page.getByRole('button', { name: '作废注单' }).click();
  await choose(page, form(page).getByLabel('游戏', { exact: true }), game);
  await enter(form(page), '期号', phase);
  await expect(form(page)).toContainText('就作废整期的注单；已派的奖会收回');
  await submit(page, '作废原因', '整期错盘');
  await expect(form(page)).toHaveCount(0);
  await expectSettlement(page, '作废', '已完成', '3', '-215.38', '24.00');
  await settlementOf(page, '作废').getByRole('button', { name: '展开' }).click();
  await expect(page.getByText('整期', { exact: true })).toBeVisible();
  await settlementOf(page, '作废').getByRole('button', { name: '恢复' }).click();
  await expect(form(page)).toContainText('退还的投注额会收回，注单变回按开奖结果应有的样子');
  await submit(page, '恢复原因', '没有错盘');
  await expect(form(page)).toHaveCount(0);
  await expectSettlement(page, '恢复', '已完成', '3', '215.38', '-24.00');
  await expect(settlementOf(page, '作废').getByRole('button', { name: '恢复' })).toHaveCount(0);
  await page.close();
});

test('a correction is foreseen, prepared, released by a second operator, and told with its slips', async ({
  browser,
}) => {
  const { gameId, phase, slips } = await buildSettled('810002', '0');
  await setParam(server.db, 'approval.enabled', 'true');
  const mine = await windowOf(browser, firstOperator);
  await mine.goto(`/main/bet/settlement?gameId=${gameId}`);
  await expectSettlement(mine, '首次结算', '已完成', '3');
  await settlementOf(mine, '首次结算').getByRole('button', { name: '展开' }).click();
  await mine.getByRole('link', { name: '来源与更正' }).click();
  await expect(mine).toHaveURL(new RegExp(`/main/game/open-record\\?gameId=${gameId}&phase=${phase}$`));
  await rowOf(mine, phase).getByRole('button', { name: '更正结果' }).click();
  await form(mine).getByLabel('采用结果').click();
  await mine.getByTitle(`${ONE}（另一来源）`).last().click();
  await form(mine).getByRole('button', { name: '预览' }).click();
  await expect(form(mine).getByRole('status')).toContainText(
    '3 名用户的 3 张注单变动：补派 19.42，收回 215.38，其中 12.00 现在无法收回，将记为欠款。',
  );
  const foreseen = form(mine).getByRole('table', { name: '变动的注单' }).getByRole('row');
  await expect(foreseen).toHaveCount(4);
  await expect(foreseen.filter({ hasText: '12.00' })).toContainText(`${slips[0]}`);
  await submit(mine, '更正原因', '官网公告已更正');
  const told = mine.getByRole('dialog').filter({ hasText: '须由另一名有复核权限的操作员放行' });
  await expect(told).toBeVisible();

  const theirs = await windowOf(browser, checker);
  await theirs.goto('/main/system/approval');
  const waiting = rowOf(theirs, '更正开奖结果并重新结算');
  await expect(waiting).toContainText('官网公告已更正');
  await waiting.getByRole('button', { name: '展开' }).click();
  await expect(theirs.getByRole('table').filter({ hasText: '变更前' }).last()).toContainText(ONE);
  await waiting.getByRole('button', { name: '放行' }).click();
  await form(theirs).getByLabel('复核意见').fill('已与官网公告核对');
  await form(theirs).getByRole('button', { name: '放行' }).click();
  await expect(theirs.getByText('已放行并执行')).toBeVisible();
  await theirs.close();

  await mine.goto(`/main/bet/settlement?gameId=${gameId}`);
  await expectSettlement(mine, '更正', '已完成', '3', '-195.96', ONE);
  await settlementOf(mine, '更正').getByRole('button', { name: '展开' }).click();
  await expect(mine.getByText('官网公告已更正')).toBeVisible();
  await mine.goto(`/main/bet/slip?id=${slips[0]}`);
  await rowOf(mine, phase).getByRole('button', { name: '展开' }).click();
  const story = mine.getByRole('table', { name: '历次结算' }).getByRole('row');
  await expect(story).toHaveCount(3);
  await expect(story.nth(1)).toContainText('首次结算');
  await expect(story.nth(2)).toContainText('更正');
  await expect(story.nth(2)).toContainText('-19.58');
  await mine.close();
});

test("a day's rebates are let go as they were shown, not as they were worked out anew since", async ({
  browser,
}) => {
  const { db } = server;
  await setParam(db, 'approval.enabled', 'false');
  const past = await buildPastGame(db);
  const day = await pastDay(db, 1);
  const { userId } = await buildUser(db, { balance: '1000', level: 61 });
  await sql`insert into rebate_rate (level, "categoryId", rate, "validFrom") values (61, ${past.categoryId}, 0.001, ${day}::date)`.execute(
    db,
  );
  /** Loses another hundred, and waits until the day's run has it, whoever works that out. */
  const lose = async (rebate: string) => {
    await past.play(day, [{ userId, lines: [{ rules: 'first', selection: '9', unitStake: '100' }] }]);
    const prepared = async () => {
      await prepareRun(db);
      return db.selectFrom('rebate_run').select('rebate').where('day', '=', day).executeTakeFirst();
    };
    await expect.poll(prepared).toEqual({ rebate });
  };
  await lose('0.10');
  const page = await windowOf(browser, firstOperator);
  await page.goto('/main/bet/rebate');
  const run = rowOf(page, day);
  const letGo = async (seen: string) => {
    await run.getByRole('button', { name: '放行' }).click();
    await expect(form(page)).toContainText(`返水 ${seen}、返点 0.00、邀请奖励 0.00（共 1 人）`);
    await form(page).getByRole('button', { name: '放行' }).click();
  };
  await expect(run).toContainText('0.10');
  await lose('0.20');
  await letGo('0.10');
  await expect(page.getByText('已有变化，请重新核对后再放行')).toBeVisible();
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(run).toContainText('0.20');
  await run.getByRole('button', { name: '展开' }).click();
  await expect(page.getByRole('cell', { name: String(userId), exact: true }).getByRole('link')).toBeVisible();
  await letGo('0.20');
  await expect(run).toContainText(/发放中|已发放/);
  // However many are paid, all of them can be looked at.
  await sql`insert into rebate_item ("runDay", "userId", kind, due, amount, rest)
    select ${day}::date, 900000 + n, 'RETURN', -1, 0, -1 from generate_series(1, 20) as n`.execute(db);
  await page.reload();
  await run.getByRole('button', { name: '展开' }).click();
  const payees = page.getByRole('table').filter({ hasText: '上次结转' }).last().getByRole('row');
  await expect(payees).toHaveCount(21);
  // The pages of the list of days come after those of a day in it.
  await page.getByRole('button', { name: '下一页' }).first().click();
  await expect(payees).toHaveCount(2);
  await expect(payees.last()).toContainText('900020');
  await page.close();
});
