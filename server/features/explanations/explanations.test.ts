import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import { enterDrawRecord } from '#contract/draw-records.ts';
import { type AnyEndpoint, basePath } from '#contract/endpoint.ts';
import { compareRoles, explainMenu, explainOperator } from '#contract/explanations.ts';
import { failures } from '#contract/failures.ts';
import { resetOperatorPassword } from '#contract/operators.ts';
import { login } from '#contract/sign-in.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { matchesPath } from '#server/access/ant-pattern.ts';
import { added } from '#server/db/rows.ts';
import { replaceMenus } from '#server/features/roles/role-store.ts';
import { setParam } from '#server/testing/approving.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { type TestClient, testClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const calls = Object.entries<AnyEndpoint>(contract);
const guarded = calls.filter(([, { access }]) => typeof access === 'object');
/** Those that nobody is too much in the know for. */
const sighted = guarded.filter(([, { approval }]) => !approval?.blindTo);
const explained = async (id: number) => given((await admin.call(explainOperator, { id })).envelope.data);
const toldOf = async (id: number) =>
  new Map((await explained(id)).targets.map((each) => [each.target, each] as const));

/** The seed's menus are left out of it: whoever holds all of them has new ones too. */
async function addMenus(roleId: number, expressions: readonly string[]): Promise<void> {
  const title = randomUUID().slice(0, 8);
  const menus = await Promise.all(
    expressions.map((urlExpression) =>
      added(server.db, 'menu', {
        title,
        type: 'MENU',
        path: null,
        iconClass: null,
        urlExpression,
        index: 0,
        parentId: null,
      }),
    ),
  );
  await replaceMenus(
    server.db,
    roleId,
    menus.map(({ id }) => id),
  );
  await bumpEpoch(server.db, 'everyone');
}

/** Expressions as somebody might write them: all of a call, one of its rows, a branch of paths, or what opens nothing. */
const expression = fc
  .array(
    fc
      .tuple(
        fc.constantFrom(...guarded.map(([, { path }]) => path)),
        fc.constantFrom('whole', 'one', 'branch', 'leaf', 'none'),
      )
      .map(([path, way]) => {
        if (way === 'whole') return path.replace(/\{\w+\}/g, '*');
        if (way === 'one') return path.replace(/\{\w+\}/g, '1');
        if (way === 'branch') return `${path.slice(0, path.indexOf('/', 5))}/**`;
        return way === 'leaf' ? `/**/${path.split('/')[3]}*` : `${path}/nothing`;
      }),
    { minLength: 1, maxLength: 3 },
  )
  .map((patterns) => patterns.join(', '));

it('agrees with the server on whatever menus are made of, and on the paths of a call one by one', async () => {
  const sampled = fc.sample(
    fc.record({
      expressions: fc.array(expression, { minLength: 1, maxLength: 4 }),
      asked: fc.shuffledSubarray(sighted, { minLength: 20, maxLength: 20 }),
    }),
    { seed: randomSeed, numRuns: 6 },
  );
  for (const { expressions, asked } of sampled) {
    const { id, roleId, username } = await buildOperator(server.db);
    await addMenus(roleId, expressions);
    const { token } = await server.as(username, PASSWORD);
    const told = await toldOf(id);
    const isOpened = ([name]: (typeof guarded)[number]) => told.get(name)?.verdict !== 'DENIED';
    for (const [name, endpoint] of [...asked, ...sighted.filter(isOpened).slice(0, 20)]) {
      const may = async (value: string) => {
        const path = basePath(endpoint) + endpoint.path.replace(/\{\w+\}/g, value);
        const headers = { authorization: `Bearer ${token}` };
        return (await rawRequest(server.origin, { method: endpoint.verb, path, headers })).status !== 403;
      };
      const { verdict, opens } = given(told.get(name));
      const found = [await may('1'), await may('2')];
      // Some of a call's paths: those that a pattern has, of which the row 2 is never one.
      const first = endpoint.path.replace(/\{\w+\}/g, '1');
      const isOne = opens.some(({ pattern }) => pattern !== null && matchesPath(pattern, first));
      const wanted = { ALLOWED: [true, true], PART: [isOne, false], DENIED: [false, false] }[verdict];
      expect({ name, expressions, found }).toEqual({ name, expressions, found: wanted });
      expect(opens.length > 0).toBe(verdict !== 'DENIED');
      expect(opens.some(({ whole }) => whole)).toBe(verdict === 'ALLOWED');
    }
  }
});

