import { generateDrawPlans } from '#contract/draw-plans.ts';
import { listGames, updateGamePhase } from '#contract/games.ts';
import { addDays, dayOf } from '#server/platform-days.ts';
import { dialogs, examine } from './axe.ts';
import { clientOf, expect, test } from './fixtures.ts';
import { enter, fill, giveUp, rowOf } from './forms.ts';

test('a preset comes in whole, gets plans, and goes after naming what goes with it', async ({
  operatorPage: page,
}) => {
  const name = `快乐8 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), {
    texts: { 游戏名称: name },
    choices: { 模板: '快乐8' },
  });
  const row = rowOf(page, name);
  await expect(row.getByRole('button', { name: `启用游戏“${name}”` })).toHaveText('未启用');
  await expect(row.getByRole('button', { name: `开放“${name}”的投注` })).toHaveText('未启用');
  // Both switches stand beside the actions, not under them, on a screen of 1280 px.
  const [toggle, actions] = await Promise.all([
    row.getByRole('button', { name: `开放“${name}”的投注` }).boundingBox(),
    row.getByRole('cell').last().boundingBox(),
  ]);
  expect((toggle?.x ?? 0) + (toggle?.width ?? 0)).toBeLessThanOrEqual(actions?.x ?? 0);
  await row.getByRole('button', { name: /开奖计划/ }).click();
  await page.getByRole('button', { name: '重新生成明日计划' }).click();
  const plans = page.getByRole('dialog').filter({ hasText: `${name}：明日计划` });
  await expect(plans.getByRole('row', { name: /新增 1 日程中还没有计划的期次/ })).toBeVisible();
  await examine(page, 'plans to be made', { within: dialogs });
  // Somebody else makes the same plans meanwhile: nothing is done, and what stands there is what would be done now.
  const tomorrow = addDays(dayOf(Date.now() / 1000, 'Asia/Shanghai'), 1);
  const admin = await clientOf();
  const games = (await admin.call(listGames, {})).envelope.data ?? [];
  const [gameId = 0] = games.filter((game) => game.name === name).map(({ id }) => id);
  const window = { gameId, beginDate: `${tomorrow} 00:00:00`, endDate: `${tomorrow} 23:59:59` };
  expect((await admin.call(generateDrawPlans, window)).envelope.data).toBe(1);
  await plans.getByRole('button', { name: '重新生成' }).click();
  await expect(page.getByText('预览之后情况已变化，没有生成任何计划，请重新预览')).toBeVisible();
  await expect(plans.getByRole('row', { name: /保留 1 与日程一致/ })).toBeVisible();
  await expect(plans.getByRole('row', { name: /新增/ })).toHaveCount(0);
  await plans.getByRole('button', { name: '重新生成' }).click();
  await expect(page.getByText(/1 期/).first()).toBeVisible();
  await row.getByRole('button', { name: '删除', exact: true }).last().click();
  const dialog = page.getByRole('dialog').filter({ hasText: '删除游戏' });
  await expect(
    dialog.getByText(/将一并删除：89 个号码、13 个投注维度、13 个玩法（含赔率）、1 个开奖计划。/),
  ).toBeVisible();
  await examine(page, 'a game to be deleted', { within: dialogs });
  await dialog.getByRole('button', { name: '删除' }).click();
  await expect(row).toHaveCount(0);
});

test('a phase begins empty, a betting time goes after a confirm, and an overlap is told at its field', async ({
  operatorPage: page,
}) => {
  const name = `PC28 ${Date.now().toString(36)}`;
  await page.goto('/main/game/lottery');
  await fill(page, page.getByRole('button', { name: '从模板新增' }), {
    texts: { 游戏名称: name },
    choices: { 模板: 'PC28' },
  });
  const row = rowOf(page, name);
  // Somebody else sets the phase meanwhile: the form tells of the one that stands, and sends none that was not typed.
  const admin = await clientOf();
  const games = (await admin.call(listGames, {})).envelope.data ?? [];
  const [id = 0] = games.filter((game) => game.name === name).map((game) => game.id);
  await admin.call(updateGamePhase, { id, phase: '7654321' });
  await row.getByRole('button', { name: /^更多/ }).click();
  await page.getByRole('button', { name: '更新期号' }).click();
  const phase = page.getByRole('dialog').filter({ hasText: '提交' });
  await expect(phase).toContainText(/当前期号\s*76543\d\d/);
  await phase.getByRole('button', { name: '提交' }).click();
  await expect(phase.getByText('期号不能为空')).toBeVisible();
  await giveUp(phase);
  await row.getByRole('button', { name: /^更多/ }).click();
  await page.getByRole('button', { name: '新增投注时间' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '提交' });
  await enter(dialog, '开始时间', '22:00:00');
  await enter(dialog, '结束时间', '02:00:00');
  await dialog.getByRole('button', { name: '提交' }).click();
  await expect(dialog.getByText('投注时间 22:00:00-02:00:00 与 09:00:00-23:55:00 重叠')).toBeVisible();
  await giveUp(dialog);
  await row.getByRole('button', { name: '删除投注时间 09:00:00-23:55:00' }).click();
  await expect(page.getByText('确定删除投注时间 09:00:00-23:55:00 吗？')).toBeVisible();
  await page.getByRole('button', { name: '删除', exact: true }).last().click();
  await expect(row.getByText('09:00:00-23:55:00')).toHaveCount(0);

  await row.getByRole('button', { name: /^更多/ }).click();
  await fill(page, page.getByRole('button', { name: '新增投注时间' }), {
    texts: { 开始时间: '20:00:00', 结束时间: '22:00:00' },
    choices: { 星期: ['周二', '周四'] },
  });
  await expect(row).toContainText('20:00:00-22:00:00周二、周四');
  await row.getByRole('button', { name: '删除投注时间 周二、周四 20:00:00-22:00:00' }).click();
  await expect(page.getByText('确定删除投注时间 周二、周四 20:00:00-22:00:00 吗？')).toBeVisible();
});
