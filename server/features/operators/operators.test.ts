import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { addOperator, listOperators, unlockOperator, updateOperator } from '#contract/operators.ts';
import { changePassword } from '#contract/security.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const LATIN_ADMIN = 'admin';
const GOOD = 'quite a long one';
const add = async (userName: string, password = GOOD) =>
  (await (await server.admin()).call(addOperator, { userName, password })).envelope;
const find = async (userName: string) =>
  (await (await server.admin()).call(listOperators, { userName })).envelope.data ?? [];
const refusedAt = (field: string, msg: string) => ({
  success: false,
  code: 400,
  msg,
  data: { errors: { [field]: msg } },
});

describe('names', () => {
  it.each([
    ['Cyrillic а for a', 'аdmin'],
    ['Greek ο for o', 'οperator'],
    ['a zero width space', 'ad\u200bmin'],
    ['a right-to-left mark', 'admin\u200f'],
    ['a soft hyphen', 'ad\u00admin'],
    ['an accent', 'àdmin'],
    ['a Latin letter that is no ASCII', 'ɑdmin'],
    ['a variation selector', 'admin\ufe0f'],
    ['a space within', 'ad min'],
    ['a stroke for l', '丨ily'],
    ['a Han zero', '〇perator'],
    ['a Han one for a dash', 'a一b'],
    ['a dash of another kind', 'a–b'],
    ['what the players’ site is called', '平台接口'],
    ['what a command on the server is called', '服务器命令'],
  ])('with %s are refused at the field, in a new operator and in an edit', async (_what, userName) => {
    const before = await find('');
    const refused = await add(userName);
    expect(refused).toMatchObject({ success: false, code: 400, data: { errors: { userName: refused.msg } } });
    expect(refused.msg).toMatch(/^用户名/);
    const { id } = await buildOperator(server.db);
    const edited = await (await server.admin()).call(updateOperator, { id, userName });
    expect(edited.envelope).toMatchObject({ success: false, msg: refused.msg });
    expect(await find('')).toHaveLength(before.length + 1);
  });

  it.each([['王一明'], ['张三_2'], ['li.si@shop-1'], ['Ａｎｎａ']])(
    'such as %s are taken',
    async (userName) => {
      expect(await add(userName)).toMatchObject({ success: true });
      expect((await find(userName.normalize('NFKC')))[0]?.userName).toBe(userName.normalize('NFKC'));
    },
  );

  it('in full-width letters are those in ordinary ones', async () => {
    expect(await add('ａｄｍｉｎ')).toMatchObject(refusedAt('userName', '用户名已存在'));
    expect(await add(LATIN_ADMIN.toUpperCase())).toMatchObject(refusedAt('userName', '用户名已存在'));
  });

  it('that are taken for another at a glance are refused, of two at the same instant too', async () => {
    const alike = (name: string) => refusedAt('userName', `用户名与操作员“${name}”过于相像，容易混淆`);
    expect(await add('adm1n')).toMatchObject(alike(LATIN_ADMIN));
    expect(await add('lisa02')).toMatchObject({ success: true });
    for (const name of ['Iisa02', '1isa02', 'lisaO2', 'LisaO2'])
      expect(await add(name)).toMatchObject(alike('lisa02'));
    expect(await add('iisa03')).toMatchObject({ success: true });
    expect(await add('lisa03')).toMatchObject({ success: true });
    const { id } = await buildOperator(server.db, { username: 'plain_one' });
    const edited = await (await server.admin()).call(updateOperator, { id, userName: 'lisaO3' });
    expect(edited.envelope).toMatchObject(alike('lisa03'));
    const both = await Promise.all([add('Ivan04'), add('lvan04')]);
    expect(both.filter(({ success }) => success)).toHaveLength(1);
  });

  it('of before may stay when something else is edited', async () => {
    const { id, username } = await buildOperator(server.db, { username: `Иван ${randomUUID()}` });
    const admin = await server.admin();
    expect((await admin.call(updateOperator, { id, userName: username })).envelope.success).toBe(true);
  });
});

