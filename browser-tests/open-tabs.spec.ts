import type { Page } from '@playwright/test';
import { addNewsCategory } from '#contract/news-categories.ts';
import { requestFor } from '#contract/request.ts';
import { expect, test } from './fixtures.ts';
import { begin, giveUp, openForm, rowOf, submit } from './forms.ts';
import { unique } from './unique.ts';

const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name });
const open = async (page: Page, folder: string, screen: string) => {
  const link = page
    .getByRole('navigation', { name: '主菜单' })
    .getByRole('link', { name: screen, exact: true });
  if (!(await link.isVisible())) {
    // What waits in a folder stands behind its name.
    const menus = page.getByRole('navigation', { name: '主菜单' });
    await menus.getByRole('button', { name: new RegExp(`^${folder}`) }).click();
  }
  await link.click();
  // What the screen before shows goes only now, and may have buttons of the same name.
  await expect(page.getByRole('tabpanel', { name: screen })).toBeVisible();
};
const menu = async (page: Page, word: string) => {
  await page.getByRole('button', { name: '页签操作' }).click();
  await page
    .getByRole('dialog', { name: '页签操作' })
    .getByRole('button', { name: word, exact: true })
    .click();
};

/** Shows a tab by its place. */
async function press(page: Page, name: string): Promise<void> {
  const titles = await page.getByRole('tab').allInnerTexts();
  await page.keyboard.press(`Alt+${titles.findIndex((title) => title.startsWith(name)) + 1}`);
  await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true');
}

/** Enough categories that their list scrolls. */
async function addCategories(page: Page, name: string): Promise<void> {
  // What it sends is signed by the session that this window holds.
  await page.goto('/main/news/category');
  const requests = Array.from({ length: 25 }, (_, index) =>
    requestFor(addNewsCategory, { name: `${name}${index}` }),
  );
  await page.evaluate(async (sent) => {
    const token = JSON.parse(localStorage.getItem('token') ?? '{}') as { access_token: string };
    const headers = { Authorization: `Bearer ${token.access_token}`, 'Content-Type': 'application/json' };
    for (const { url, method, body } of sent) await fetch(url, { method, body, headers });
  }, requests);
}

test('tabs come back after a reload with search, scroll and a half-filled form, and nothing secret is stored', async ({
  operatorPage: page,
  context,
}) => {
  test.slow();
  const name = unique('页签');
  await addCategories(page, name);
  await page.goto('/main/news/category');
  const last = rowOf(page, `${name}0`);
  await last.scrollIntoViewIfNeeded();
  const scrolled = () => page.locator('.list-box:visible').evaluate((box) => box.scrollTop);
  expect(await scrolled()).toBeGreaterThan(100);
  const before = await scrolled();

  await open(page, '用户管理', '用户管理');
  await page.getByRole('search').getByLabel('昵称').fill('nobody');
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect(page).toHaveURL(/nickName=nobody/);

  await open(page, '系统管理', '邮件配置');
  const form = await begin(
    page,
    page.getByRole('tabpanel', { name: '邮件配置' }).getByRole('button', { name: '新增', exact: true }),
    {
      texts: { 服务器地址: 'half.filled.example', 密码: 'never stored' },
    },
  );
  // Another tab: the form waits in its own.
  await tab(page, '新闻分类').click();
  await expect(form).toBeHidden();
  await expect.poll(scrolled).toBe(before);
  await press(page, '用户管理');
  await expect(page).toHaveURL(/user\/user\?nickName=nobody/);
  await tab(page, '邮件配置').click();
  await expect(form.getByLabel('服务器地址')).toHaveValue('half.filled.example');
  await expect(form.getByLabel('密码', { exact: true })).toHaveValue('never stored');

  await page.reload();
  await expect(openForm(page).getByLabel('服务器地址')).toHaveValue('half.filled.example');
  await expect(openForm(page).getByText('密码等保密内容须重新填写')).toBeVisible();
  await expect(openForm(page).getByLabel('密码', { exact: true })).toHaveValue('');
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).toContain('half.filled.example');
  expect(stored).not.toContain('never stored');
  await expect(tab(page, '邮件配置')).toContainText('●');

  await press(page, '新闻分类');
  await expect(page).toHaveURL(/news\/category/);
  // Not by the row itself: another journey may have added one above it meanwhile.
  await expect(last).toBeVisible();
  await expect.poll(scrolled).toBe(before);
  await expect.poll(scrolled).toBe(before);
  await press(page, '用户管理');
  await expect(page.getByRole('search').getByLabel('昵称')).toHaveValue('nobody');

  // A window opened anew begins with the tabs of the one used last.
  const anew = await context.newPage();
  await anew.goto('/main/user/user');
  for (const name of ['新闻分类', '用户管理', '邮件配置']) await expect(tab(anew, name)).toBeVisible();
  await anew.close();

  // Another search begins at its top, however far the tab was scrolled.
  await press(page, '新闻分类');
  await expect.poll(scrolled).toBe(before);
  await page.goto('/main/news/category?pageSize=50');
  await expect(last).toBeAttached();
  expect(await scrolled()).toBe(0);
});

