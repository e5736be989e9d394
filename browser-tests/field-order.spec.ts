import { expect, test } from './fixtures.ts';
import { giveUp, openForm, rowOf, submit } from './forms.ts';

test('a parameter may be added with an empty value, which its form does not demand', async ({
  operatorPage: page,
}) => {
  const key = `empty.${Date.now().toString(36)}`;
  await page.goto('/main/system/params-setting');
  await page.getByRole('button', { name: '新增' }).click();
  const form = openForm(page);
  await expect(form.getByText('参数键')).toHaveAttribute('data-required', 'true');
  await expect(form.getByText('参数值')).not.toHaveAttribute('data-required');
  await form.getByLabel('参数名称').fill(key);
  await form.getByLabel('参数键').fill(key);
  await submit(form);
  await expect(rowOf(page, key)).toBeVisible();
});

test('the forms of collectors and news ask in the order of the work', async ({ operatorPage: page }) => {
  await page.goto('/main/game/spider');
  await page.getByRole('button', { name: '新增' }).click();
  const labels = openForm(page).locator('.form-label > label');
  await expect(labels.first()).toBeVisible();
  const asked = await labels.allTextContents();
  expect(asked.slice(0, 4)).toEqual(['游戏', '采集名称', '采集地址', '采集器类名']);
  expect(asked.slice(-2)).toEqual(['备注', '状态']);
  await giveUp(openForm(page));

  await page.goto('/main/news/news');
  await page.getByRole('button', { name: '新增' }).click();
  await expect(openForm(page).getByLabel('重要').locator('label')).toHaveText(['否', '是']);
  await giveUp(openForm(page));
});
