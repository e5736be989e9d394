import type { Locator, Page } from '@playwright/test';
import { listMenus } from '#contract/menus.ts';
import { addOperator as addOperatorCall, bindOperatorRoles } from '#contract/operators.ts';
import { addRole as addRoleCall, bindRoleMenus } from '#contract/roles.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { dialogs, examine } from './axe.ts';
import { clientOf, expect, signIn, test } from './fixtures.ts';
import { giveUp, rowOf } from './forms.ts';
import { unique } from './unique.ts';

const form = (page: Page): Locator => page.getByRole('dialog');
const submit = async (page: Page) => {
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page)).toHaveCount(0);
};

async function addRole(page: Page, desc: string): Promise<void> {
  await page.goto('/main/pms/role');
  await page.getByRole('button', { name: '新增' }).click();
  await expect(form(page).getByText('编辑', { exact: true })).toBeVisible();
  await form(page).getByLabel('角色名称').fill(desc);
  await form(page).getByLabel('角色标识').fill(desc);
  await submit(page);
  await expect(page.getByText('新增成功')).toBeVisible();
}

async function addOperator(page: Page, userName: string, password: string): Promise<void> {
  await page.goto('/main/pms/operator');
  await page.getByRole('button', { name: '新增' }).click();
  await form(page).getByRole('textbox').first().fill(userName);
  await form(page).getByLabel('密码').fill(password);
  await submit(page);
}

test('an operator with a role and a Google key sees exactly what the role grants', async ({
  operatorPage: page,
  browser,
  baseURL,
}) => {
  const role = unique('财务');
  const operator = { username: unique('clerk'), password: 'correct horse' };

  await addRole(page, role);
  await rowOf(page, role).getByRole('button', { name: '分配菜单' }).click();
  const tree = form(page).getByRole('group', { name: '菜单' });
  await tree.getByRole('button', { name: '展开权限管理' }).click();
  await tree.getByRole('button', { name: '展开角色管理' }).click();
  await tree.getByRole('checkbox', { name: '新增角色' }).check();
  await tree.getByRole('button', { name: '展开新闻管理' }).click();
  await tree.getByRole('checkbox', { name: '新闻分类' }).check();
  await expect(tree.getByRole('checkbox', { name: '权限管理' })).not.toBeChecked();
  await submit(page);

  // What was granted comes back, with its parents half checked.
  await rowOf(page, role).getByRole('button', { name: '分配菜单' }).click();
  await expect(tree.getByRole('checkbox', { name: '新增角色' })).toBeChecked();
  await expect(tree.getByRole('checkbox', { name: '编辑角色' })).not.toBeChecked();
  await giveUp(form(page));

  await addOperator(page, operator.username, operator.password);
  await rowOf(page, operator.username).getByRole('button', { name: '分配角色' }).click();
  await form(page).getByRole('checkbox', { name: role }).check();
  await submit(page);
  await rowOf(page, operator.username).getByRole('button', { name: '账号' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '重置谷歌密钥' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '重置谷歌密钥' }).click();
  await expect(page.getByRole('img', { name: '谷歌密钥二维码' })).toHaveJSProperty('complete', true);
  await examine(page, 'a key that was made', { within: dialogs });
  const secret = await page.getByRole('dialog').getByRole('code').textContent();

  const theirs = await browser.newPage({ ...(baseURL ? { baseURL } : {}) });
  await theirs.goto('/login');
  await theirs.getByLabel('登录账号').fill(operator.username);
  await theirs.getByLabel('登录密码').fill(operator.password);
  await theirs.getByRole('button', { name: '登录' }).click();
  await expect(theirs.getByText('账号、密码或谷歌验证码错误').first()).toBeVisible();
  await theirs.getByLabel('谷歌验证码').fill(codeOf(secret ?? ''));
  await theirs.getByRole('button', { name: '登录' }).click();
  // Without the usual first screens the first one of their menus is where they land.
  await theirs.waitForURL(/\/main\/pms\/role$/);
  await expect(rowOf(theirs, role)).toBeVisible();

  const menu = theirs.getByRole('navigation', { name: '主菜单' });
  await menu.getByRole('button', { name: '新闻管理' }).click();
  await expect(menu.getByRole('link')).toHaveText(['数据概览', '角色管理', '新闻分类']);
  await expect(theirs.getByRole('button', { name: '新增', exact: true })).toBeVisible();
  await expect(theirs.getByRole('button', { name: '编辑', exact: true })).toHaveCount(0);
  await expect(theirs.getByRole('button', { name: '删除', exact: true })).toHaveCount(0);
  await theirs.goto('/main/pms/operator');
  await expect(theirs.getByRole('heading', { name: '找不到页面' })).toBeVisible();
  await theirs.close();
});