test('two windows keep what is entered in each, and a window opened anew leaves open forms where they are', async ({
  operatorPage: page,
  context,
}) => {
  const [first, second, more] = [unique('第一窗'), unique('第二窗'), unique('more')];
  const stored = (window: Page) =>
    window.evaluate(() =>
      JSON.stringify(Object.entries(localStorage).filter(([key]) => /^drafts/.test(key))),
    );
  const add = (window: Page) => window.getByRole('button', { name: '新增', exact: true });
  await page.goto('/main/pms/role');
  await begin(page, add(page), { texts: { 角色名称: first } });
  await expect.poll(() => stored(page)).toContain(first);

  const beside = await context.newPage();
  await beside.goto('/main/pms/role');
  await expect(beside.getByRole('cell', { name: '超级管理员' })).toBeVisible();
  await expect(openForm(beside)).toHaveCount(0);
  await expect(tab(beside, '角色管理')).not.toContainText('●');
  await begin(beside, add(beside), { texts: { 角色名称: second } });
  await expect.poll(() => stored(page)).toContain(second);
  expect(await stored(page)).toContain(first);
  await openForm(page).getByLabel('角色标识').fill(more);
  await expect.poll(() => stored(page)).toContain(more);
  expect(await stored(page)).toContain(second);

  await page.reload();
  await expect(openForm(page).getByLabel('角色名称')).toHaveValue(first);
  await beside.reload();
  await expect(openForm(beside).getByLabel('角色名称')).toHaveValue(second);
  await giveUp(openForm(page));
  await beside.reload();
  await expect(openForm(beside).getByLabel('角色名称')).toHaveValue(second);
  // What a closed window had is found by the next.
  // The browser closes it in its own time; only then it is said of its draft that no window has it.
  await beside.close({ runBeforeUnload: true });
  await expect.poll(() => stored(page)).toMatch(new RegExp(`${second}.*openUntil\\W+0`));
  await page.reload();
  await expect(openForm(page).getByLabel('角色名称')).toHaveValue(second);
  await giveUp(openForm(page));
  await expect.poll(() => stored(page)).not.toContain(second);
});

