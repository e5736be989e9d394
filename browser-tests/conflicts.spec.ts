import type { Browser, Locator, Page } from '@playwright/test';
import { listGames, updateGame } from '#contract/games.ts';
import { listMenus } from '#contract/menus.ts';
import { addRole, bindRoleMenus, listRoles } from '#contract/roles.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { given } from '#server/testing/given.ts';
import { dialogs, examine } from './axe.ts';
import { clientOf, expect, firstOperator, giveSession, test } from './fixtures.ts';
import { begin, fill, openForm, rowOf, submit } from './forms.ts';
import { unique } from './unique.ts';

const addButton = (page: Page) => page.getByRole('button', { name: '新增', exact: true });
const editButton = (page: Page, text: string) => rowOf(page, text).getByRole('button', { name: '编辑' });

/** Another window, with a session of its own. */
async function secondOperator(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: process.env.CONSOLE_ORIGIN ?? '' });
  await giveSession(context, firstOperator);
  return context.newPage();
}

async function addCategory(page: Page, name: string): Promise<void> {
  await page.goto('/main/news/category');
  await fill(page, addButton(page), { texts: { 分类名称: name } });
}

const keep = (form: Locator, field: string, side: '保留我的' | '采用对方的') =>
  form.getByRole('radio', { name: `${field}：${side}`, exact: true });

test('two operators edit one row: one keeps a field, takes another, and loses nothing', async ({
  operatorPage: page,
  browser,
}) => {
  // Two windows, three forms.
  test.slow();
  const [mine, theirs] = [unique('分类甲'), unique('分类乙')];
  await addCategory(page, mine);
  await addCategory(page, theirs);
  const title = unique('同时编辑的新闻 ');
  await page.goto('/main/news/news');
  await fill(page, addButton(page), {
    texts: { 标题: title, 内容: '第一行\n第二行' },
    choices: { 新闻分类: mine },
  });
  const other = await secondOperator(browser);
  await other.goto('/main/news/news');
  const form = await begin(page, editButton(page, title), {
    texts: { 标题: `${title}（我的）`, 内容: '我写的内容' },
  });
  await fill(other, editButton(other, title), {
    texts: { 标题: `${title}（对方的）` },
    choices: { 新闻分类: theirs },
  });

  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByRole('alert').filter({ hasText: '其他人修改了这条记录' })).toBeVisible();
  const line = (label: string) => form.getByRole('row').filter({ hasText: label });
  // What both changed is open; what only one changed is that one's. Names stand for ids.
  await expect(line('标题')).toContainText('双方都改过');
  await expect(keep(form, '标题', '保留我的')).not.toBeChecked();
  await expect(keep(form, '标题', '采用对方的')).not.toBeChecked();
  await expect(line('新闻分类')).toContainText(theirs);
  await expect(line('新闻分类')).toContainText(mine);
  await expect(keep(form, '新闻分类', '采用对方的')).toBeChecked();
  await expect(keep(form, '内容', '保留我的')).toBeChecked();
  await expect(form.getByText('重要', { exact: true })).toHaveCount(0);
  await examine(page, 'a conflict', { within: dialogs });

  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByRole('alert').filter({ hasText: '双方都改过' })).toBeVisible();
  await keep(form, '标题', '保留我的').check();
  await submit(form);
  const row = rowOf(page, `${title}（我的）`);
  await expect(row).toContainText(theirs);
  await row.getByRole('button', { name: /展开/ }).click();
  await expect(page.getByText('我写的内容')).toBeVisible();
  await other.context().close();
});

test('a conflict can be decided all at once, or gone back from to go on typing', async ({
  operatorPage: page,
  browser,
}) => {
  const key = unique('own.key');
  await page.goto('/main/system/params-setting');
  await fill(page, addButton(page), { texts: { 参数名称: '原名', 参数键: key, 参数值: '原值' } });
  const other = await secondOperator(browser);
  await other.goto('/main/system/params-setting');
  const form = await begin(page, editButton(page, key), { texts: { 参数名称: '我的名', 参数值: '我的值' } });
  await fill(other, editButton(other, key), { texts: { 参数名称: '对方的名', 参数值: '对方的值' } });
  await form.getByRole('button', { name: '提交' }).click();
  await form.getByRole('button', { name: '全部采用对方的' }).click();
  await expect(keep(form, '参数名称', '采用对方的')).toBeChecked();
  await form.getByRole('button', { name: '全部保留我的' }).click();
  await keep(form, '参数值', '采用对方的').check();
  await form.getByRole('button', { name: '返回表单' }).click();
  await expect(form.getByLabel('参数名称')).toHaveValue('我的名');
  await expect(form.getByLabel('参数值')).toHaveValue('对方的值');
  await form.getByLabel('参数值').fill('再改的值');
  await submit(form);
  await expect(rowOf(page, key)).toContainText('我的名');
  await expect(rowOf(page, key)).toContainText('再改的值');
  await other.context().close();
});