it('tells what keeps an operator from signing in, each time it does and never else', async () => {
  const tries = async (username: string) =>
    (await testClient(server.origin).call(login, { username, password: PASSWORD })).envelope;
  const told = async (id: number) => (await explained(id)).barred;
  const barred: [string, (id: number, name: string) => Promise<unknown>][] = [
    [
      '您的账号已停用，请联系管理员',
      (id) => sql`update operator set disabled = true where id = ${id}`.execute(server.db),
    ],
    [
      '您的谷歌密钥无法读取，请联系系统管理员在服务器上清除后重新绑定',
      (id) => sql`update operator set "googleSecret" = 'broken' where id = ${id}`.execute(server.db),
    ],
    [
      '登录失败次数过多',
      async (_id, username) => {
        for (let n = 0; n < 5; n++)
          await testClient(server.origin).call(login, { username, password: 'wrong' });
      },
    ],
    [
      '登录必须使用谷歌验证码，请联系管理员为您重置谷歌密钥',
      () => setParam(server.db, 'security.secondFactorRequired', 'true'),
    ],
  ];
  for (const [why, bar] of barred) {
    const { id, username } = await buildOperator(server.db);
    expect(await told(id)).toEqual([]);
    expect((await tries(username)).success).toBe(true);
    await bar(id, username);
    expect((await tries(username)).msg).toContain(why);
    expect(await told(id)).toEqual([expect.stringContaining(why)]);
  }
  await setParam(server.db, 'security.secondFactorRequired', 'false');
});

it('tells of every call that a password of somebody else must be changed first, as the server does', async () => {
  const { id, username } = await buildOperator(server.db, { grants: await allGrants(server.db) });
  await admin.call(resetOperatorPassword, { id, password: 'for the time being' });
  const { token } = await server.as(username, 'for the time being');
  const told = await toldOf(id);
  for (const { kind, verdict } of told.values()) if (kind !== 'CALL') expect(verdict).toBe('DENIED');
  for (const [name, endpoint] of calls) {
    if (typeof endpoint.access !== 'object' && endpoint.access !== 'signed-in') continue;
    if (name === 'logout') continue;
    const path = basePath(endpoint) + endpoint.path.replace(/\{\w+\}/g, '1');
    const headers = { authorization: `Bearer ${token}` };
    const { envelope } = await rawRequest(server.origin, { method: endpoint.verb, path, headers });
    const isTurnedAway = envelope?.code === failures.passwordTemporary.code;
    expect(told.get(name)).toMatchObject(
      isTurnedAway
        ? { verdict: 'DENIED', refusal: envelope?.msg, missing: [] }
        : { verdict: 'ALLOWED', refusal: null },
    );
  }
});

const CODE = '须输入谷歌验证码';

it('tells of every call that takes a code, or may, where it is asked for, and of none else', async () => {
  const { id, username } = await buildOperator(server.db, { grants: await allGrants(server.db) });
  const { token } = await server.as(username, PASSWORD);
  const client = testClient(server.origin, token);
  expect([...(await toldOf(id)).values()].flatMap(({ demands }) => demands)).toEqual([]);
  await sql`update operator set "googleSecret" = 'a key' where id = ${id}`.execute(server.db);
  await bumpEpoch(server.db, 'everyone');
  await expect
    .poll(
      async () =>
        (await client.call(resetOperatorPassword, { id: 987_654, password: 'long enough' })).envelope.code,
    )
    .toBe(428);
  const told = await toldOf(id);
  const ofOneRow = guarded.filter(
    ([, { input }]) => 'shape' in input && Object.keys(input.shape as object).join() === 'id',
  );
  expect(ofOneRow.length).toBeGreaterThan(30);
  for (const [name, endpoint] of ofOneRow) {
    const { envelope } = await client.call(endpoint, { id: 987_654 });
    const { demands = [] } = told.get(name) ?? {};
    // One that may ask does so by what it comes to, and there is no such row.
    expect({ name, asks: envelope.code === 428 }).toEqual({ name, asks: demands.includes(CODE) });
  }
  const asking = [...told].filter(([, { demands }]) => demands.some((demand) => demand.includes(CODE)));
  const declared = guarded.filter(([, { stepUp, approval }]) => stepUp || approval).map(([name]) => name);
  // The one that nobody who sees too much may make is refused, whatever they have.
  expect(asking.map(([name]) => name)).toEqual(declared.filter((name) => name !== 'enterDrawRecord'));
});

