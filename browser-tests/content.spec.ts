import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { dialogs, examine } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { choose, giveUp, rows } from './forms.ts';
import { unique } from './unique.ts';

const form = (page: Page): Locator => page.getByRole('dialog');
const row = (page: Page, text: string): Locator => rows(page).filter({ hasText: text });

async function submit(page: Page): Promise<void> {
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page)).toHaveCount(0);
}

async function addCategory(page: Page, name: string): Promise<void> {
  await page.goto('/main/news/category');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  await form(page).getByLabel('分类名称').fill(name);
  await submit(page);
  await expect(row(page, name)).toHaveCount(1);
}

test('news keep their lines, are never taken for HTML, and leave as a file that shows what the screen shows', async ({
  operatorPage: page,
}) => {
  const category = unique('分类');
  const title = unique('=1+1 ');
  await addCategory(page, category);
  await page.goto('/main/news/news');
  await page.getByRole('button', { name: '新增', exact: true }).click();
  await choose(page, form(page).getByLabel('新闻分类'), category);
  await form(page).getByLabel('标题').fill(title);
  await form(page).getByLabel('是', { exact: true }).check();
  const content = form(page).getByLabel('内容');
  const twoRows = (await content.boundingBox())?.height ?? 0;
  await content.fill(Array.from({ length: 40 }, (_, i) => `第 ${i + 1} 行 <b>x</b>`).join('\n'));
  const grown = (await content.boundingBox())?.height ?? 0;
  expect(grown).toBeGreaterThan(twoRows * 5);
  expect(grown).toBeLessThan(twoRows * 12);
  await submit(page);
  await expect(row(page, title).getByLabel('重要')).toBeVisible();
  await row(page, title).getByRole('button', { name: /展开/ }).click();
  await expect(page.getByText('第 40 行 <b>x</b>')).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出' }).click();
  await page.getByRole('button', { name: 'CSV 文件' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^新闻-\d{14}\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\ufeff编号,新闻分类,标题,内容,重要,发布时间\r\n')).toBe(true);
  expect(text).toContain(`,${category},'${title},`);
  await expect(form(page).getByText(/导出完成，共 \d+ 行/)).toBeVisible();
  await form(page).getByText('关闭', { exact: true }).click();

  const workbook = page.waitForEvent('download');
  await page.getByRole('button', { name: '导出' }).click();
  await page.getByRole('button', { name: 'Excel 工作簿' }).click();
  expect((await readFile(await (await workbook).path())).subarray(0, 2).toString()).toBe('PK');
});

test('a parameter the product reads takes only what it can be', async ({ operatorPage: page }) => {
  await page.goto('/main/system/params-setting');
  const limit = row(page, 'withdraw.maxAmount');
  await limit.getByRole('button', { name: '编辑' }).click();
  await form(page).getByLabel('参数值').fill('很多');
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page).getByText('参数值须为不超过 4 位小数的数字')).toBeVisible();
  await giveUp(form(page));
});

test('mail configs: the first is active, a star makes another so, and templates can be looked at', async ({
  operatorPage: page,
}) => {
  const first = `${unique('a')}.example.com`;
  const second = `${unique('b')}.example.com`;
  await page.goto('/main/system/mail-config');
  for (const host of [first, second]) {
    await page.getByRole('button', { name: '新增', exact: true }).click();
    await form(page).getByLabel('服务器地址').fill(host);
    await form(page).getByLabel('端口').fill('587');
    await form(page).getByLabel('用户名').fill('ops@example.com');
    await form(page).getByLabel('密码', { exact: true }).fill('secret word');
    await form(page)
      .getByLabel('登录模板')
      .fill('主题：登录验证\n<p style="color: red">验证码 {{code}}</p><script>alert(1)</script>');
    await submit(page);
    await expect(row(page, host)).toContainText('******');
  }
  await page.getByRole('button', { name: `启用 ${second}` }).click();
  await expect(row(page, second).getByLabel('使用中')).toBeVisible();
  await expect(page.getByLabel('使用中')).toHaveCount(1);
  await row(page, second).getByRole('button', { name: '预览' }).click();
  await expect(form(page)).toContainText('主题：登录验证');
  const letter = form(page).getByLabel('邮件正文').getByText('验证码 【code】');
  await expect(letter).toHaveCSS('color', 'rgb(255, 0, 0)');
  // The colours of the letter are its writer’s.
  await examine(page, 'a letter', {
    within: dialogs,
    painted: `:is(${dialogs}) *:not([aria-label="邮件正文"] *)`,
  });
  await form(page).getByRole('button', { name: '关闭' }).click();
  // The one in use stays.
  await expect(row(page, second).getByRole('button', { name: '删除' })).toHaveCount(0);
  await expect(row(page, first).getByRole('button', { name: '删除' })).toBeVisible();
});

test('the change record tells a change before and after', async ({ operatorPage: page }) => {
  const category = unique('日志');
  await addCategory(page, category);
  await row(page, category).getByRole('button', { name: '编辑' }).click();
  await form(page).getByLabel('分类名称').fill(`${category}改`);
  await submit(page);
  await page.goto('/main/system/change-record?summary=编辑新闻分类');
  await rows(page).first().getByRole('button', { name: /展开/ }).click();
  const line = page.getByRole('row', { name: /分类名称（name）/ }).first();
  await expect(line).toContainText(category);
  await expect(line).toContainText(`${category}改`);
});