test('a value that is made of others is told in words on both sides', async ({ operatorPage: page }) => {
  const admin = await clientOf();
  const { name, gameId } = await buildPlayWay(admin, ['01', '02']);
  await page.goto(`/main/game/lottery?name=${encodeURIComponent(name)}`);
  const form = await begin(page, editButton(page, name), { texts: { 封盘秒数: '20' } });
  const games = (await admin.call(listGames, {})).envelope.data ?? [];
  const game = given(games.find(({ id }) => id === gameId));
  const { id, version, categoryId, openRate, stopBetSecond } = game;
  const resultRule = { parts: [{ count: 1, of: ['01', '02'], repeat: true, ordered: true }] };
  const theirs = { id, version, name, categoryId, openRate, stopBetSecond, resultRule };
  expect((await admin.call(updateGame, theirs)).envelope.success).toBe(true);
  await form.getByRole('button', { name: '提交' }).click();
  const line = form.getByRole('row', { name: /^开奖结果/ });
  await expect(line).toContainText('结果组成：个数：1，号码范围：01、02，可重复：否，分先后：是');
  await expect(line).toContainText('结果组成：个数：1，号码范围：01、02，可重复：是，分先后：是');
});

test('what others changed in none of the form’s fields asks nothing', async ({
  operatorPage: page,
  browser,
}) => {
  const name = unique('分类');
  await addCategory(page, name);
  const other = await secondOperator(browser);
  await other.goto('/main/news/category');
  const same = `${name}同`;
  const form = await begin(page, editButton(page, name), { texts: { 分类名称: same } });
  await fill(other, editButton(other, name), { texts: { 分类名称: same } });
  await submit(form);
  await expect(rowOf(page, same)).toBeVisible();
  await other.context().close();
});

test('a row that was deleted meanwhile is told of, and what was typed stays to be copied', async ({
  operatorPage: page,
  browser,
}) => {
  const name = unique('将删');
  await addCategory(page, name);
  const other = await secondOperator(browser);
  await other.goto('/main/news/category');
  const form = await begin(page, editButton(page, name), { texts: { 分类名称: `${name}改` } });
  await rowOf(other, name).getByRole('button', { name: '删除' }).click();
  await other.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(rowOf(other, name)).toHaveCount(0);
  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByText('记录不存在')).toBeVisible();
  await expect(openForm(page).getByLabel('分类名称')).toHaveValue(`${name}改`);
  await other.context().close();
});

test('rights that somebody else took meanwhile are not given back unseen', async ({ operatorPage: page }) => {
  const admin = await clientOf();
  const name = unique('role');
  const rid = given((await admin.call(addRole, { desc: name, name })).envelope.data);
  const folders = given((await admin.call(listMenus, {})).envelope.data);
  const news = given(folders.find(({ title }) => title === '新闻管理')?.childrens.map(({ id }) => id));
  await admin.call(bindRoleMenus, { rid, menuIds: news });

  await page.goto(`/main/pms/role?name=${name}`);
  await rowOf(page, name).getByRole('button', { name: '分配菜单' }).click();
  const form = openForm(page);
  const tree = form.getByRole('group', { name: '菜单' });
  await tree.getByRole('button', { name: '展开权限管理' }).click();
  await tree.getByRole('checkbox', { name: '菜单管理' }).check();
  await admin.call(bindRoleMenus, { rid, menuIds: [], seen: news });

  await form.getByRole('button', { name: '提交' }).click();
  await expect(form.getByRole('row').filter({ hasText: '菜单' })).toContainText('双方都改过');
  await keep(form, '菜单', '采用对方的').check();
  await submit(form);
  const [role] = given((await admin.call(listRoles, { name })).envelope.data);
  expect(role?.hasMenus).toEqual([]);
});
