import type { Locator, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expect, signIn, test } from './fixtures.ts';
import { giveUp } from './forms.ts';

const unique = (name: string): string => `${name}${Date.now().toString(36)}`;
const form = (page: Page): Locator => page.getByRole('dialog');
const submit = async (page: Page) => {
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page)).toHaveCount(0);
};
const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });

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
  const secret = await page.getByRole('dialog').getByRole('code').textContent();

  const theirs = await browser.newPage({ ...(baseURL ? { baseURL } : {}) });
  await theirs.goto('/login');
  await theirs.getByLabel('登录账号').fill(operator.username);
  await theirs.getByLabel('登录密码').fill(operator.password);
  await theirs.getByRole('button', { name: '登录' }).click();
  await expect(theirs.getByText('账号、密码或谷歌验证码错误').first()).toBeVisible();
  await theirs
    .getByLabel('谷歌验证码')
    .fill(new TOTP({ secret: Secret.fromBase32(secret ?? '') }).generate());
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
  await page.getByRole('button', { name: '新增' }).click();
  await form(page).getByRole('textbox').first().fill(unique('short'));
  await form(page).getByLabel('密码').fill('short');
  await form(page).getByRole('button', { name: '提交' }).click();
  await expect(form(page).getByRole('alert')).toContainText('至少需要 8 个字符');
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
  await expect(rowOf(page, operator.username)).toContainText('10.7.0.5');
  await rowOf(page, operator.username).getByRole('button', { name: '解除锁定' }).click();
  await form(page).getByLabel('原因').fill('本人来电核实身份');
  await submit(page);
  await expect(rowOf(page, operator.username)).not.toContainText('10.7.0.5');
  await page.goto(`/main/pms/login-record?userName=${operator.username}`);
  await expect(page.getByRole('cell', { name: /账号锁定 30 秒/ })).toBeVisible();
});
