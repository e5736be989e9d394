import { addOperator, resetOperatorPassword } from '#contract/operators.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, firstOperator, signIn, test } from './fixtures.ts';
import { hold } from './hold.ts';

test('the root leads to the login page, where a wrong password is refused in place', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByPlaceholder('谷歌验证码（未设置可不填）')).toBeVisible();
  await page.getByLabel('登录账号').fill(firstOperator.username);
  await page.getByLabel('登录密码').fill('wrong password');
  await page.getByRole('button', { name: '登录' }).click();
  await expect(page.getByRole('alert').getByText('账号、密码或谷歌验证码错误').first()).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByLabel('登录账号')).toHaveValue(firstOperator.username);
});

test('what is refused at a field of a login form is read out there alone, and the field has the keyboard', async ({
  page,
}) => {
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(firstOperator.username);
  await page.getByRole('button', { name: '登录' }).click();
  const notice = page.locator('.toast').filter({ hasText: '登录密码不能为空' });
  await expect(notice).toBeVisible();
  expect(await notice.getByRole('alert').count()).toBe(0);
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveText('登录密码不能为空');
  await expect(page.getByLabel('登录密码')).toBeFocused();
  await expect(page.getByLabel('登录密码')).toHaveAccessibleDescription('登录密码不能为空');
  // What is refused at no field is read out by the notice, and by nothing else.
  await page.getByLabel('登录密码').fill('wrong password');
  await page.getByRole('button', { name: '登录' }).click();
  await expect(page.getByText('账号、密码或谷歌验证码错误').first()).toBeVisible();
  expect(await page.getByRole('alert').filter({ hasText: '谷歌验证码错误' }).count()).toBe(1);
});

test.describe('where nobody answers', () => {
  test.use({ allowedComplaints: [/ERR_FAILED/] });

  test('it is the form that reads out why nobody was let in, as no notice does', async ({ page }) => {
    await page.goto('/login');
    await page.getByLabel('登录账号').fill(firstOperator.username);
    await page.getByLabel('登录密码').fill('a password that is not looked at');
    await page.route('**/api/login', (route) => route.abort());
    await page.getByRole('button', { name: '登录' }).click();
    await expect(page.getByRole('alert').filter({ hasText: '没有收到系统的响应' })).toHaveCount(1);
  });
});

test('a server that does not tell of a sample account keeps nobody from signing in', async ({ page }) => {
  await page.route('**/api/public/settings', () => new Promise(() => {}));
  await signIn(page, firstOperator);
});

test('a browser that keeps nothing for the page lets its operator in, and says for how long', async ({
  page,
}) => {
  // As where an administrator has blocked all site data: such a browser lends no locks either.
  await page.addInitScript(() => {
    const refusal = () => new DOMException('Access is denied for this document.', 'SecurityError');
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get: () => {
          throw refusal();
        },
      });
    navigator.locks.request = () => Promise.reject(refusal());
    // Firefox refuses this as well.
    window.BroadcastChannel = class {
      constructor() {
        throw refusal();
      }
    } as never;
  });
  const streams: string[] = [];
  page.on('request', (request) => {
    if (request.headers().accept === 'text/event-stream') streams.push(request.url());
  });
  await signIn(page, firstOperator);
  await expect(page.getByRole('alert').filter({ hasText: '浏览器不保存本网站的数据' })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect.poll(() => streams.length).toBeGreaterThan(0);

  // Its session is renewed as any other.
  const renewed = page.waitForResponse('**/api/refreshToken');
  const over = { success: false, msg: '登录已过期，请重新登录', data: null, code: 401 };
  await page.route('**/api/user/user/page', (route) => route.fulfill({ json: over }), { times: 1 });
  await page.getByRole('button', { name: '搜索' }).click();
  await renewed;
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page).toHaveURL(/\/main\/user\/user$/);

  // Who has to change the password first does so in the same page.
  const newcomer = { userName: `keeps${Date.now().toString(36)}`, password: 'correct horse battery' };
  const admin = await clientOf();
  const id = given((await admin.call(addOperator, newcomer)).envelope.data);
  const { password } = newcomer;
  expect((await admin.call(resetOperatorPassword, { id, password })).envelope.success).toBe(true);
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(newcomer.userName);
  await page.getByLabel('登录密码').fill(newcomer.password);
  await page.getByRole('button', { name: '登录' }).click();
  await page.getByLabel('临时密码').fill(newcomer.password);
  await page.getByLabel('新密码').fill('a staple of my own');
  await page.getByLabel('确认密码').fill('a staple of my own');
  await page.getByRole('button', { name: '修改密码' }).click();
  await expect(page).toHaveURL(/\/main/);
  await expect(page.getByRole('button', { name: newcomer.userName })).toBeVisible();
});

