import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expect, signIn, test } from './fixtures.ts';
import { fill, openForm, rowOf, submit } from './forms.ts';

const FIRST = 'first password';
const TEMPORARY = 'given by somebody else';
const OWN = 'chosen by oneself';

const codeOf = (secret: string, step = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * 30_000 });

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
  await confirm.getByLabel('验证码').fill(codeOf(secret));
  await confirm.getByRole('button', { name: '绑定' }).click();

  const codes = theirs.getByRole('dialog').getByRole('list', { name: '恢复码' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
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
  await rowOf(page, username).getByRole('button', { name: '重置密码' }).click();
  const form = openForm(page);
  await form.getByLabel('临时密码').fill(TEMPORARY);
  await submit(form);
  await expect(rowOf(page, username).getByText('待修改')).toHaveCount(0);

  // The session of before is over at the next thing done in it.
  await theirs.goto('/main/other/safe');
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
    await rowOf(page, username).getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  };
  await press('停用');
  await expect(rowOf(page, username).getByText('已停用')).toBeVisible();
  await theirs.goto('/main/other/safe');
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
