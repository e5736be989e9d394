import type { Page } from '@playwright/test';
import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import { addOdds } from '#contract/odds.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { expect } from './fixtures.ts';

/** A play way of the numbers 01 to 04, all at odds 3, shown with its numbers below it and boxes before them. */
export async function showOdds(page: Page, client: TestClient) {
  const { gameId, playWayId } = await buildPlayWay(client, ['01', '02', '03', '04']);
  const numbers = (await client.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
  await client.call(addOdds, { playWayId, numberIds: numbers.map(({ id }) => id), odds: '3' });
  const oddsNow = async () =>
    (await client.call(pagePlayWays, { gameId })).envelope.data?.data[0]?.odds ?? [];
  await page.goto(`/main/game/playway?gameId=${gameId}`);
  // A search opens the whole tree.
  await expect(page.getByRole('button', { name: '停押号码“04” 可投注' })).toBeVisible();
  return { client, oddsNow };
}

/** The line of a number. */
export const line = (page: Page, number: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: new RegExp(`^(停押|恢复)号码“${number}”`) }) });

/** Chooses numbers by their boxes; what can be done with them. */
export async function select(page: Page, ...numbers: string[]) {
  const boxes = page.getByRole('checkbox', { name: '全选' });
  if (!(await boxes.isVisible())) await page.getByRole('button', { name: '多选' }).click();
  for (const number of numbers) await line(page, number).getByRole('checkbox').check();
  return page.getByRole('region', { name: '批量操作' });
}
