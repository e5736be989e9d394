import { randomUUID } from 'node:crypto';
import { expect, test } from './fixtures.ts';
import { choose, enter, openForm, rowOf } from './forms.ts';

test('an agent is entered with a rate from a day on, and given another one', async ({
  operatorPage: page,
}) => {
  const name = `代理 ${randomUUID().slice(0, 8)}`;
  await page.goto('/main/bet/agent');
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  await enter(form, '代理名称', name);
  await enter(form, '用户编号', '1');
  await enter(form, '返点比例', '0.01');
  await enter(form, '生效日', '2099-01-32');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '“2099-01-32”不完整' })).toBeVisible();
  await expect(form).toContainText('生效日不能为空');
  await enter(form, '生效日', '2099/1/31');
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('生效日', { exact: true })).toHaveValue('2099-01-31');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toHaveCount(0);
  const row = rowOf(page, name);
  await expect(row).toContainText('2099-01-31');
  await row.getByRole('button', { name: '编辑' }).click();
  await expect(openForm(page).getByLabel('返点比例', { exact: true })).toHaveValue('0.01');
  await enter(openForm(page), '返点比例', '0.02');
  await enter(openForm(page), '生效日', '2099-02-28');
  await openForm(page).getByRole('button', { name: '提交' }).click();
  await expect(openForm(page)).toHaveCount(0);
  await row.getByRole('button', { name: '展开' }).click();
  await expect(page.getByText('自 2099-02-28 起 0.02')).toBeVisible();
  await expect(page.getByText('自 2099-01-31 起 0.01')).toBeVisible();
});

test('a rate of rebates is entered, and the list of runs opens', async ({ operatorPage: page }) => {
  await page.goto('/main/bet/rebate-rate');
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  await enter(form, '等级', '977');
  await choose(page, form.getByLabel('游戏分类'), '时时彩');
  await enter(form, '返水比例', '0.001');
  await enter(form, '生效日', '2099-01-31');
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form).toHaveCount(0);
  await expect(rowOf(page, '977')).toContainText('0.001');
  await page.goto('/main/bet/rebate');
  await expect(page.getByRole('columnheader', { name: '平台日' })).toBeVisible();
});
