import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { getHappenings } from '#contract/happenings.ts';
import { createUser, placeDeposit } from '#contract/platform.ts';
import { requestFor } from '#contract/request.ts';
import { expect, giveSession, signIn, site, test } from './fixtures.ts';
import { rows } from './forms.ts';
import { hold } from './hold.ts';
import { firstOperator } from './server.ts';

const path = requestFor(getHappenings, {}).url;

const newPlayer = async (): Promise<number> => {
  const { envelope } = await site().call(createUser, { nickName: '实时', username: `live-${randomUUID()}` });
  return envelope.data ?? 0;
};

const newDeposit = (userId: number, type: 'THIRD_PARTY' | 'BANK_TRANSFER' = 'THIRD_PARTY') =>
  site().call(placeDeposit, {
    userId,
    amount: '12.5',
    type,
    bankOrderNo: randomUUID(),
  });

/** How often a page asked for news, by what it would take. */
function asking(page: Page) {
  const asked = { streams: 0, polls: 0 };
  page.on('request', (request) => {
    if (!request.url().includes(path)) return;
    if (request.headers().accept === 'text/event-stream') asked.streams++;
    else asked.polls++;
  });
  return asked;
}

test('new rows that the search leaves out are not counted', async ({ operatorPage: page }) => {
  const userId = await newPlayer();
  const listening = page.waitForResponse((response) => response.url().includes(path));
  await page.goto(`/main/user/deposit-record?userId=${userId}&type=BANK_TRANSFER`);
  await listening;
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await newDeposit(userId, 'THIRD_PARTY');
  await newDeposit(userId, 'THIRD_PARTY');
  await newDeposit(userId, 'BANK_TRANSFER');
  const offer = page.getByRole('button', { name: /条新记录/ });
  await expect(offer).toHaveText('1 条新记录');
  await offer.click();
  await expect(rows(page)).toHaveCount(1);
});

test('what comes in is told in the menu, the title and the open list, which does not move under the mouse', async ({
  page,
  context,
  baseURL,
}) => {
  await giveSession(context, firstOperator, baseURL);
  const userId = await newPlayer();
  const asked = asking(page);
  const listening = page.waitForResponse((response) => response.url().includes(path));
  await page.goto(`/main/user/deposit-record?userId=${userId}`);
  await listening;
  const title = await page.title();
  await newDeposit(userId);
  const offer = page.getByRole('button', { name: '1 条新记录' });
  await expect(offer).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/^\(\d+\) 充值订单 - 运营后台$/);
  expect(await page.title()).not.toBe(title);
  const menus = page.getByRole('navigation', { name: '主菜单' });
  await expect(menus.getByRole('link', { name: /^充值订单\s*，\d+ 笔充值待审核$/ })).toBeVisible();
  await offer.click();
  await expect(rows(page)).toHaveCount(1);
  await expect(offer).toHaveCount(0);

  // Another window of the same browser hears of it from this one.
  const beside = await context.newPage();
  const askedBeside = asking(beside);
  await beside.goto(`/main/user/deposit-record?status=PROCESSING&userId=${userId}`);
  await expect(rows(beside)).toHaveCount(1);
  await expect(beside).toHaveTitle(/^\(\d+\)/);
  await rows(beside).first().hover();
  await newDeposit(userId);
  await expect(beside.getByRole('button', { name: '1 条新记录' })).toBeVisible();
  await expect(rows(beside)).toHaveCount(1);
  await beside.mouse.move(5, 5);
  await expect(rows(beside)).toHaveCount(2);
  await expect(beside.getByRole('button', { name: /条新记录/ })).toHaveCount(0);
  expect(asked).toEqual({ streams: 1, polls: 0 });
  expect(askedBeside).toEqual({ streams: 0, polls: 0 });

  // When the window that listens is closed, another one goes on where it stopped.
  await page.close();
  await newDeposit(userId);
  await expect(rows(beside)).toHaveCount(3);
  expect(askedBeside).toEqual({ streams: 1, polls: 0 });
});

test('a list that reads itself again takes no key from whoever goes through its rows', async ({
  operatorPage: page,
}) => {
  const userId = await newPlayer();
  await newDeposit(userId);
  await page.goto(`/main/user/deposit-record?status=PROCESSING&userId=${userId}`);
  await rows(page).getByRole('button', { name: '审核' }).focus();
  const reading = await hold(page, '**/api/user/depositRecord/page');
  await newDeposit(userId);
  await expect.poll(reading.asked).toBeGreaterThan(0);
  // The menu, and the first of the ways in it.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('备注')).toBeFocused();
  reading.letGo();
});

test('what comes between the reading of a list and the beginning of the stream is told too', async ({
  operatorPage: page,
  context,
}) => {
  const userId = await newPlayer();
  let connect = () => {};
  const connecting = new Promise<void>((resolve) => {
    connect = resolve;
  });
  await context.route(`**${path}*`, async (route) => {
    await connecting;
    await route.continue();
  });
  await newDeposit(userId);
  await page.goto(`/main/user/deposit-record?userId=${userId}`);
  await expect(rows(page)).toHaveCount(1);
  const queue = await context.newPage();
  await queue.goto(`/main/user/deposit-record?status=PROCESSING&userId=${userId}`);
  await expect(rows(queue)).toHaveCount(1);
  await newDeposit(userId);
  connect();
  await expect(page.getByRole('button', { name: '1 条新记录' })).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(queue)).toHaveCount(2);
});

test('where a stream cannot be had, it is asked for instead', async ({ operatorPage: page }) => {
  const userId = await newPlayer();
  await page.route(`**${path}*`, (route) =>
    route.request().headers().accept === 'text/event-stream'
      ? route.fulfill({ contentType: 'text/html', body: '<p>a proxy’s own page</p>' })
      : route.continue(),
  );
  const asked = asking(page);
  await page.goto(`/main/user/deposit-record?status=PROCESSING&userId=${userId}`);
  await expect.poll(() => asked.polls).toBeGreaterThan(0);
  await newDeposit(userId);
  await expect(rows(page)).toHaveCount(1, { timeout: 120_000 });
});

test('the sound of something new is heard, and stays off once it was switched off', async ({ page }) => {
  await page.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (this: OscillatorNode, ...when) {
      document.documentElement.dataset.heard = String(
        Number(document.documentElement.dataset.heard ?? 0) + 1,
      );
      start.apply(this, when);
    };
  });
  const heard = () => page.evaluate(() => Number(document.documentElement.dataset.heard ?? 0));
  const userId = await newPlayer();
  await signIn(page, firstOperator);
  await page.goto('/main/user/deposit-record');
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(page).toHaveTitle(/充值订单/);
  await expect
    .poll(async () => {
      await newDeposit(userId);
      return heard();
    })
    .toBeGreaterThan(0);
  await page.getByRole('button', { name: firstOperator.username }).click();
  await page.getByRole('switch', { name: '提示音：开' }).click();
  await expect(page.getByRole('switch', { name: '提示音：关' })).toHaveAttribute('aria-checked', 'false');
  await page.reload();
  await page.getByRole('button', { name: '搜索' }).click();
  // The page may not have begun to listen yet.
  await expect
    .poll(async () => {
      await newDeposit(userId);
      return page.getByRole('button', { name: /条新记录/ }).isVisible();
    })
    .toBe(true);
  expect(await heard()).toBe(0);
});
