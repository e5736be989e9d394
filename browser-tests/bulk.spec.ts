import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import { addOdds } from '#contract/odds.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { testWorkbook } from '#server/testing/test-workbook.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { openForm, rowOf, submit } from './forms.ts';

test('200 odds are pasted as a table, multiplied, and saved in one call after their return is shown', async ({
  operatorPage: page,
}) => {
  const client = await clientOf();
  const numbers = Array.from({ length: 200 }, (_, index) => String(index).padStart(3, '0'));
  const { gameId, playWayId } = await buildPlayWay(client, numbers);
  const [first] = (await client.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
  await client.call(addOdds, { playWayId, numberIds: [first?.id ?? 0], odds: '100' });

  await page.goto(`/main/game/playway?gameId=${gameId}`);
  await rowOf(page, '猜号').getByRole('button', { name: '赔率表', exact: true }).click();
  const form = openForm(page);
  await expect(form.getByLabel('000 的新赔率')).toHaveValue('100');
  const paste = async (text: string) => {
    await form.getByLabel('粘贴赔率').fill(text);
    await form.getByRole('button', { name: '填入' }).click();
  };
  await paste('000\t210\n201\t210');
  await expect(form.getByRole('alert')).toHaveText('第 2 行：没有号码 201');
  await expect(form.getByText('将修改 0 个赔率')).toBeVisible();
  await paste(numbers.map((number) => `${number}\t210`).join('\n'));
  await expect(form.getByRole('status')).toContainText('将修改 200 个赔率；返还率最高 亏损 1.05');
  await expect(form.getByRole('row', { name: /^199/ })).toContainText('1.05');
  const head = form.getByRole('columnheader', { name: '新赔率' });
  const top = async () => (await head.boundingBox())?.y;
  const place = await top();
  await form.getByLabel('倍数').fill('0.9');
  await form.getByRole('button', { name: '全部相乘' }).click();
  await expect(form.getByLabel('199 的新赔率')).toHaveValue('189');
  await expect(form.getByRole('status')).toContainText('返还率最高 0.945');
  // A warning that goes, or comes, moves nothing below it that somebody is about to press.
  expect(await top()).toBe(place);

  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/game/odds/set') && calls.push(request.url()));
  await submit(form);
  expect(calls).toHaveLength(1);
  await expect(rowOf(page, '猜号')).toContainText('200 个');

  // A file says other odds of two of them: old, new and return are told before anything is kept.
  await rowOf(page, '猜号').getByRole('button', { name: '导入赔率', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '导入赔率' });
  const lines = '号码,赔率\r\n000,189\r\n001,180\r\n002,210\r\n';
  await dialog
    .getByLabel(/选择文件/)
    .setInputFiles({ name: '赔率.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) });
  await expect(dialog.getByRole('status')).toContainText('将修改 2 个赔率；返还率最高 亏损 1.05');
  await expect(dialog.getByRole('row', { name: /^002/ })).toHaveText(/^002\s*189\s*210\s*.*1\.05/);
  await expect(dialog.getByRole('row', { name: /^000/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: '导入 3 行' }).click();
  await expect(dialog).toBeHidden();
  await rowOf(page, '猜号').getByRole('button', { name: '赔率表', exact: true }).click();
  await expect(openForm(page).getByLabel('002 的新赔率')).toHaveValue('210');
});

test('01-49 are added as numbers at once', async ({ operatorPage: page }) => {
  const { name, gameId } = await buildPlayWay(await clientOf(), ['大', '小']);
  await page.goto(`/main/game/lottery?name=${encodeURIComponent(name)}`);
  await rowOf(page, name).getByRole('button', { name: /^更多/ }).click();
  await page.getByRole('button', { name: '新增号码', exact: true }).click();
  await openForm(page).getByLabel('号码', { exact: true }).fill('01-49');
  await expect(openForm(page).getByText('共 49 个号码')).toBeVisible();
  await submit(openForm(page));
  await page.goto(`/main/game/number?gameId=${gameId}&pageSize=100`);
  await expect(page.getByText('共 51 条')).toBeVisible();
  await expect(rowOf(page, '49').first()).toBeVisible();
});

test.describe('from a workbook', () => {
  // The browser’s own question before a page is left.
  test.use({ allowedComplaints: [[/^dialog: $/], { scope: 'test' }] });

  test('500 users come in from a workbook, once its three bad rows are told by row and column and mended', async ({
    operatorPage: page,
  }) => {
    const mark = `wb${Date.now().toString(36)}`;
    const rows = Array.from({ length: 500 }, (_, index) => [`客户${index}`, `${mark}_${index}`, '1']);
    const wrong = rows.map((row) => [...row]);
    wrong[0] = ['', `${mark}_0`, '1'];
    wrong[250] = ['客户250', `${mark}_7`, '1'];
    wrong[499] = ['客户499', `${mark}_499`, '一级'];
    const file = async (table: string[][]) => ({
      name: '客户.xlsx',
      mimeType: 'application/octet-stream',
      buffer: await testWorkbook([['昵称', '用户名', '等级'], ...table]),
    });
    await page.goto('/main/pms/role');
    await expect(page.getByRole('tab', { name: '角色管理' })).toBeVisible();
    await page.goto('/main/user/user');
    await page.getByRole('button', { name: '导入', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '导入' });
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: '下载模板' }).click();
    expect((await download).suggestedFilename()).toBe('新增用户模板.xlsx');
    await dialog.getByLabel(/选择文件/).setInputFiles(await file(wrong));
    // The browser itself says that none is chosen, once it has been taken from it.
    await expect(dialog.getByText('客户.xlsx', { exact: true })).toBeVisible();
    await expect(dialog.getByText('共 500 行，有 3 处错误')).toBeVisible();
    const faults = dialog.getByRole('region', { name: '表格中的错误' }).getByRole('row');
    await expect(faults).toHaveText([
      /行列问题/,
      /2昵称昵称不能为空/,
      /252用户名用户名已存在/,
      /501等级等级须为整数/,
    ]);
    // What is read out by itself is one sentence, and not the faults one by one.
    await expect(dialog.locator('[aria-live] tr')).toHaveCount(0);
    await dialog.getByLabel(/选择文件/).setInputFiles(await file(rows));
    const keep = dialog.getByRole('button', { name: '导入 500 行' });
    await expect(keep).toBeVisible();
    // A table that was found whole is not given up by a slip of the finger.
    await page.keyboard.press('Escape');
    await expect(dialog.getByText('填写的内容尚未提交，确定放弃吗？')).toBeVisible();
    await dialog.getByRole('button', { name: '继续填写' }).click();
    // A page cannot keep a file through a reload: it asks, and marks its tab, whose closing asks too.
    const tab = page.getByRole('tab', { name: /^用户管理/ });
    await expect(tab.getByLabel('有未提交的内容')).toBeVisible();
    const asked = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    expect((await asked).type()).toBe('beforeunload');
    await page.keyboard.press('Alt+1');
    await expect(page.getByRole('tab', { name: '角色管理' })).toHaveAttribute('aria-selected', 'true');
    await tab.press('Delete');
    await page
      .getByRole('dialog', { name: /尚未提交/ })
      .getByRole('button', { name: '取消' })
      .click();
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await keep.click();
    await expect(dialog).toBeHidden();
    await page.goto(`/main/user/user?username=${mark}`);
    await expect(page.getByText('共 500 条')).toBeVisible();
  });
});