describe('new passwords', () => {
  const common = '密码过于常见，请换一个';
  const holds = '密码不能包含用户名';
  const casesOf = (userName: string): [password: string, msg: string][] => [
    ['12345678', common],
    ['admin12345', common],
    ['Ｐａｓｓｗ０ｒｄ', common],
    [userName, holds],
    [userName.toUpperCase(), holds],
    [`2024-${userName}-!`, holds],
  ];

  it.each(casesOf('zhang-wei'))('%s is refused for a new operator at its field', async (password, msg) => {
    expect(await add('zhang-wei', password)).toMatchObject(refusedAt('password', msg));
    expect(await find('zhang-wei')).toEqual([]);
  });

  it.each(casesOf('wang-fang'))(
    '%s is refused in a change at its field, and the old one stays',
    async (password, msg) => {
      const username = 'Wang-Fang';
      if ((await find(username)).length === 0) await buildOperator(server.db, { username });
      const client = await server.as(username, PASSWORD);
      const form = { oldPassword: PASSWORD, newPassword: password, newConfirm: password };
      expect((await client.call(changePassword, form)).envelope).toMatchObject(refusedAt('newPassword', msg));
      await server.as(username, PASSWORD);
    },
  );

  it('count in one way of writing', async () => {
    expect(await add('wide-typist', 'Ｖｅｒｙ ｌｏｎｇ ｏｎｅ')).toMatchObject({ success: true });
    await server.as('wide-typist', 'Very long one');
    await server.as('wide-typist', 'Ｖｅｒｙ ｌｏｎｇ ｏｎｅ');
  });
});

describe('a locked account', () => {
  let addresses = 0;
  const fail = async (username: string, address: string) =>
    server.anonymous.call(
      login,
      { username, password: 'wrong' },
      { headers: { 'x-forwarded-for': address } },
    );
  const lockedOperator = async () => {
    const operator = await buildOperator(server.db);
    for (let n = 0; n < 5; n++) await fail(operator.username.toUpperCase(), `10.6.0.${++addresses}`);
    return { ...operator, address: `10.6.0.${addresses}` };
  };

  it('shows until when, and from where it was locked', async () => {
    const { username, address } = await lockedOperator();
    const [shown] = await find(username);
    expect(shown).toMatchObject({ lockedBy: address });
    expect(shown?.lockedUntil).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const free = await buildOperator(server.db);
    expect((await find(free.username))[0]).toMatchObject({ lockedUntil: null, lockedBy: null });
  });

  it('is opened by an operator with the right, who says why; the record keeps it', async () => {
    const { id, username } = await lockedOperator();
    const boss = await buildOperator(server.db, { grants: ['/main/pms/operator', 'pms:operator:unlock'] });
    const client = await server.as(boss.username, PASSWORD);
    const unlock = (reason: string) => client.call(unlockOperator, { id, reason });
    expect((await unlock('  ')).envelope).toMatchObject({ success: false, code: 400 });
    expect((await unlock('本人来电核实身份')).envelope).toMatchObject({ success: true });
    await server.as(username, PASSWORD);
    expect((await unlock('再来一次吧')).envelope).toMatchObject({ msg: '该操作员未被锁定' });
    const admin = await server.admin();
    const { data } = (await admin.call(pageChangeRecords, { summary: '解除登录锁定', outcome: 'SUCCESS' }))
      .envelope;
    expect(data?.data[0]).toMatchObject({
      userName: boss.username,
      targetId: String(id),
      input: { id, reason: '本人来电核实身份' },
      before: { userName: username },
    });
  });

  it('stays closed for one without the right, or with less than its operator has', async () => {
    const { id } = await lockedOperator();
    const screenOnly = await buildOperator(server.db, { grants: ['/main/pms/operator'] });
    const call = async (username: string, target: number) =>
      (await server.as(username, PASSWORD)).call(unlockOperator, { id: target, reason: '我想解除锁定' });
    expect((await call(screenOnly.username, id)).status).toBe(403);
    const strong = await buildOperator(server.db, { grants: ['/main/pms/role'] });
    for (let n = 0; n < 5; n++) await fail(strong.username, `10.6.0.${++addresses}`);
    const weak = await buildOperator(server.db, { grants: ['/main/pms/operator', 'pms:operator:unlock'] });
    expect((await call(weak.username, strong.id)).envelope.msg).toBe('不能操作权限超出自己的对象');
    expect((await find(strong.username))[0]?.lockedUntil).not.toBeNull();
  });
});
