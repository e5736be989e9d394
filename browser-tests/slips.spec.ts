import { randomUUID } from 'node:crypto';
import type { APIRequestContext, Locator, Page } from '@playwright/test';
import type { CataloguePlayWay, CurrentPhase } from '#contract/platform-catalogue.ts';
import { expect, test } from './fixtures.ts';
import { rows } from './forms.ts';
import { platformKey } from './server.ts';

const form = (page: Page): Locator => page.getByRole('dialog');
const headers = { authorization: `Bearer ${platformKey}` };

async function ask<T>(request: APIRequestContext, path: string): Promise<T> {
  return (await (await request.get(`/open/v1${path}`, { headers })).json()).data;
}

/** A slip on the sample game that draws by itself, with time enough left to take it back. */
async function placeSlip(
  request: APIRequestContext,
): Promise<{ slipId: number; phase: string; gameId: number }> {
  const games = await ask<{ id: number; name: string }[]>(request, '/games');
  const gameId = games.find(({ name }) => name === '示例五分彩')?.id ?? 0;
  const playWays = await ask<CataloguePlayWay[]>(request, `/games/${gameId}/playWays`);
  const playWay = playWays.find(({ selection, odds }) => selection === null && odds.length > 0);
  const seconds = (time: string | null) => Date.parse(`${time?.replace(' ', 'T')}Z`) / 1000;
  let current: CurrentPhase | undefined;
  await expect
    .poll(
      async () => {
        current = await ask<CurrentPhase>(request, `/games/${gameId}/current`);
        return current.phase !== null && seconds(current.closeTime) - seconds(current.serverTime) > 25;
      },
      { timeout: 180_000 },
    )
    .toBe(true);
  const phase = current?.phase ?? '';
  const lines = [{ playWayId: playWay?.id, selection: playWay?.odds[0]?.number, unitStake: '1' }];
  const place = async (userId: number) => {
    const data = { userId, gameId, phase, bizNo: randomUUID(), lines };
    return (await (await request.post('/open/v1/bets', { headers, data })).json()).data?.slipId;
  };
  // Some of the sample players have nothing left.
  for (let userId = 1; userId <= 50; userId++) {
    const slipId = await place(userId);
    if (slipId) return { slipId, phase, gameId };
  }
  throw new Error('nobody can bet');
}

test('a slip is found, opened and taken back, and the ledger leads to it', async ({ operatorPage: page }) => {
  const { slipId, phase } = await placeSlip(page.request);
  await page.goto('/main/bet/slip');
  await page.getByLabel('注单编号').fill(String(slipId));
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(phase);
  await expect(rows(page)).toContainText('未结算');
  await rows(page).getByRole('button', { name: '展开' }).click();
  await expect(page.getByRole('columnheader', { name: '当时赔率' })).toBeVisible();
  await rows(page).first().getByRole('button', { name: '撤单' }).click();
  await form(page).getByLabel('撤单原因').fill('玩家误投');
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page)).toHaveCount(0);
  await expect(rows(page).first()).toContainText('已撤单');

  await page.getByRole('link', { name: `B${slipId}`, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/main/user/account-history\\?bizOrderNo=B${slipId}$`));
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('投注退还');
  await rows(page)
    .first()
    .getByRole('link', { name: `B${slipId}` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/main/bet/slip\\?id=${slipId}$`));
  await expect(rows(page).first()).toContainText('已撤单');
});

test('a business number that is cut keeps its end in sight, and is read and copied whole', async ({
  operatorPage: page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { slipId } = await placeSlip(page.request);
  await page.goto(`/main/bet/slip?id=${slipId}`);
  const number = rows(page).locator('[data-label="业务注单号"]');
  const text = (await number.getAttribute('title')) ?? '';
  expect(text).toMatch(/^[\da-f-]{36}$/);
  await expect(rows(page).getByRole('cell', { name: text, exact: true })).toBeVisible();
  const inSight = await number.evaluate((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    const letters = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() as Text;
    return [0, letters.length - 1].map((at) => {
      const range = document.createRange();
      range.setStart(letters, at);
      range.setEnd(letters, at + 1);
      const place = range.getBoundingClientRect();
      return place.left >= left && place.right <= right;
    });
  });
  expect(inSight).toEqual([false, true]);

  await number.hover();
  const copy = page.getByRole('button', { name: `复制 ${text}` });
  const [cell, button] = [await number.boundingBox(), await copy.boundingBox()];
  expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThan((cell?.x ?? 0) + (cell?.width ?? 0) / 2);
  await copy.click();
  await expect(page.getByRole('status').getByText('已复制')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
});

test('a plan leads to its slips, a play way is stopped with one click, and a player is frozen', async ({
  operatorPage: page,
}) => {
  const { slipId, phase, gameId } = await placeSlip(page.request);
  await page.goto(`/main/game/open-plan?gameId=${gameId}&phase=${phase}`);
  await rows(page).getByRole('button', { name: '相关' }).click();
  await form(page).getByRole('link', { name: '注单' }).click();
  await expect(page).toHaveURL(new RegExp(`/main/bet/slip\\?gameId=${gameId}&phase=${phase}$`));
  await expect(rows(page).filter({ hasText: String(slipId) })).not.toHaveCount(0);

  await page.goto('/main/game/playway');
  const stop = page.getByRole('button', { name: /^停押玩法/ }).first();
  const name = /“(.*)”/.exec((await stop.getAttribute('aria-label')) ?? '')?.[1] ?? '';
  await stop.click();
  await expect(page.getByText(`玩法“${name}”已停押`)).toBeVisible();
  await page
    .getByRole('button', { name: `恢复玩法“${name}”` })
    .first()
    .click();
  await expect(page.getByText(`玩法“${name}”已恢复投注`)).toBeVisible();

  await page.goto('/main/user/user?id=60');
  await rows(page).getByRole('button', { name: '投注' }).click();
  await form(page).getByRole('button', { name: '冻结' }).click();
  await page.getByLabel('冻结原因').fill('核对身份');
  await page.getByRole('button', { name: '提交' }).click();
  await expect(rows(page)).toContainText('已冻结');
});
