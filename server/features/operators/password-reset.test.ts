import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { changePassword } from '#contract/security.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const signIn = (username: string, password: string) => server.anonymous.call(login, { username, password });

/** The command as somebody at the server runs it. */
const reset = (...names: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/password-reset.ts', ...names], {
    env: { ...programEnvironment, PATH: process.env.PATH, DATABASE_URL: server.database.url },
  });

it('a password that was lost, of an account that is closed, is given anew by a command on the server', async () => {
  const { id, username } = await buildOperator(server.db);
  const before = await server.as(username, PASSWORD);
  for (let tries = 0; tries < 5; tries++) await signIn(username, 'forgotten');
  expect((await signIn(username, PASSWORD)).status).toBe(429);

  const { stdout } = await reset(username.toUpperCase());
  const temporary = /的临时密码：(\S{16})\n/.exec(stdout)?.[1] ?? '';
  expect(stdout).toContain(`操作员 ${username}（编号 ${id}）`);
  expect((await before.call(listCurrentMenus, {})).envelope.code).toBe(401);
  expect((await signIn(username, PASSWORD)).envelope.success).toBe(false);

  const given = await server.as(username, temporary);
  expect((await given.call(listCurrentMenus, {})).envelope.code).toBe(412);
  const own = { oldPassword: temporary, newPassword: 'chosen by oneself', newConfirm: 'chosen by oneself' };
  expect((await given.call(changePassword, own)).envelope.success).toBe(true);
  expect((await given.call(listCurrentMenus, {})).envelope.success).toBe(true);

  const { data } = (await (await server.admin()).call(pageChangeRecords, { userName: '服务器命令' }))
    .envelope;
  expect(data?.data).toMatchObject([
    { call: 'resetOperatorPassword', targetId: String(id), outcome: 'SUCCESS', input: { id } },
  ]);
  expect(JSON.stringify(data)).not.toContain(temporary);
});

it('of nobody is a sentence and an exit code', async () => {
  const nobody = { code: 1, stderr: '没有名为 no-such-name 的操作员\n' };
  await expect(reset('no-such-name')).rejects.toMatchObject(nobody);
  await expect(reset()).rejects.toMatchObject({
    code: 1,
    stderr: '用法：npm run password:reset -- 用户名\n',
  });
});
