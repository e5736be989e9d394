import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { reviewDeposit } from '#contract/deposits.ts';
import { placeWithdrawal } from '#contract/platform.ts';
import { addRole } from '#contract/roles.ts';
import { clientOf, expect, signIn, site, test } from './fixtures.ts';
import { rows, unlocked } from './forms.ts';
import { hold } from './hold.ts';
import { newOperator, newRole } from './operators.ts';
import { waitingDeposits } from './orders.ts';
import { unique } from './unique.ts';

const DEPOSITS = '/main/user/deposit-record';

test('30 orders are rejected at once; the two decided meanwhile are told and can be tried again', async ({
  ownPage: page,
}) => {
  const { userId, ids } = await waitingDeposits(30);
  await page.goto(`${DEPOSITS}?userId=${userId}&pageSize=50`);
  await expect(rows(page)).toHaveCount(30);
  await page.getByRole('button', { name: '多选' }).click();
  await page.getByRole('checkbox', { name: '全选' }).check();
  const bar = page.getByRole('region', { name: '批量操作' });
  await expect(bar).toContainText('已选 30 行');
  await expect(bar).toContainText('465.00');
  const admin = await clientOf();
  for (const id of ids.slice(0, 2))
    await admin.call(reviewDeposit, { id, action: 'REJECT', remark: '先处理' });
  await bar.getByRole('button', { name: '拒绝（30）' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '拒绝：30 行' });
  await dialog.getByRole('button', { name: '拒绝' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('备注不能为空');
  await dialog.getByLabel('备注').fill('批量拒绝');
  await dialog.getByRole('button', { name: '拒绝' }).click();
  await expect(dialog).toContainText('成功 28 行，失败 2 行，共 30 行');
  const outcomes = dialog.getByRole('list', { name: '每行的结果' }).getByRole('listitem');
  await expect(outcomes.filter({ hasText: '该订单已处理' })).toHaveCount(2);
  await dialog.getByRole('button', { name: '重试失败的 2 行' }).click();
  await expect(dialog).toContainText('成功 0 行，失败 2 行，共 2 行');
  await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
  await expect(rows(page).filter({ hasText: '已拒绝' })).toHaveCount(30);
  await expect(bar).toContainText('已选 2 行');
  await page.getByRole('button', { name: '多选' }).click();
  await expect(page.getByRole('checkbox', { name: '全选' })).toHaveCount(0);
});

test('rows stay where they are under the mouse when what is done with several of them comes later', async ({
  ownPage: page,
}) => {
  const { letGo } = await hold(page, '**/assets/BulkBar-*.js');
  await page.goto(DEPOSITS);
  await expect(rows(page).first()).toBeVisible();
  await page.getByRole('button', { name: '多选' }).click();
  const all = page.getByRole('checkbox', { name: '全选' });
  await expect(all).toBeVisible();
  const place = await all.boundingBox();
  letGo();
  await expect(page.getByRole('region', { name: '批量操作' })).toBeVisible();
  expect(await all.boundingBox()).toEqual(place);
});

test('a selection grows page by page, ends with another search, and is shown before anything is done to it', async ({
  ownPage: page,
}) => {
  const { userId } = await waitingDeposits(22);
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await expect(rows(page)).toHaveCount(20);
  await page.getByRole('button', { name: '多选' }).click();
  const all = page.getByRole('checkbox', { name: '全选' });
  const bar = page.getByRole('region', { name: '批量操作' });
  await all.check();
  await expect(bar).toContainText('已选 20 行');
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=amount/);
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await page.getByRole('columnheader', { name: '金额', exact: true }).getByRole('button').click();
  await expect(page).not.toHaveURL(/sort=/);
  await page.getByRole('button', { name: '下一页' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(bar).toContainText('已选 20 行');
  await all.check();
  await expect(bar).toContainText('已选 22 行');
  await all.uncheck();
  await expect(bar).toContainText('已选 20 行');
  await all.check();
  await bar.getByRole('button', { name: '通过（22）' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '通过：22 行' });
  const chosen = dialog.getByRole('list', { name: '所选的行' }).getByRole('listitem');
  await expect(chosen).toHaveCount(22);
  await expect(chosen.filter({ hasText: '22.00' })).toHaveCount(1);
  await expect(dialog.getByRole('group', { name: '所选合计' })).toContainText('253.00');
  await dialog.getByRole('button', { name: '取消' }).click();
  await expect(dialog).toBeHidden();

  await page.getByLabel('三方单号', { exact: true }).fill('没有这个单号');
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
  await expect(bar).toContainText('已选 0 行');
  await page.getByRole('button', { name: '重置' }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(bar).toContainText('已选 0 行');
  // Rows stay under the mouse that selects the first of them.
  const top = async () => (await rows(page).first().boundingBox())?.y;
  const before = await top();
  await rows(page).first().getByRole('checkbox').check();
  await expect(bar.getByRole('button', { name: '取消选择' })).toBeVisible();
  expect(await top()).toBe(before);
  await bar.getByRole('button', { name: '取消选择' }).click();
  await page.getByRole('button', { name: '多选' }).click();
});

test('the box and the arrow of a row say whose they are; rows done by keyboard leave the keyboard in their dialog', async ({
  ownPage: page,
}) => {
  const { userId, ids } = await waitingDeposits(2);
  // The dialog is pressed while it still glides into its place.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await page.getByRole('button', { name: '多选' }).click();
  const first = rows(page).first();
  const box = first.getByRole('checkbox', { name: '选择第 1 行' });
  await expect(box).toHaveAccessibleDescription(`订单编号 ${ids[1]}`);
  await expect(first.getByRole('button', { name: '展开' })).toHaveAccessibleDescription(`订单编号 ${ids[1]}`);
  await page.getByRole('checkbox', { name: '全选' }).check();
  await page.getByRole('region', { name: '批量操作' }).getByRole('button', { name: '通过（2）' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: '通过：2 行' });
  await dialog.getByRole('button', { name: '通过', exact: true }).press('Enter');
  await expect(dialog.getByRole('progressbar', { name: '进度' })).toBeFocused();
  // How it ended is read out, and not each row as it ends.
  await expect(dialog.getByRole('status')).toHaveText('执行完毕，没有失败');
  await expect(dialog.locator('[aria-live] li, [role="status"] li')).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(dialog.locator('.form-buttons').getByRole('button', { name: '关闭' })).toBeFocused();
  // The list behind is read anew, at whatever moment, and locks the screen meanwhile.
  await expect(async () => {
    await unlocked(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden({ timeout: 5_000 });
  }).toPass();
});

test('what the buttons of a row do is done to several: orders passed and marked, operators disabled and enabled, rows deleted', async ({
  page,
}) => {
  const admin = await clientOf();
  const role = await newRole(admin, [
    ...[DEPOSITS, '/main/user/withdraw-record', '/main/pms/operator', 'pms:operator:disable'],
    ...['/main/pms/role', 'pms:role:delete'],
  ]);
  const { userId } = await waitingDeposits(2);
  const mark = unique();
  for (const n of [1, 2]) {
    await newOperator(admin, [], { username: `bulk-${mark}-${n}` });
    await admin.call(addRole, { desc: `批量${mark}-${n}`, name: `bulk-${mark}-${n}` });
  }
  await signIn(page, await newOperator(admin, [role]));
  const bar = page.getByRole('region', { name: '批量操作' });
  const done = async (word: string, fill = async (_dialog: Locator) => {}) => {
    const all = page.getByRole('checkbox', { name: '全选' });
    if ((await all.count()) === 0) await page.getByRole('button', { name: '多选' }).click();
    await all.check();
    await bar.getByRole('button', { name: `${word}（2）`, exact: true }).click();
    const dialog = page.getByRole('dialog').filter({ hasText: `${word}：2 行` });
    await fill(dialog);
    await dialog.getByRole('button', { name: word, exact: true }).click();
    await expect(dialog).toContainText('成功 2 行，失败 0 行，共 2 行');
    await dialog.locator('.form-buttons').getByRole('button', { name: '关闭' }).click();
    await expect(dialog).toBeHidden();
  };
  const open = async (path: string) => {
    await page.goto(path);
    await expect(rows(page)).toHaveCount(2);
  };

  await open(`${DEPOSITS}?userId=${userId}`);
  await done('通过');
  await expect(rows(page).filter({ hasText: '已通过' })).toHaveCount(2);
  for (const amount of ['1', '2']) {
    const order = { userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '6222' } };
    expect((await site().call(placeWithdrawal, order)).envelope.success).toBe(true);
  }
  await open(`/main/user/withdraw-record?userId=${userId}`);
  await done('已打款', async (dialog) => {
    await dialog.getByLabel('付款人姓名').fill('公司');
    await dialog.getByLabel('付款账号').fill('6222');
  });
  await expect(rows(page).filter({ hasText: '已打款' })).toHaveCount(2);
  await open(`/main/pms/operator?userName=bulk-${mark}`);
  await done('停用');
  await expect(rows(page).filter({ hasText: '停用' })).toHaveCount(2);
  await done('启用');
  await expect(rows(page).filter({ hasText: '停用' })).toHaveCount(0);
  await open(`/main/pms/role?desc=批量${mark}`);
  await done('删除');
  await expect(page.getByText('没有符合条件的记录')).toBeVisible();
});

test('what is entered for several rows outlives a reload, and is asked about before it is lost', async ({
  ownPage: page,
}) => {
  const { userId } = await waitingDeposits(2);
  await page.goto(`${DEPOSITS}?userId=${userId}`);
  await expect(rows(page)).toHaveCount(2);
  const begin = async () => {
    await page.getByRole('checkbox', { name: '全选' }).check();
    const bar = page.getByRole('region', { name: '批量操作' });
    await bar.getByRole('button', { name: '拒绝（2）' }).click();
    return page.getByRole('dialog').filter({ hasText: '拒绝：2 行' });
  };
  await page.getByRole('button', { name: '多选' }).click();
  const dialog = await begin();
  await dialog.getByLabel('备注').fill('名字不符');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: '继续填写' }).click();
  await expect(page.getByRole('tab', { name: /充值/ }).getByLabel('有未提交的内容')).toBeVisible();
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect((await begin()).getByLabel('备注')).toHaveValue('名字不符');
  await dialog.getByRole('button', { name: '取消' }).click();
  await dialog.getByRole('button', { name: '放弃' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('有未提交的内容')).toHaveCount(0);
  await page.getByRole('button', { name: '多选' }).click();
});