test('two copies of a screen stand side by side, and tabs can be pinned, moved and closed', async ({
  operatorPage: page,
}) => {
  await page.goto('/main/user/account?userId=1');
  await expect(page.getByRole('search').getByLabel('用户编号')).toHaveValue('1');
  await menu(page, '复制页签');
  // The one that was shown goes only now, and has fields of the same name.
  await expect(tab(page, '账户管理 1').nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('search').getByLabel('用户编号').fill('2');
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect(tab(page, '账户管理 2')).toHaveAttribute('aria-selected', 'true');
  await expect(tab(page, '账户管理 1')).toBeVisible();
  await tab(page, '账户管理 1').click();
  await expect(page).toHaveURL(/userId=1/);
  await page.goBack();
  await expect(page).toHaveURL(/userId=2/);
  await expect(tab(page, '账户管理 2')).toHaveAttribute('aria-selected', 'true');

  // By keyboard each copy goes on where it was left; one that was not used yet begins with what it is.
  const field = page.getByRole('search').getByLabel('用户编号');
  await field.focus();
  const copies = await page.getByRole('tab').allInnerTexts();
  const place = (of: number) => copies.findIndex((title) => new RegExp(`账户管理\\s*${of}`).test(title)) + 1;
  await page.keyboard.press(`Alt+${place(1)}`);
  await expect(page.getByRole('tabpanel', { name: '账户管理' })).toBeFocused();
  await page.keyboard.press(`Alt+${place(2)}`);
  await expect(field).toBeFocused();

  // Dragged to the front, and back by the menu.
  await tab(page, '账户管理 2').dragTo(page.getByRole('tab').first());
  const names = () => page.getByRole('tab').allInnerTexts();
  await expect.poll(async () => (await names())[0]).toContain('账户管理');
  await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true');
  await menu(page, '右移');
  await expect(page.getByRole('tab').nth(1)).toHaveAttribute('aria-selected', 'true');
  await menu(page, '左移');
  await menu(page, '固定页签');
  expect((await names())[0]).toContain('账户管理');
  expect((await names()).at(-1)).toContain('账户管理');
  // Pinned ones stay in front, and the first of the others has nowhere to go.
  await page.getByRole('tab').nth(1).click();
  await page.getByRole('button', { name: '页签操作' }).click();
  const items = page.getByRole('dialog', { name: '页签操作' });
  await expect(items.getByRole('button', { name: '关闭', exact: true })).toBeVisible();
  await expect(items.getByRole('button', { name: '左移' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('tab').first().click();
  // One that is closed by keyboard leaves it to the next.
  await menu(page, '复制页签');
  const selected = page.getByRole('tab', { selected: true });
  await expect(page.getByRole('tab')).toHaveCount(3);
  await selected.press('Delete');
  await expect(page.getByRole('tab')).toHaveCount(2);
  await expect(selected).toBeFocused();
  await page.getByRole('tab').first().click();
  await menu(page, '关闭其他');
  await expect(page.getByRole('tab')).toHaveCount(1);
  await expect(page).toHaveURL(/userId=2/);
  await page.reload();
  await expect(page.getByRole('tab')).toHaveCount(1);
  await expect(page.getByRole('tab', { name: '已固定' })).toBeVisible();
});

test('a click in one tab reaches no field of the same name in another', async ({ operatorPage: page }) => {
  const copy = async (name: string) => {
    await menu(page, '复制页签');
    await expect(tab(page, name).nth(1)).toHaveAttribute('aria-selected', 'true');
  };
  await page.goto('/main/other/safe');
  await expect(page.getByText('旧密码', { exact: true })).toBeVisible();
  await copy('安全中心');
  await page.getByText('旧密码', { exact: true }).filter({ visible: true }).click();
  await page.keyboard.type('first password');
  await expect(page.getByLabel('旧密码').filter({ visible: true })).toHaveValue('first password');

  await page.goto('/main/pms/role');
  const tree = page.getByRole('group', { name: '菜单' });
  const box = tree.getByRole('checkbox', { name: '系统管理' });
  const assign = () => page.getByRole('button', { name: '分配菜单' }).first().click();
  await assign();
  const before = await box.isChecked();
  await copy('角色管理');
  await expect(tree).toBeHidden();
  await assign();
  await tree.getByText('系统管理', { exact: true }).click();
  await expect(box).toBeChecked({ checked: !before });
  await tab(page, '角色管理').first().click();
  await expect(tab(page, '角色管理').first()).toHaveAttribute('aria-selected', 'true');
  // What was open in the tab that is left goes a moment after it.
  await expect(box).toHaveCount(1);
  await expect(box).toBeChecked({ checked: before });
});

test('closing a tab or a form with something entered asks first', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/role');
  await open(page, '新闻管理', '新闻分类');
  const name = unique('未提交');
  const add = page.getByRole('button', { name: '新增', exact: true });
  const form = await begin(page, add, { texts: { 分类名称: name } });
  await form.getByRole('button', { name: '取消' }).click();
  await expect(form.getByRole('alert')).toContainText('尚未提交');
  await form.getByRole('button', { name: '继续填写' }).click();
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: '放弃' }).click();
  await expect(form).toBeHidden();
  await begin(page, add, { texts: { 分类名称: name } });
  await press(page, '角色管理');
  await expect(tab(page, '新闻分类')).toContainText('●');
  await tab(page, '新闻分类').focus();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: /尚未提交/ });
  await question.getByRole('button', { name: '取消' }).click();
  await tab(page, '新闻分类').click();
  await expect(openForm(page).getByLabel('分类名称')).toHaveValue(name);
  await submit(openForm(page));
  await expect(tab(page, '新闻分类')).not.toContainText('●');
  await tab(page, '新闻分类').press('Delete');
  await expect(tab(page, '新闻分类')).toHaveCount(0);
});