test('field errors show at their fields, and the form stays open', async ({ operatorPage: page }) => {
  await page.goto('/main/pms/operator');
  // In one's own row nothing stands that is refused to everybody.
  const own = page.getByRole('row', { name: /^admin / });
  await expect(own.getByRole('button', { name: '编辑' })).toBeVisible();
  await expect(own.getByRole('button', { name: '删除' })).toHaveCount(0);
  await own.getByRole('button', { name: '账号' }).click();
  await expect(page.getByRole('dialog').getByRole('button')).toHaveText(['重置谷歌密钥', '清除谷歌密钥']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '新增' }).click();
  await form(page).getByRole('textbox').first().fill(unique('short'));
  await form(page).getByLabel('密码').fill('short');
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page).getByRole('alert')).toContainText('至少需要 8 个字符');
  await expect(form(page).getByLabel('密码')).toHaveAccessibleDescription(/至少需要 8 个字符/);
  await giveUp(form(page));
  await expect(form(page)).toHaveCount(0);
});

test('menus stand as a tree; one is added under a folder, edited and deleted', async ({
  operatorPage: page,
}) => {
  const title = unique('临时菜单');
  await page.goto('/main/pms/menu');
  await page.getByRole('button', { name: '新增' }).click();
  await form(page).getByLabel('上级目录').fill('新闻管理');
  await form(page).getByLabel('上级目录').press('Enter');
  await form(page).getByLabel('标题').fill(title);
  await form(page).getByLabel('路径').fill(`/main/temporary/${title}`);
  await submit(page);

  await expect(rowOf(page, title)).toHaveCount(0);
  // What was searched for is seen, however far below it stands.
  await page.getByRole('search').getByLabel('标题').fill(title);
  await page.getByRole('button', { name: '搜索', exact: true }).click();
  await expect(rowOf(page, title)).toBeVisible();
  await page.getByRole('button', { name: '重置', exact: true }).click();
  await expect(rowOf(page, title)).toHaveCount(0);
  await rowOf(page, '新闻管理').first().getByRole('button', { name: '展开' }).click();
  await rowOf(page, title).getByRole('button', { name: '编辑' }).click();
  await form(page).getByLabel('标题').fill(`${title}改`);
  await submit(page);
  await rowOf(page, `${title}改`).getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('删除成功')).toBeVisible();
  await expect(rowOf(page, title)).toHaveCount(0);
});

test('a password is changed under the four messages in their order', async ({
  operatorPage: page,
  browser,
  baseURL,
}) => {
  const operator = { username: unique('safe'), password: 'first password' };
  await addOperator(page, operator.username, operator.password);
  const theirs = await browser.newPage({ ...(baseURL ? { baseURL } : {}) });
  await signIn(theirs, operator);
  // Who holds no menu at all lands on the overview.
  await expect(theirs).toHaveURL(/\/main\/analysis\/bashboard$/);
  await expect(theirs.getByRole('heading', { name: '找不到页面' })).toHaveCount(0);
  await theirs.getByRole('button', { name: operator.username }).click();
  await theirs.getByRole('link', { name: '安全中心' }).click();

  const says = async (text: string) => {
    await theirs.getByRole('button', { name: '提交' }).click();
    await expect(theirs.getByRole('alert').getByText(text)).toBeVisible();
  };
  await says('旧密码不能为空');
  await expect(theirs.getByLabel('旧密码')).toHaveAccessibleDescription('旧密码不能为空');
  await theirs.getByLabel('旧密码').fill(operator.password);
  await says('新密码不能为空');
  await theirs.getByLabel('新密码').fill('second password');
  await says('确认密码不能为空');
  await theirs.getByLabel('确认密码').fill('another password');
  await says('新密码不一致');
  await theirs.getByLabel('确认密码').fill('second password');
  await theirs.getByRole('button', { name: '提交' }).click();
  await expect(theirs.getByLabel('旧密码')).toHaveValue('');

  await signIn(theirs, { ...operator, password: 'second password' });
  await theirs.close();
});

