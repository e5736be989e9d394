import { addChatSession, loginChatByCode, loginChatByPhone } from '../contract/chat-sessions.ts';
import { login } from '../contract/sign-in.ts';
import { addUser } from '../server/features/users/user-store.ts';
import { given } from '../server/testing/given.ts';
import { testClient } from '../server/testing/test-client.ts';
import { startChatServer } from './chat-server.ts';
import { expect, firstOperator, signIn, test } from './fixtures.ts';

let server: Awaited<ReturnType<typeof startChatServer>>;
test.beforeAll(async () => {
  server = await startChatServer({
    8613800138001: { code: '13579', password: 'second password' },
    8613800138002: { code: '1', registered: false },
    8613800138003: { code: '24680' },
  });
});
test.afterAll(() => server.stop());

test('a session’s card flips to phone, code, second password and success', async ({ browser }) => {
  const userId = await addUser(server.db, { nickName: '会话用户' });
  const page = await browser.newPage({ baseURL: server.origin });
  await signIn(page, firstOperator);

  await page.goto('/main/session/my-session');
  await expect(page.getByText('还没有会话')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: '用户管理' }).click();
  await page
    .getByRole('row')
    .filter({ hasText: '会话用户' })
    .getByRole('button', { name: '新增会话' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: '新增会话' }).click();
  await expect(page.getByText('新增成功')).toBeVisible();

  await page.goto('/main/session/my-session');
  const card = page.getByRole('list', { name: '我的会话' }).getByRole('listitem').first();
  await expect(card).toContainText(`用户编号${userId}`);
  await card.getByRole('button', { name: '去登录' }).click();

  // Each step has the keyboard as it comes.
  await expect(card.getByLabel('手机号')).toBeFocused();
  await card.getByLabel('手机号').fill('12');
  await card.getByRole('button', { name: '提交' }).click();
  await expect(card.getByRole('alert')).toContainText('手机号无效');
  await card.getByLabel('手机号').fill('+8613800138002');
  await card.getByRole('button', { name: '提交' }).click();
  await expect(card.getByRole('status')).toContainText('尚未注册 Telegram');
  await card.getByRole('button', { name: '更换手机号' }).click();
  await card.getByLabel('手机号').fill('+86 138 0013 8001');
  await card.getByRole('button', { name: '提交' }).click();

  await expect(card.getByText('验证码已发到该账号已登录的 Telegram 应用里').last()).toBeVisible();
  await card.getByRole('button', { name: '重新发送' }).click();
  await expect(card.getByText('验证码已用短信发送').last()).toBeVisible();
  await card.getByLabel('验证码').fill('13579');
  await card.getByLabel('验证码').press('Enter');

  await expect(card.getByLabel('二级密码')).toBeFocused();
  await card.getByLabel('二级密码').fill('wrong');
  await card.getByRole('button', { name: '提交' }).click();
  await expect(card.getByRole('alert')).toContainText('二级密码错误');
  await card.getByLabel('二级密码').fill('second password');
  await card.getByRole('button', { name: '提交' }).click();
  await expect(card.getByRole('status')).toHaveText('登录成功');

  await card.getByRole('button', { name: '返回' }).click();
  await expect(card.getByRole('heading', { name: '+8613800138001' })).toBeVisible();
  await expect(card.getByRole('button', { name: '刷新' })).toBeVisible();
  await card.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click();
  await expect(page.getByText('还没有会话')).toBeVisible();

  // Signed in from another window meanwhile: it is over here too, though the number was about to be changed.
  const { access_token } = (await testClient(server.origin).call(login, firstOperator)).envelope.data ?? {};
  const elsewhere = testClient(server.origin, access_token);
  const id = given((await elsewhere.call(addChatSession, { userId: given(userId) })).envelope.data);
  await page.reload();
  await card.getByRole('button', { name: '去登录' }).click();
  await expect(card.getByLabel('手机号')).toBeVisible();
  await elsewhere.call(loginChatByPhone, { id, phone: '+8613800138003' });
  await expect(card.getByLabel('验证码')).toBeVisible();
  await card.getByRole('button', { name: '更换手机号' }).click();
  await elsewhere.call(loginChatByCode, { id, code: '24680' });
  await expect(card.getByRole('status')).toHaveText('登录成功');
  await card.getByRole('button', { name: '返回' }).click();
  await expect(card.getByRole('button', { name: '刷新' })).toBeVisible();
  await page.close();
});
