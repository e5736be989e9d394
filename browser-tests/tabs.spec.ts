import type { BrowserContext, Page, Request } from '@playwright/test';
import { getHappenings } from '#contract/happenings.ts';
import { addOperator } from '#contract/operators.ts';
import { requestFor } from '#contract/request.ts';
import { journeyArguments } from './chromium.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { openForm, rowOf } from './forms.ts';

// An address on an intranet, as browsers see it: no secure origin, so without locks between tabs.
const HOST = 'back-office.test';
// What browsers say of headers that only count over HTTPS.
const plainHttp = /Cross-Origin-Opener-Policy header has been ignored|origin-keyed agent cluster/;
test.use({
  allowedComplaints: [plainHttp],
  baseURL: process.env.CONSOLE_ORIGIN?.replace('127.0.0.1', HOST),
  launchOptions: {
    executablePath: process.env.CHROMIUM_PROGRAM,
    args: [...journeyArguments, `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  },
});

/** Puts an access token that is refused like an expired one in the place of the tab's own. */
const expire = (page: Page) =>
  page.evaluate(() => {
    const token: unknown = JSON.parse(localStorage.getItem('token') ?? '{}');
    localStorage.setItem('token', JSON.stringify(Object.assign({}, token, { access_token: 'x'.repeat(43) })));
  });

const isRenewal = (url: string) => url.endsWith('/refreshToken');

test('four tabs that renew the session at once, without the browser’s locks, all go on', async ({
  operatorPage: page,
  context,
}) => {
  await page.goto('/main/user/user');
  expect(await page.evaluate(() => [isSecureContext, 'locks' in navigator])).toEqual([false, false]);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const tabs = [page, await context.newPage(), await context.newPage(), await context.newPage()];
  const renewals: string[] = [];
  context.on('request', (request) => isRenewal(request.url()) && renewals.push(request.url()));
  for (const round of [1, 2]) {
    await expire(page);
    await Promise.all(tabs.map((tab) => tab.goto('/main/pms/role')));
    for (const tab of tabs) await expect(tab.getByRole('cell', { name: '超级管理员' })).toBeVisible();
    expect(renewals, `renewals after round ${round}`).toHaveLength(round);
  }
});

test.describe('a renewal whose answer is lost', () => {
  test.use({ allowedComplaints: [new RegExp(`${plainHttp.source}|ERR_FAILED`)] });
  test('costs no session: the next click renews it', async ({ operatorPage: page }) => {
    await page.goto('/main/user/user');
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    let lost = 0;
    await page.route('**/api/refreshToken', async (route) => {
      if (lost > 0) return route.fallback();
      lost += 1;
      await route.fetch({ url: route.request().url().replace(HOST, '127.0.0.1') });
      await route.abort();
    });
    await expire(page);
    await page.getByRole('button', { name: '搜索' }).click();
    await expect.poll(() => lost).toBe(1);
    await page.getByRole('button', { name: '搜索' }).click();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expect(page).toHaveURL(/\/main\/user\/user$/);
  });
});

/** Puts a window aside as another one is shown, or shows it again. */
const putAside = (page: Page, hidden: boolean) =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);

test('a window that nobody looks at holds no connection, and asks instead', async ({
  operatorPage: page,
}) => {
  const asks = { streams: 0, ended: 0, polls: 0 };
  const isStream = (request: Request) => request.headers().accept === 'text/event-stream';
  page.on('request', (request) => {
    if (!request.url().includes(requestFor(getHappenings, {}).url)) return;
    if (isStream(request)) asks.streams++;
    else asks.polls++;
  });
  page.on('requestfailed', (request) => isStream(request) && asks.ended++);
  await page.goto('/main/user/user');
  await expect.poll(() => asks.streams).toBe(1);
  expect(asks).toEqual({ streams: 1, ended: 0, polls: 0 });
  await putAside(page, true);
  await expect.poll(() => [asks.ended, asks.polls]).toEqual([1, 1]);
  await putAside(page, false);
  await expect.poll(() => asks.streams).toBe(2);
});

/** A tab that dies with the lock in hand must not hold the others up for ever. */
test('a claim left behind by a tab that is gone runs out', async ({ operatorPage: page }) => {
  await page.goto('/main/user/user');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('refresh-claim', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('refresh-claim');
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('refresh-claim', 'readwrite');
          const claim = { id: 'gone', until: Date.now() + 1_500, ended: 0 };
          transaction.objectStore('refresh-claim').put(claim, 'refresh-claim');
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
  await expire(page);
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
});

/** An operator of their own for a test, with the right to see and do nothing beyond the given menus. */
async function newOperator(page: Page): Promise<{ username: string; password: string }> {
  const username = `tab${Date.now()}${Math.floor(Math.random() * 1000)}`;
  const password = 'another operator';
  const { url, body, method } = requestFor(addOperator, { userName: username, password });
  const answer = await page.evaluate(
    async (request) => {
      const token = JSON.parse(localStorage.getItem('token') ?? '{}') as { access_token: string };
      const headers = { Authorization: `Bearer ${token.access_token}`, 'Content-Type': 'application/json' };
      const { url: address, ...rest } = request;
      return (await fetch(address, { ...rest, headers })).json() as Promise<{ success: boolean }>;
    },
    { url, body, method },
  );
  expect(answer.success).toBe(true);
  return { username, password };
}

/** Signs in as somebody else in a window beside. */
async function signInBeside(context: BrowserContext, page: Page) {
  const other = await newOperator(page);
  const beside = await context.newPage();
  await signIn(beside, other);
  return { other, beside };
}

test('another operator who signs in in one window is shown in all windows', async ({
  operatorPage: page,
  context,
}) => {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('button', { name: firstOperator.username })).toBeVisible();
  const { other, beside } = await signInBeside(context, page);
  for (const window of [page, beside]) {
    await expect(window.getByRole('button', { name: other.username })).toBeVisible();
    await expect(window.getByRole('button', { name: '权限管理' })).toHaveCount(0);
    await expect(window.getByRole('heading', { name: '找不到页面' })).toHaveCount(0);
  }
});

test('signing out in one window leads all windows to the login page, and signing in there all inside', async ({
  operatorPage: page,
  context,
}) => {
  await page.goto('/main/user/user');
  const beside = await context.newPage();
  await beside.goto('/main/pms/role');
  await expect(beside.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await page.getByRole('button', { name: firstOperator.username }).click();
  await page.getByRole('button', { name: '退出' }).click();
  for (const window of [page, beside]) {
    await expect(window).toHaveURL(/\/login$/);
    await expect(window.getByLabel('登录账号')).toBeVisible();
  }
  await signIn(beside, firstOperator);
  for (const window of [page, beside])
    await expect(window.getByRole('button', { name: firstOperator.username })).toBeVisible();
});

test('a window that was told nothing does nothing in the name of who signed in since', async ({
  page,
  context,
}) => {
  // As a window that was frozen: no word of the others reaches it.
  await page.addInitScript(() =>
    window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true),
  );
  await signIn(page, firstOperator);
  await page.goto('/main/pms/role');
  const role = `窗口${Date.now()}`;
  await page.getByRole('button', { name: '新增' }).click();
  await openForm(page).getByLabel('角色名称').fill(role);
  await openForm(page).getByLabel('角色标识').fill(role);
  const { other } = await signInBeside(context, page);
  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/pms/role/add') && sent.push(request.url()));
  await page.getByRole('button', { name: '提交' }).click();
  await expect(page.getByRole('button', { name: other.username })).toBeVisible();
  expect(sent).toEqual([]);
  await signIn(page, firstOperator);
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(rowOf(page, role)).toHaveCount(0);
});

test('the same operator who signs in again beside loses nothing that is being typed', async ({
  operatorPage: page,
  context,
}) => {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  await openForm(page).getByLabel('角色名称').fill('正在填写');
  const beside = await context.newPage();
  await signIn(beside, firstOperator);
  await expect(beside.getByRole('button', { name: firstOperator.username })).toBeVisible();
  await expect(openForm(page).getByLabel('角色名称')).toHaveValue('正在填写');
  await page.getByRole('button', { name: '提交' }).click();
  await expect(openForm(page).getByText('角色标识不能为空')).toBeVisible();
  await expect(openForm(page).getByLabel('角色名称')).toHaveValue('正在填写');
});
