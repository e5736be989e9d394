import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

/** A picked time counts once it is confirmed in its picker. */
async function enter(dialog: Locator, label: string, value: string) {
  const input = dialog.getByLabel(label, { exact: true });
  await input.click();
  await input.fill(value);
  if (!label.endsWith('时间')) return;
  const confirm = dialog.page().locator('.ant-picker-dropdown:visible').getByRole('button', { name: '确定' });
  await confirm.click();
  await expect(confirm).toBeHidden();
}

/** Opens a form by its button, fills it in and sends it. */
async function fill(
  page: Page,
  open: Locator,
  values: Record<string, string>,
  choices: Record<string, string> = {},
) {
  await open.click();
  const dialog = page.getByRole('dialog').filter({ hasText: '提交' });
  for (const [label, value] of Object.entries(values)) await enter(dialog, label, value);
  for (const [label, option] of Object.entries(choices)) await choose(page, dialog.getByLabel(label), option);
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog).toBeHidden();
}

/** Picks from a select by typing what is looked for; a list to pick several from stays open until clicked beside. */
async function choose(page: Page, select: Locator, option: string) {
  await select.fill(option);
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click();
  await page.locator('.dialog-title').click();
}

test('a PK10 is built by hand, from its category to its odds', async ({ operatorPage: page }) => {
  test.slow();
  const mark = Date.now().toString(36);
  const game = `手工PK10 ${mark}`;

  await page.goto('/main/game/game-category');
  await fill(page, page.getByRole('button', { name: '新增' }), { 分类名称: `赛车 ${mark}` });
  await expect(rowOf(page, `赛车 ${mark}`)).toBeVisible();

  await page.goto('/main/game/lottery');
  await fill(
    page,
    page.getByRole('button', { name: '新增', exact: true }).first(),
    { 游戏名称: game, 开奖间隔秒数: '300', 封盘秒数: '30', 规则说明: '第一行\n第二行', 期号: '0700001' },
    { 游戏分类: `赛车 ${mark}` },
  );
  await page.getByLabel('游戏名称').fill(game);
  await page.getByRole('button', { name: '搜索' }).click();
  await expect(rowOf(page, game)).toHaveCount(1);
  await expect(rowOf(page, game)).toContainText('0700001');

  const add = async (what: string) => {
    await rowOf(page, game).getByRole('button', { name: /^更多/ }).click();
    return page.getByRole('button', { name: what });
  };
  await fill(page, await add('新增投注时间'), { 开始时间: '09:02:45', 结束时间: '23:57:45' });
  await expect(rowOf(page, game)).toContainText('09:02:45-23:57:45');
  for (const number of ['大', '小', '1', '2']) await fill(page, await add('新增号码'), { 号码: number });
  await fill(
    page,
    await add('新增投注维度'),
    { 投注维度名称: '冠军大小', 结果位置: '0', 处理器参数: '{"from": 6}' },
    { 结果处理器: 'BigSmallHandler' },
  );
  await fill(page, await add('新增玩法分类'), { 玩法分类名称: `两面 ${mark}` });

  await rowOf(page, game)
    .getByRole('button', { name: `启用游戏“${game}”` })
    .click();
  await expect(rowOf(page, game).getByRole('button', { name: `停用游戏“${game}”` })).toBeVisible();
  await rowOf(page, game).getByRole('button', { name: '展开' }).click();
  await expect(page.getByText('第一行')).toBeVisible();

  await page.goto('/main/game/playway-category?pageSize=200');
  await fill(page, rowOf(page, `两面 ${mark}`).getByRole('button', { name: '新增子分类' }), {
    玩法分类名称: `冠军 ${mark}`,
  });
  await rowOf(page, `两面 ${mark}`).getByRole('button', { name: '展开' }).click();
  await fill(
    page,
    rowOf(page, `冠军 ${mark}`).getByRole('button', { name: '新增玩法' }),
    { 玩法名称: `冠军大小 ${mark}`, 显示赔率: '1.985' },
    { 投注维度: '冠军大小' },
  );

  await page.goto('/main/game/playway');
  const playWay = rowOf(page, `冠军大小 ${mark}`);
  await playWay.getByRole('button', { name: '新增赔率' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '提交' });
  for (const number of ['大', '小']) await choose(page, dialog.getByLabel('号码'), number);
  await dialog.getByLabel('赔率', { exact: true }).fill('1.985');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(playWay).toContainText('1.0075');
  await playWay.getByRole('button', { name: '展开' }).click();
  await expect(page.getByRole('cell', { name: '1.985' })).toHaveCount(3);

  await page.goto(`/main/game/bet-latitude`);
  await rowOf(page, game).getByRole('button', { name: '预览' }).click();
  await expect(page.getByText('还没有开奖记录')).toBeVisible();
});

test('a preset comes in whole, gets plans, and goes after naming what goes with it', async ({
  operatorPage: page,
}) => {
  const name = `快乐8 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), { 游戏名称: name }, { 模板: '快乐8' });
  const row = rowOf(page, name);
  await expect(row).toContainText('未启用');
  await expect(row).toContainText('未开启');
  await row.getByRole('button', { name: /开奖计划/ }).click();
  await page.getByRole('button', { name: '重新生成明日计划' }).click();
  const question = page.getByText('确定重新生成');
  await expect(question).toBeVisible();
  await page.getByRole('button', { name: '重新生成明日计划' }).last().click();
  await expect(page.getByText(/1 期/).first()).toBeVisible();
  await row.getByRole('button', { name: '删除', exact: true }).last().click();
  const dialog = page.getByRole('dialog').filter({ hasText: '删除游戏' });
  await expect(
    dialog.getByText(/将一并删除：89 个号码、4 个投注维度、4 个玩法（含赔率）、1 个开奖计划。/),
  ).toBeVisible();
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(row).toHaveCount(0);
});

test('a betting time goes after a confirm, and an overlap is told at its field', async ({
  operatorPage: page,
}) => {
  const name = `PC28 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), { 游戏名称: name }, { 模板: 'PC28' });
  const row = rowOf(page, name);
  await row.getByRole('button', { name: /^更多/ }).click();
  await page.getByRole('button', { name: '新增投注时间' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '提交' });
  await enter(dialog, '开始时间', '22:00:00');
  await enter(dialog, '结束时间', '02:00:00');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByText('投注时间 22:00:00-02:00:00 与 09:00:00-23:55:00 重叠')).toBeVisible();
  await dialog.getByRole('button', { name: '取消' }).click();
  await row.getByRole('button', { name: '删除投注时间 09:00:00-23:55:00' }).click();
  await page.getByRole('button', { name: '删除', exact: true }).last().click();
  await expect(row.getByText('09:00:00-23:55:00')).toHaveCount(0);
});