test('an account closed by failures shows who closed it, is opened with a reason, and the log of sign-ins tells of it', async ({
  operatorPage: page,
}) => {
  const operator = { username: unique('locked'), password: 'never typed right' };
  await addOperator(page, operator.username, operator.password);
  for (let n = 1; n <= 5; n++)
    await page.request.post('/api/login', {
      form: { username: operator.username, password: 'wrong' },
      headers: { 'x-forwarded-for': `10.7.0.${n}` },
    });
  await page.reload();
  await rowOf(page, operator.username).getByRole('cell', { name: operator.username }).click();
  const drawer = page.getByRole('complementary', { name: '行详情' });
  await expect(drawer.locator('dl')).toContainText('10.7.0.5');
  await page.keyboard.press('Escape');
  await rowOf(page, operator.username).getByRole('button', { name: '解除锁定' }).click();
  await form(page).getByLabel('原因').fill('本人来电核实身份');
  await submit(page);
  await expect(rowOf(page, operator.username).getByRole('button', { name: '解除锁定' })).toHaveCount(0);
  await page.goto(`/main/pms/login-record?userName=${operator.username}`);
  await expect(page.getByRole('cell', { name: /账号锁定 30 秒/ })).toBeVisible();
});

test.describe('why somebody can or cannot', () => {
  test.use({ allowedComplaints: [/status of 403/] });

  test('a role is copied, explained, compared and tried on; a refusal says what is missing and leads to why', async ({
    operatorPage: page,
  }) => {
    const desc = unique('客服');
    await addRole(page, desc);
    await rowOf(page, desc).getByRole('button', { name: '分配菜单' }).click();
    const tree = form(page).getByRole('group', { name: '菜单' });
    await tree.getByRole('button', { name: '展开新闻管理' }).click();
    await tree.getByRole('checkbox', { name: '新闻分类' }).check();
    await submit(page);

    const rights = async (of: string, word: string) => {
      await rowOf(page, of).first().getByRole('button', { name: '权限', exact: false }).last().click();
      await page.getByRole('dialog').getByRole('button', { name: word, exact: true }).click();
    };
    const copy = `${desc}副本`;
    await rights(desc, '复制');
    await form(page).getByLabel('角色名称').fill(copy);
    await form(page).getByLabel('角色标识').fill(copy);
    await submit(page);
    await expect(rowOf(page, copy)).toBeVisible();

    await rights(copy, '权限说明');
    const why = page.getByRole('dialog').filter({ hasText: `权限说明：${copy}` });
    await why.getByLabel('查找页面或接口').fill('操作员管理');
    await expect(why.getByRole('row').filter({ hasText: '页面' })).toContainText(
      '缺少菜单“权限管理 / 操作员管理”',
    );
    await why.getByLabel('查找页面或接口').fill('新闻分类');
    await expect(why.getByRole('row').filter({ hasText: '页面' })).toContainText(
      `角色“${copy}”的菜单“新闻管理 / 新闻分类”`,
    );
    await page.keyboard.press('Escape');
    await expect(why).toHaveCount(0);

    await rights(copy, '对比');
    const compared = page.getByRole('dialog').filter({ hasText: `对比角色：${copy}` });
    await compared.getByLabel('对比的角色').selectOption({ label: desc });
    await compared.getByLabel('包括相同的').check();
    await examine(page, 'two roles compared', { within: dialogs });
    await expect(compared.getByRole('row').filter({ hasText: '新闻管理 / 新闻分类' }).first()).toContainText(
      '有',
    );
    await page.keyboard.press('Escape');
    await expect(compared).toHaveCount(0);

    await rights(copy, '试用');
    await page.getByRole('dialog').getByRole('button', { name: '试用', exact: true }).click();
    const banner = page.getByRole('status').filter({ hasText: `正在试用角色“${copy}”` });
    await expect(banner).toBeVisible();
    await expect(page).toHaveURL(/\/main\/news\/category$/);
    const menu = page.getByRole('navigation', { name: '主菜单' });
    await expect(menu.getByRole('link')).toHaveText(['数据概览', '新闻分类']);
    await page.goto('/main/pms/role');
    await expect(page.getByRole('heading', { name: '找不到页面' })).toBeVisible();
    await expect(page).toHaveTitle(/找不到页面/);
    await expect(page.getByRole('alert')).toHaveText('需要权限：权限管理 / 角色管理');
    // Also where there is nothing to be seen the trial is told, and laid aside.
    await banner.getByRole('button', { name: '退出试用' }).click();
    await expect(page.getByRole('heading', { name: '找不到页面' })).toHaveCount(0);
    await expect(banner).toHaveCount(0);
    await expect(menu.getByRole('button', { name: '权限管理' })).toBeVisible();

    await page.goto('/main/pms/menu');
    await rowOf(page, '权限管理').first().getByRole('button', { name: '谁能访问' }).click();
    await expect(page.getByRole('dialog').getByRole('table', { name: '操作员' })).toContainText('admin');
  });

  test('a refusal names the right that is missing and leads whoever may read it to the explanation', async ({
    operatorPage: page,
    browser,
    baseURL,
  }) => {
    const admin = await clientOf();
    const menus = (await admin.call(listMenus, {})).envelope.data ?? [];
    const operators = menus
      .flatMap(({ childrens }) => childrens)
      .find(({ path }) => path === '/main/pms/operator');
    const name = unique('reader');
    const rid = (await admin.call(addRoleCall, { desc: name, name })).envelope.data ?? 0;
    await admin.call(bindRoleMenus, { rid, menuIds: operators ? [operators.id] : [] });
    const operator = { username: name, password: 'reads and asks' };
    const oid = (await admin.call(addOperatorCall, { userName: name, password: operator.password })).envelope
      .data;
    await admin.call(bindOperatorRoles, { oid: oid ?? 0, roleIds: [rid] });
    const theirs = await browser.newPage({ ...(baseURL ? { baseURL } : {}) });
    await signIn(theirs, operator);
    await theirs.goto('/main/pms/role');
    await expect(theirs.getByRole('alert')).toContainText('需要权限：权限管理 / 角色管理');
    await theirs.getByRole('link', { name: '为什么' }).click();
    const why = theirs.getByRole('dialog').filter({ hasText: `权限说明：${name}` });
    await expect(why.getByRole('row').filter({ hasText: '权限管理 / 角色管理' }).first()).toContainText(
      '缺少菜单“权限管理 / 角色管理”',
    );
    // What a screen calls that they hold the screen for no longer is told by a toast.
    await theirs.keyboard.press('Escape');
    await admin.call(bindRoleMenus, { rid, menuIds: [] });
    await theirs.getByRole('button', { name: '搜索', exact: true }).click();
    await expect(theirs.getByTitle('点击关闭')).toContainText('权限不足! 需要权限：权限管理 / 操作员管理');
    await expect(theirs.getByRole('link', { name: '为什么' })).toBeVisible();
    await theirs.close();

    // What was denied stands in the change record, with what it would have taken and the way to why.
    const denied = await (await clientOf(operator)).call(addRoleCall, { desc: name, name: `${name}2` });
    expect(denied.status).toBe(403);
    await page.goto(`/main/system/change-record?userName=${name}`);
    const line = rowOf(page, '无权限');
    await expect(line).toContainText('新增角色');
    await line.getByRole('button', { name: '展开' }).click();
    await expect(page.getByText('需要权限：权限管理 / 角色管理 / 新增角色')).toBeVisible();
    await line.getByRole('link', { name: '为什么' }).click();
    const whyDenied = page.getByRole('dialog').filter({ hasText: `权限说明：${name}` });
    await expect(whyDenied.getByRole('row').filter({ hasText: '新增角色' }).first()).toContainText(
      '缺少菜单“权限管理 / 角色管理 / 新增角色”',
    );
  });
});
