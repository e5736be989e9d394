import { randomUUID } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import { createUser, getUserBalance } from '#contract/platform.ts';
import { pageUsers } from '#contract/users.ts';
import { given } from '#server/testing/given.ts';
import { clientOf, expect, site, test } from './fixtures.ts';
import { openForm } from './forms.ts';
import { hold } from './hold.ts';

test.use({ allowedComplaints: [[/ERR_FAILED/], { scope: 'test' }] });

const LOST = '没有收到系统的响应';
const MAYBE = '可能已经执行；原样再次提交不会重复执行';

/** Has the server do what is asked for there once, and its answer lost on the way. */
const loseAnswer = (page: Page, pattern: string, instead = (route: Route) => route.abort()) =>
  page.route(
    pattern,
    async (route) => {
      await route.fetch();
      await instead(route);
    },
    { times: 1 },
  );

test('money whose answer was lost moves once, though the form is sent again after a reload', async ({
  operatorPage: page,
}) => {
  const username = `lost-${randomUUID().slice(0, 12)}`;
  const userId = given((await site().call(createUser, { nickName: '答复', username })).envelope.data);
  const balance = async () => (await site().call(getUserBalance, { id: userId })).envelope.data?.totalAmount;

  await page.goto(`/main/user/account?userId=${userId}`);
  await page.getByRole('button', { name: '加款', exact: true }).click();
  await openForm(page).getByLabel('金额', { exact: true }).fill('500');
  await loseAnswer(page, '**/api/user/account/addBalance/**');
  await openForm(page).getByRole('button', { name: '提交' }).click();
  await expect(openForm(page).getByText(`${LOST}，请检查网络后重试。${MAYBE}`)).toBeVisible();
  expect(await balance()).toBe('500.00');
  // Whether it was done is seen behind the form.
  await expect(page.locator('tbody .money').filter({ hasText: '500.00' }).first()).toBeVisible();

  await page.reload();
  await expect(openForm(page).getByText('上次提交没有收到响应')).toBeVisible();
  await openForm(page).getByRole('button', { name: '提交' }).click();
  await expect(openForm(page)).toHaveCount(0);
  expect(await balance()).toBe('500.00');

  // What was changed since is another intent. A page that somebody else answers in place of the system is no answer either.
  await page.getByRole('button', { name: '加款', exact: true }).click();
  await openForm(page).getByLabel('金额', { exact: true }).fill('20');
  await loseAnswer(page, '**/api/user/account/addBalance/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>请登录网络</h1>' }),
  );
  await openForm(page).getByRole('button', { name: '提交' }).click();
  await expect(openForm(page).getByText(LOST)).toBeVisible();
  await page.reload();
  await expect(openForm(page).getByText('上次提交没有收到响应')).toBeVisible();
  await openForm(page).getByLabel('金额', { exact: true }).fill('3');
  // What is on its way can be given up no more.
  const { asked, letGo } = await hold(page, '**/api/user/account/addBalance/**');
  await openForm(page).getByRole('button', { name: '提交' }).click();
  await expect.poll(asked).toBe(1);
  await page.keyboard.press('Escape');
  await expect(page.getByText('填写的内容尚未提交')).toHaveCount(0);
  letGo();
  await expect(openForm(page)).toHaveCount(0);
  expect(await balance()).toBe('523.00');
});

test('a table whose answer was lost is imported once; a mended file of the same name is read anew', async ({
  operatorPage: page,
}) => {
  const client = await clientOf();
  const mark = `lost${randomUUID().slice(0, 8)}`;
  const table = (...names: string[]) => ({
    name: '客户.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['昵称', ...names].join('\r\n')),
  });
  const imported = async () =>
    given((await client.call(pageUsers, { nickName: mark, pageSize: 20 })).envelope.data).totalCount;

  await page.goto('/main/user/user');
  await page.getByRole('button', { name: '导入', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '导入' });
  const file = dialog.getByLabel(/选择文件/);
  await file.setInputFiles(table(mark, 'x'.repeat(500)));
  await expect(dialog.getByText('共 2 行，有 1 处错误')).toBeVisible();
  // The browser tells of no change as long as it has a file of that name.
  await expect(file).toHaveValue('');
  await file.setInputFiles(table(`${mark}甲`, `${mark}乙`));
  const keep = dialog.getByRole('button', { name: '导入 2 行' });
  await expect(keep).toBeVisible();
  await loseAnswer(page, '**/user/user/add');
  await keep.click();
  await expect(dialog.getByText(LOST)).toBeVisible();
  expect(await imported()).toBe(2);
  await expect(page.getByText(`${mark}甲`)).toBeVisible();
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: '继续填写' }).click();
  await dialog.getByRole('button', { name: '重试' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await imported()).toBe(2);
});
