import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { resetGoogleKey } from '#contract/operators.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { programEnvironment } from '#server/testing/program.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';

const log: string[] = [];
let server: TestServer;
beforeAll(async () => {
  const logTo = { write: (line: string) => log.push(line) };
  server = await startTestServer({ logLevel: 'error' }, undefined, { logTo });
});
afterAll(() => server.close());

const UNREADABLE = '您的谷歌密钥无法读取，请联系系统管理员在服务器上清除后重新绑定';
const signIn = (username: string, password: string, googleCode?: string) =>
  server.anonymous.call(login, { username, password, ...(googleCode ? { googleCode } : {}) });

/** An operator whose key was sealed while the server ran under another secret. */
async function withForeignKey() {
  const operator = await buildOperator(server.db);
  const foreign = createVault(Buffer.alloc(32, 'another'));
  const googleSecret = foreign.seal('JBSWY3DPEHPK3PXP', `operator:${operator.id}:googleSecret`);
  await server.db.updateTable('operator').set({ googleSecret }).where('id', '=', operator.id).execute();
  return operator;
}

/** The command as somebody at the server runs it. */
const clearKey = (...names: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/google-key-clear.ts', ...names], {
    env: { ...programEnvironment, PATH: process.env.PATH, DATABASE_URL: server.database.url },
  });

describe('a Google key sealed under another secret', () => {
  it('is told to the one who signs in with the right password, in the log and in the log of sign-ins', async () => {
    const { id, username } = await withForeignKey();
    const { status, envelope } = await signIn(username, PASSWORD, '123456');
    expect({ status, ...envelope }).toMatchObject({
      status: 200,
      success: false,
      code: 400,
      msg: UNREADABLE,
    });
    expect(log.join('\n')).toContain(`"operatorId":${id}`);
    const admin = await server.admin();
    const { data } = (await admin.call(pageLoginRecords, { userName: username })).envelope;
    expect(data?.data).toMatchObject([{ operatorId: id, outcome: 'HELD', msg: UNREADABLE }]);
  });

  it('is not told to one with a wrong password', async () => {
    const { username } = await withForeignKey();
    expect((await signIn(username, 'wrong', '123456')).envelope.msg).toBe('账号、密码或谷歌验证码错误');
  });

  it('is mended in the console by a new key', async () => {
    const { id, username } = await withForeignKey();
    const { envelope } = await (await server.admin()).call(resetGoogleKey, { id });
    const code = codeOf(envelope.data?.secret ?? '');
    expect((await signIn(username, PASSWORD, code)).envelope.success).toBe(true);
  });

  it('is cleared by a command on the server, which leaves its line in the change record', async () => {
    const { id, username } = await withForeignKey();
    expect((await clearKey(username.toUpperCase())).stdout).toContain(`编号 ${id}）的谷歌密钥`);
    expect((await signIn(username, PASSWORD)).envelope.success).toBe(true);
    const admin = await server.admin();
    const { data } = (await admin.call(pageChangeRecords, { userName: '服务器命令' })).envelope;
    expect(data?.data).toMatchObject([{ call: 'cleanGoogleKey', targetId: String(id), outcome: 'SUCCESS' }]);
  });

  it('that is not there is not said to be cleared', async () => {
    const { id, username } = await buildOperator(server.db);
    expect((await clearKey(username)).stdout).toContain('本来就没有谷歌密钥');
    const asked = { targetId: String(id), userName: '服务器命令' };
    const { data } = (await (await server.admin()).call(pageChangeRecords, asked)).envelope;
    expect(data?.totalCount).toBe(0);
  });

  it('of nobody is a sentence and an exit code', async () => {
    await expect(clearKey('no-such-name')).rejects.toMatchObject({
      code: 1,
      stderr: '没有名为 no-such-name 的操作员\n',
    });
    await expect(clearKey()).rejects.toMatchObject({
      code: 1,
      stderr: '用法：npm run google-key:clear -- 用户名\n',
    });
  });
});
