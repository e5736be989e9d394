import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { given } from '#server/testing/given.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { beginGoogleKey, confirmGoogleKey } from '../contract/google-keys.ts';
import { addOperator, bindOperatorRoles } from '../contract/operators.ts';
import { listRoles } from '../contract/roles.ts';
import { login } from '../contract/sign-in.ts';
import { testClient } from '../server/testing/test-client.ts';
import { dialogs, examine } from './axe.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';
import { fill, openForm, rowOf, submit } from './forms.ts';

// Each of these walks through several windows.
const FIRST = 'first password';
const TEMPORARY = 'given by somebody else';
const OWN = 'chosen by oneself';

/** A new operator, and a window of their own to sign in to. */
async function newcomer(page: Page, browser: Browser, baseURL: string | undefined) {
  const username = `op-${randomUUID()}`;
  await page.goto('/main/pms/operator');
  await fill(page, page.getByRole('button', { name: '新增', exact: true }), {
    texts: { 用户名: username, 登录密码: FIRST },
  });
  await expect(rowOf(page, username)).toBeVisible();
  const theirs = await browser.newPage({ locale: 'zh-CN', ...(baseURL ? { baseURL } : {}) });
  return { username, theirs };
}

test('one binds one’s own key by a first code, keeps the recovery codes, and signs in by one of them', async ({
  operatorPage: page,
  browser,
  baseURL,
}) => {
  const { username, theirs } = await newcomer(page, browser, baseURL);
  await signIn(theirs, { username, password: FIRST });
  await theirs.goto('/main/other/safe');
  const section = theirs.getByRole('region', { name: '谷歌验证' });
  await expect(section.getByText('未绑定')).toBeVisible();
  await section.getByRole('button', { name: '绑定谷歌验证' }).click();
  const password = theirs.getByRole('dialog');
  await password.getByLabel('登录密码').fill(FIRST);
  await password.getByRole('button', { name: '下一步' }).click();

  const confirm = theirs.getByRole('dialog').filter({ has: theirs.getByAltText('谷歌密钥二维码') });
  const secret = (await confirm.locator('code').textContent()) ?? '';
  await confirm.getByLabel('验证码').fill('000000');
  await confirm.getByRole('button', { name: '绑定' }).click();
  await expect(confirm.getByRole('alert')).toHaveText('验证码错误或已使用过');
  await examine(theirs, 'a key to be confirmed', { within: dialogs });
  await confirm.getByLabel('验证码').fill(codeOf(secret));
  await confirm.getByRole('button', { name: '绑定' }).click();

  const codes = theirs.getByRole('dialog').getByRole('list', { name: '恢复码' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await examine(theirs, 'codes for later', { within: dialogs });
  const [code = ''] = await codes.allInnerTexts();
  const downloading = theirs.waitForEvent('download');
  await theirs.getByRole('button', { name: '下载' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain(code);
  await theirs.getByRole('button', { name: '已保存' }).click();
  await expect(section.getByText('已绑定')).toBeVisible();
  await expect(section.getByText('还有 10 个恢复码没有用过')).toBeVisible();

  await theirs.goto('/login');
  await theirs.getByLabel('登录账号').fill(username);
  await theirs.getByLabel('登录密码').fill(FIRST);
  await theirs.getByLabel('谷歌验证码').fill(code);
  await theirs.getByRole('button', { name: '登录' }).click();
  await expect(theirs.getByText('登录成功，使用了一个恢复码，还剩 9 个')).toBeVisible();
  await page.reload();
  await expect(rowOf(page, username).getByText('已绑定')).toBeVisible();
  await theirs.close();
});

test('a password somebody else gave leads to its change and nowhere else', async ({
  operatorPage: page,
  browser,
  baseURL,
}) => {
  const { username, theirs } = await newcomer(page, browser, baseURL);
  await signIn(theirs, { username, password: FIRST });
  await rowOf(page, username).getByRole('button', { name: '账号' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '重置密码' }).click();
  const form = openForm(page);
  await form.getByLabel('临时密码').fill(TEMPORARY);
  await submit(form);
  await expect(rowOf(page, username).getByText('待修改')).toHaveCount(0);

  // The session of before is over at the next thing done in it.
  await theirs.goto('/main/other/safe', { waitUntil: 'commit' });
  await expect(theirs).toHaveURL(/\/login$/);
  await theirs.getByLabel('登录账号').fill(username);
  await theirs.getByLabel('登录密码').fill(TEMPORARY);
  await theirs.getByRole('button', { name: '登录' }).click();
  await expect(theirs).toHaveURL(/\/change-password$/);
  await theirs.goto('/main/other/safe');
  await expect(theirs).toHaveURL(/\/change-password$/);
  await theirs.getByLabel('临时密码').fill(TEMPORARY);
  await theirs.getByLabel('新密码').fill(OWN);
  await theirs.getByLabel('确认密码').fill('another one');
  await theirs.getByRole('button', { name: '修改密码' }).click();
  await expect(theirs.getByRole('alert').filter({ hasText: '新密码不一致' }).first()).toBeVisible();
  await theirs.getByLabel('确认密码').fill(OWN);
  await theirs.getByRole('button', { name: '修改密码' }).click();
  await expect(theirs).toHaveURL(/\/main\/analysis\/bashboard$/);
  await theirs.close();
});

test('a disabled operator is out, reads why at the login page, and comes back when enabled', async ({
  operatorPage: page,
  browser,
  baseURL,
}) => {
  const { username, theirs } = await newcomer(page, browser, baseURL);
  await signIn(theirs, { username, password: FIRST });
  const press = async (name: string) => {
    await rowOf(page, username).getByRole('button', { name: '账号' }).click();
    await page.getByRole('dialog', { name: '账号' }).getByRole('button', { name }).click();
    await page
      .getByRole('dialog', { name: `确定${name}` })
      .getByRole('button', { name })
      .click();
  };
  await press('停用');
  await expect(rowOf(page, username).getByText('已停用')).toBeVisible();
  // Their window is told, and goes by itself.
  await expect(theirs).toHaveURL(/\/login$/);
  await theirs.getByLabel('登录账号').fill(username);
  await theirs.getByLabel('登录密码').fill(FIRST);
  await theirs.getByRole('button', { name: '登录' }).click();
  await expect(theirs.getByRole('alert').getByText('您的账号已停用，请联系管理员').first()).toBeVisible();
  await press('启用');
  await expect(rowOf(page, username).getByText('正常')).toBeVisible();
  await signIn(theirs, { username, password: FIRST });
  await theirs.close();
});

/** Signs in over the wire. */
async function clientOf(origin: string, username: string, password: string) {
  const { envelope } = await testClient(origin).call(login, { username, password });
  return testClient(origin, envelope.data?.access_token ?? '');
}

/** An operator with full rights who has bound a key, made over the wire. */
async function withKey(origin: string) {
  const username = `op-${randomUUID()}`;
  const admin = await clientOf(origin, firstOperator.username, firstOperator.password);
  const added = await admin.call(addOperator, { userName: username, password: FIRST });
  const roles = (await admin.call(listRoles, { name: 'administrator' })).envelope.data ?? [];
  await admin.call(bindOperatorRoles, {
    oid: given(added.envelope.data),
    roleIds: roles.map(({ id }) => id),
  });
  const own = await clientOf(origin, username, FIRST);
  const secret = (await own.call(beginGoogleKey, { password: FIRST })).envelope.data?.secret ?? '';
  const bound = await own.call(confirmGoogleKey, { googleCode: codeOf(secret) });
  return { username, secret, recovery: bound.envelope.data?.codes[0] ?? '' };
}

test('a call that wants a fresh code asks for it above the form, loses nothing typed, and goes on by itself', async ({
  page,
  baseURL,
}) => {
  const { username, secret, recovery } = await withKey(baseURL ?? '');
  await page.goto('/login');
  await page.getByLabel('登录账号').fill(username);
  await page.getByLabel('登录密码').fill(FIRST);
  await page.getByLabel('谷歌验证码').fill(recovery);
  await page.getByRole('button', { name: '登录' }).click();
  await page.waitForURL(/\/main\//);
  await page.goto('/main/pms/operator');

  const added = `op-${randomUUID()}`;
  await page.getByRole('button', { name: '新增', exact: true }).click();
  const form = openForm(page);
  await form.getByLabel('用户名').fill(added);
  await form.getByLabel('登录密码').fill(FIRST);
  await form.getByRole('button', { name: '提交' }).click();

  const question = page.getByRole('dialog').filter({ hasText: '5 分钟内不再询问' });
  await expect(question.getByLabel('谷歌验证码')).toBeFocused();
  await examine(page, 'a fresh code asked for above a form', { within: dialogs });
  await question.getByRole('button', { name: '取消' }).click();
  await expect(question).toHaveCount(0);
  await expect(page.getByRole('alert').getByText('此操作需要谷歌验证码确认').first()).toBeVisible();
  await expect(form.getByLabel('用户名')).toHaveValue(added);

  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/pms/operator/add')) keys.push(request.headers()['idempotency-key']);
  });
  await form.getByRole('button', { name: '提交' }).click();
  await question.getByLabel('谷歌验证码').fill('000000');
  await question.getByRole('button', { name: '确认' }).click();
  await expect(question.getByRole('alert')).toHaveText('验证码错误或已使用过');
  await question.getByLabel('谷歌验证码').fill(codeOf(secret, 1));
  await question.getByRole('button', { name: '确认' }).click();
  await expect(form).toHaveCount(0);
  await expect(rowOf(page, added)).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(keys[1]).toBe(keys[0]);

  // For five minutes nothing more is asked.
  await rowOf(page, added).getByRole('button', { name: '账号' }).click();
  await page.getByRole('dialog', { name: '账号' }).getByRole('button', { name: '停用' }).click();
  await page.getByRole('dialog', { name: '确定停用' }).getByRole('button', { name: '停用' }).click();
  await expect(rowOf(page, added).getByText('已停用')).toBeVisible();
  await expect(question).toHaveCount(0);
});

test('a sign-in that is ended leads its window to the login page', async ({
  operatorPage: page,
  browser,
  baseURL,
}) => {
  const { username, theirs } = await newcomer(page, browser, baseURL);
  await signIn(theirs, { username, password: FIRST });
  await page.goto('/main/pms/online-session');
  const row = rowOf(page, username);
  await expect(row).toContainText('Chrome');
  await expect(page.getByRole('row').filter({ hasText: '本次登录' })).toHaveCount(1);
  await row.getByRole('button', { name: '下线', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: '下线' }).click();
  await expect(page.getByText('已下线')).toBeVisible();
  await expect(row).toHaveCount(0);
  // The overview looks again by itself.
  await expect(theirs).toHaveURL(/\/login$/);
  await theirs.close();
});
