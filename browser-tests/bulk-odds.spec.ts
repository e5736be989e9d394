import { updateOdds } from '#contract/odds.ts';
import { dialogs, examine } from './axe.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { openForm, rowOf, submit } from './forms.ts';
import { hold } from './hold.ts';
import { line, select, showOdds } from './odds.ts';

test('odds of several selected numbers are set after their return is shown; one changed meanwhile is told and stays', async ({
  ownPage: page,
}) => {
  const { client, oddsNow } = await showOdds(page, await clientOf());
  const bar = await select(page, '01', '02', '03');
  await bar.getByRole('button', { name: '设赔率（3）', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '设赔率：3 行' });
  await dialog.getByRole('button', { name: '设赔率', exact: true }).click();
  await expect(dialog.getByRole('alert')).toHaveText('赔率不能为空');
  await dialog.getByLabel('赔率', { exact: true }).fill('4.2');
  await expect(dialog.getByRole('status')).toContainText('将修改 3 个赔率；返还率最高 亏损 1.05');
  await dialog.getByLabel('赔率', { exact: true }).fill('3.6');
  await expect(dialog.getByRole('status')).toContainText('返还率最高 0.9');
  await expect(dialog.getByRole('row', { name: /^02/ })).toHaveText(/^02\s*3\s*3\.6\s*0\.9/);
  await examine(page, 'odds of several numbers', { within: dialogs });
  const second = (await oddsNow()).find(({ number }) => number === '02');
  await client.call(updateOdds, { id: second?.id ?? 0, odds: '3.1' });
  await dialog.getByRole('button', { name: '设赔率', exact: true }).click();
  await expect(dialog).toContainText('成功 2 行，失败 1 行，共 3 行');
  const outcomes = dialog.getByRole('list', { name: '每行的结果' }).getByRole('listitem');
  await expect(outcomes.first()).toContainText('号码 02');
  await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
  await expect(bar).toContainText('已选 1 行');
  expect((await oddsNow()).map(({ odds }) => odds)).toEqual(['3.6', '3.1', '3.6', '3']);

  // A single number says the same of itself, and is not asked for what it was given already.
  await line(page, '04').getByRole('button', { name: '设赔率', exact: true }).click();
  const form = openForm(page);
  await form.getByLabel('赔率', { exact: true }).fill('5');
  await expect(form.getByRole('status')).toContainText('将修改 1 个赔率；返还率最高 亏损 1.25');
  await form.getByLabel('赔率', { exact: true }).fill('3.7');
  await expect(form.getByRole('status')).toContainText('返还率最高 0.925');
  await submit(form);
  await expect(line(page, '04')).toContainText('3.7');
});

test('several numbers and their play way are stopped and resumed at once', async ({ ownPage: page }) => {
  const { oddsNow } = await showOdds(page, await clientOf());
  const done = async (word: string, count: number) => {
    const bar = page.getByRole('region', { name: '批量操作' });
    await bar.getByRole('button', { name: `${word}（${count}）`, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `${word}：${count} 行` });
    await dialog.getByRole('button', { name: word, exact: true }).click();
    await expect(dialog).toContainText(`成功 ${count} 行，失败 0 行，共 ${count} 行`);
    await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
    await expect(dialog).toBeHidden();
  };
  const stopped = async () => (await oddsNow()).filter((row) => row.stopped).map(({ number }) => number);
  const playWay = rowOf(page, '猜号').first();
  await select(page, '01', '02');
  await done('停押', 2);
  await expect(line(page, '02')).toContainText('已停押');
  expect(await stopped()).toEqual(['01', '02']);

  // Of a mixed selection each way goes to the rows that can take it; the play way is a call of its own.
  await select(page, '02', '03');
  const bar = page.getByRole('region', { name: '批量操作' });
  await expect(bar.getByRole('button', { name: '停押（1）', exact: true })).toBeVisible();
  await done('恢复投注', 1);
  expect(await stopped()).toEqual(['01']);
  await bar.getByRole('button', { name: '取消选择' }).click();
  await playWay.getByRole('checkbox').check();
  await done('停押', 1);
  await expect(playWay).toContainText('已停押');
  await playWay.getByRole('checkbox').check();
  await done('恢复投注', 1);
  await expect(playWay).toContainText('可投注');
});

test.describe('a run over several rows that is under way', () => {
  // The browser’s own question before a page is left.
  test.use({ allowedComplaints: [[/^dialog: $/], { scope: 'test' }] });

  test('is asked about before it is lost, can be stopped, and goes on where it was', async ({
    ownPage: page,
  }) => {
    const { oddsNow } = await showOdds(page, await clientOf());
    const bar = await select(page, '01', '02', '03');
    // The first row goes alone: the others wait for it.
    const { asked, letGo } = await hold(page, '**/game/odds/stop');
    await bar.getByRole('button', { name: '停押（3）', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '停押：3 行' });
    await dialog.getByRole('button', { name: '停押', exact: true }).click();
    await expect.poll(asked).toBe(1);
    // Nothing takes the run away: neither Escape, nor its tab’s end, nor a reload.
    await page.keyboard.press('Escape');
    await expect(dialog.getByRole('button', { name: '停止' })).toBeVisible();
    await expect(page.getByRole('tab', { name: /^玩法/ }).getByLabel('有未提交的内容')).toBeVisible();
    const question = page.waitForEvent('dialog');
    await page.evaluate(() => setTimeout(() => location.reload()));
    expect((await question).type()).toBe('beforeunload');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: '停止' }).click();
    letGo();
    await expect(dialog).toContainText('成功 1 行，失败 2 行，共 3 行');
    await expect(dialog.getByText('未执行')).toHaveCount(2);
    expect((await oddsNow()).filter(({ stopped }) => stopped)).toHaveLength(1);
    await dialog.getByRole('button', { name: '重试失败的 2 行' }).click();
    await expect(dialog).toContainText('成功 2 行，失败 0 行，共 2 行');
    await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
    await expect(page.getByLabel('有未提交的内容')).toHaveCount(0);
    expect((await oddsNow()).filter(({ stopped }) => stopped)).toHaveLength(4 - 1);
  });
});