test('signing in lands on the users’ screen; signing out forgets the session', async ({ page }) => {
  await signIn(page, firstOperator);
  await expect(page).toHaveURL(/\/main\/user\/user$/);
  await page.goto('/main/pms/role');
  const kept = () =>
    page.evaluate(() => ['token', 'menus', 'preferences'].filter((key) => localStorage.getItem(key)));
  await expect.poll(kept).toHaveLength(3);
  await page.getByRole('button', { name: firstOperator.username }).click();
  await page.getByRole('button', { name: '退出' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await kept()).toEqual([]);
  await page.goto('/main/pms/role');
  await expect(page).toHaveURL(/\/login$/);
});

test('the form stands until the screen behind it is there', async ({ page }) => {
  const { asked, letGo } = await hold(page, '**/assets/Shell-*.js');
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(firstOperator.username);
  await page.getByLabel('登录密码').fill(firstOperator.password);
  await page.getByRole('button', { name: '登录' }).click();
  await expect.poll(asked).toBe(1);
  await expect(page.getByText('努力加载中')).toBeHidden();
  await expect(page.getByLabel('登录账号')).toBeVisible();
  letGo();
  await expect(page.getByRole('navigation', { name: '主菜单' })).toBeVisible();
});

test('the not-found page leads home and to the login page', async ({ operatorPage: page }) => {
  await page.goto('/main/no/such/screen');
  await expect(page.getByRole('heading', { name: '找不到页面' })).toBeVisible();
  await page.getByRole('button', { name: '返回首页' }).click();
  await expect(page).toHaveURL(/\/main\/analysis\/bashboard$/);
  await page.goto('/nowhere');
  await page.getByRole('button', { name: '重新登录' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

/** What a page finds in place of its tokens: a made-up one is refused like an expired one. */
const spoil = (names: readonly string[]) => {
  const token: unknown = JSON.parse(localStorage.getItem('token') ?? '{}');
  const spoilt = Object.fromEntries(names.map((name) => [name, 'x'.repeat(43)]));
  localStorage.setItem('token', JSON.stringify(Object.assign({}, token, spoilt)));
};

test('an expired session is renewed unnoticed, once for all tabs', async ({
  operatorPage: page,
  context,
}) => {
  await page.goto('/main/user/user');
  // A renewal that leaving the page cuts off would have spent the refresh token.
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const other = await context.newPage();
  const renewals: string[] = [];
  context.on('request', (request) => request.url().endsWith('/refreshToken') && renewals.push(request.url()));
  // Where nothing of the console runs that could ask for something in between.
  await page.goto('/healthz');
  await page.evaluate(spoil, ['access_token']);
  await Promise.all([page.goto('/main/pms/role'), other.goto('/main/pms/operator')]);
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(other.getByRole('cell', { name: firstOperator.username, exact: true })).toBeVisible();
  expect(renewals).toHaveLength(1);
});

test('a session that cannot be renewed leads to the login page, which says why', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/pms/role');
  await expect(page.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await page.evaluate(spoil, ['access_token', 'refresh_token']);
  await page.reload();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert').getByText('登录已过期，请重新登录')).toBeVisible();
});