it('tells who sees too much to make a call, and for what a second operator is waited for', async () => {
  const all = await allGrants(server.db);
  const seeing = await buildOperator(server.db, { grants: all });
  const client = await server.as(seeing.username, PASSWORD);
  const entry = { gameId: 1, phase: '1', result: '1', evidence: '四个字的', reason: '来源没有给出' };
  const { envelope } = await client.call(enterDrawRecord, entry);
  expect(envelope.msg).toBe(failures.approvalSeesTooMuch.msg.replace('{what}', '单期风险'));
  expect((await toldOf(seeing.id)).get('enterDrawRecord')).toMatchObject({
    ...{ verdict: 'DENIED', refusal: envelope.msg, missing: [] },
  });
  const blind = await buildOperator(server.db, { grants: ['game:openRecord:enter'] });
  const entered = await (await server.as(blind.username, PASSWORD)).call(enterDrawRecord, entry);
  expect(entered.envelope.msg).not.toBe(envelope.msg);
  expect((await toldOf(blind.id)).get('enterDrawRecord')).toMatchObject({
    verdict: 'ALLOWED',
    refusal: null,
  });
  await setParam(server.db, 'approval.enabled', 'true');
  const waits = (await toldOf(seeing.id)).get('bindRoleMenus')?.demands;
  expect(waits).toEqual(['视内容，可能须由另一名有“复核操作员与权限”权限的操作员放行']);
  const right = (await toldOf(seeing.id)).get('approval:release:access');
  expect(right).toMatchObject({ verdict: 'ALLOWED', kind: 'RELEASE' });
  await sql`update operator set disabled = true where "userName" <> 'admin'`.execute(server.db);
  expect((await toldOf(seeing.id)).get('bindRoleMenus')?.demands).toContain(failures.approversTooFew.msg);
  await setParam(server.db, 'approval.enabled', 'false');
});

it('tells who reaches a menu, by which of their roles, and what it opens', async () => {
  const { id, roleId, username } = await buildOperator(server.db, {
    grants: ['/main/pms/menu', 'pms:menu:add'],
  });
  const other = await buildOperator(server.db);
  const menu = await server.db
    .selectFrom('menu')
    .select('id')
    .where('path', '=', 'pms:menu:add')
    .executeTakeFirstOrThrow();
  const reached = given((await admin.call(explainMenu, menu)).envelope.data);
  expect(reached.menu).toBe('权限管理 / 菜单管理 / 新增菜单');
  const role = { id: roleId, desc: `角色 ${username}` };
  expect(reached.operators).toContainEqual({ id, userName: username, disabled: false, roles: [role] });
  expect(reached.operators.map((each) => each.id)).not.toContain(other.id);
  expect(reached.roles).toContainEqual(role);
  expect(reached.opens).toEqual([
    {
      target: 'addMenu',
      kind: 'CALL',
      title: '新增菜单',
      place: '权限管理 / 菜单管理',
      pattern: '/pms/menu/add',
      whole: true,
    },
  ]);
  const screen = await server.db
    .selectFrom('menu')
    .select('id')
    .where('path', '=', '/main/pms/menu')
    .executeTakeFirstOrThrow();
  const opened = given((await admin.call(explainMenu, screen)).envelope.data).opens;
  expect(opened).toContainEqual(
    expect.objectContaining({ target: '/main/pms/menu', kind: 'SCREEN', pattern: null }),
  );
  expect(opened.map(({ target }) => target)).toContain('listMenus');
});

it('compares two roles: what only the one, only the other and both bundle and open', async () => {
  const one = await buildOperator(server.db, { grants: ['/main/pms/role', 'pms:role:add'] });
  const two = await buildOperator(server.db, { grants: ['/main/pms/role', '/main/pms/operator'] });
  const { data } = (await admin.call(compareRoles, { id: one.roleId, otherId: two.roleId })).envelope;
  const { menus, targets } = given(data);
  expect(menus.map(({ menu, first, second }) => [menu, first, second])).toEqual(
    expect.arrayContaining([
      ['权限管理 / 角色管理', true, true],
      ['权限管理 / 角色管理 / 新增角色', true, false],
      ['权限管理 / 操作员管理', false, true],
    ]),
  );
  expect(menus).toHaveLength(3);
  const sides = new Map(targets.map(({ target, first, second }) => [target, `${first} ${second}`]));
  expect(sides.get('/main/pms/role')).toBe('ALLOWED ALLOWED');
  expect(sides.get('/main/pms/operator')).toBe('DENIED ALLOWED');
  expect(sides.get('addRole')).toBe('ALLOWED DENIED');
  expect(sides.get('listOperators')).toBe('DENIED ALLOWED');
  expect(sides.get('listRoles')).toBe('ALLOWED ALLOWED');
  expect(sides.has('addOperator')).toBe(false);
  expect(sides.has('logout')).toBe(false);
});

it('refuses what is not there at its field', async () => {
  const wrong = await admin.call(explainOperator, { id: 1, target: 'noSuchCall' });
  expect(wrong.envelope).toMatchObject({ success: false, data: { errors: { target: '对象不存在' } } });
  const gone = await admin.call(compareRoles, { id: 1, otherId: 987_654 });
  expect(gone.envelope).toMatchObject({ success: false, data: { errors: { otherId: '记录不存在' } } });
  expect((await admin.call(explainMenu, { id: 987_654 })).envelope.msg).toBe('记录不存在');
});
