import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addGameCategory } from '#contract/game-categories.ts';
import { addGame, pageGames, updateGame } from '#contract/games.ts';
import { listMenus } from '#contract/menus.ts';
import {
  addNewsCategory,
  deleteNewsCategory,
  listNewsCategories,
  updateNewsCategory,
} from '#contract/news-categories.ts';
import { openApiDocument } from '#contract/openapi.ts';
import { bindOperatorRoles } from '#contract/operators.ts';
import { addRole, bindRoleMenus, listRoles } from '#contract/roles.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const STALE = '该记录已被其他人修改，请核对后再提交';

const newest = async (call: string) => {
  const rows = server.db
    .selectFrom('change_record')
    .selectAll()
    .where('call', '=', call)
    .orderBy('id', 'desc');
  return rows.limit(1).executeTakeFirst();
};

async function buildCategory(name: string): Promise<number> {
  return given((await (await server.admin()).call(addNewsCategory, { name })).envelope.data);
}

describe('an edit of a row that was changed meanwhile', () => {
  it('is refused with the row as it is now, changes nothing, and is recorded as refused', async () => {
    const admin = await server.admin();
    const id = await buildCategory('原名');
    await admin.call(updateNewsCategory, { id, version: 1, name: '甲改' });
    const { status, envelope } = await admin.call(updateNewsCategory, { id, version: 1, name: '乙改' });
    expect({ status, ...envelope }).toEqual({
      ...{ status: 200, success: false, code: 400, msg: STALE },
      data: { current: { id, version: 2, name: '甲改' } },
    });
    expect((await admin.call(listNewsCategories, {})).envelope.data).toContainEqual({
      id,
      version: 2,
      name: '甲改',
    });
    expect(await newest('updateNewsCategory')).toMatchObject({
      ...{ outcome: 'REFUSED', msg: STALE, before: null, after: null, targetId: String(id) },
    });
    const again = await admin.call(updateNewsCategory, { id, version: 2, name: '乙改' });
    expect(again.envelope.msg).toBe('修改成功');
  });

  it('wins when it does not say what it was made from', async () => {
    const admin = await server.admin();
    const id = await buildCategory('不问版本');
    await admin.call(updateNewsCategory, { id, name: '先' });
    await admin.call(updateNewsCategory, { id, name: '后' });
    expect(await newest('updateNewsCategory')).toMatchObject({
      ...{ before: { id, name: '先', version: 2 }, after: { id, name: '后', version: 3 } },
    });
  });

  it('finds nothing once the row is gone', async () => {
    const admin = await server.admin();
    const id = await buildCategory('将删');
    await admin.call(deleteNewsCategory, { id });
    const { envelope } = await admin.call(updateNewsCategory, { id, version: 1, name: '迟到' });
    expect(envelope).toMatchObject({ success: false, msg: '记录不存在', data: null });
  });

  it('is told of a game with what its lists show: its phase, times and numbers', async () => {
    const admin = await server.admin();
    const categoryId = given((await admin.call(addGameCategory, { name: '编辑' })).envelope.data);
    const fields = { name: '同时编辑', categoryId, openRate: 300, stopBetSecond: 10 };
    const timeRanges = [{ start: '09:00:00', end: '10:00:00' }];
    const id = given((await admin.call(addGame, { ...fields, timeRanges })).envelope.data);
    await admin.call(updateGame, { ...fields, id, numbers: [{ number: '01' }], openRate: 600 });
    const [shown] = (await admin.call(pageGames, { name: '同时编辑' })).envelope.data?.data ?? [];
    const { envelope } = await admin.call(updateGame, { ...fields, id, version: 1 });
    expect(envelope).toMatchObject({ msg: STALE, data: { current: shown } });
  });
});

describe('rights that somebody else changed since they were seen', () => {
  it('are not overwritten: the menus of a role, also where it had none', async () => {
    const admin = await server.admin();
    const rid = given((await admin.call(addRole, { desc: '两人分配', name: 'bound-by-two' })).envelope.data);
    const [first, second] = (await admin.call(listMenus, { type: 'FOLDER' })).envelope.data ?? [];
    const [one, other] = [given(first?.id), given(second?.id)];
    expect((await admin.call(bindRoleMenus, { rid, menuIds: [one], seen: [] })).envelope.success).toBe(true);
    for (const seen of [[], [other], [one, other]]) {
      const { envelope } = await admin.call(bindRoleMenus, { rid, menuIds: [other], seen });
      expect(envelope).toMatchObject({
        ...{ success: false, code: 400, msg: STALE },
        data: { current: { menuIds: [one], seen: [one] } },
      });
    }
    const held = async () =>
      (await admin.call(listRoles, { name: 'bound-by-two' })).envelope.data?.[0]?.hasMenus;
    expect(await held()).toEqual([{ id: one }]);
    const both = await admin.call(bindRoleMenus, { rid, menuIds: [one, other], seen: [one] });
    expect(both.envelope.success).toBe(true);
    expect((await admin.call(bindRoleMenus, { rid, menuIds: [], seen: [other, one] })).envelope.success).toBe(
      true,
    );
    expect(await held()).toEqual([]);
  });

  it('are not overwritten: the roles of an operator', async () => {
    const admin = await server.admin();
    const { id: oid, roleId } = await buildOperator(server.db);
    const another = await buildOperator(server.db);
    await admin.call(bindOperatorRoles, { oid, roleIds: [], seen: [roleId] });
    const late = await admin.call(bindOperatorRoles, {
      oid,
      roleIds: [roleId, another.roleId],
      seen: [roleId],
    });
    expect(late.envelope).toMatchObject({ msg: STALE, data: { current: { roleIds: [], seen: [] } } });
    expect((await admin.call(bindOperatorRoles, { oid, roleIds: [roleId] })).envelope.success).toBe(true);
  });

  it('and so in a form, which says an empty list by an empty text', async () => {
    const admin = await server.admin();
    const { id, roleId } = await buildOperator(server.db);
    const bind = async (body: string) => {
      const answer = await fetch(`${server.origin}/api/pms/operator/bindRoles/${id}`, {
        ...{ method: 'POST', body },
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      return answer.json();
    };
    expect(await bind('roleIds=&seen=')).toMatchObject({
      msg: STALE,
      data: { current: { roleIds: [roleId] } },
    });
    expect(await bind(`roleIds=&seen=${roleId}`)).toMatchObject({ success: true });
    expect(await bind('seen=')).toMatchObject({ data: { errors: { roleIds: '角色不能为空' } } });
    expect(await bind(`roleIds=${roleId}&seen=`)).toMatchObject({ success: true });
  });
});

describe('the change record of a call that touches several rows', () => {
  it('has them all, those that stayed excepted', async () => {
    const admin = await server.admin();
    const categoryId = given((await admin.call(addGameCategory, { name: '多行' })).envelope.data);
    const fields = { name: '多行', categoryId, openRate: 300, stopBetSecond: 10 };
    const [stays, goes] = [
      { start: '01:00:00', end: '02:00:00' },
      { start: '03:00:00', end: '04:00:00' },
    ];
    const numbers = [{ number: '01' }, { number: '02' }];
    const id = given(
      (await admin.call(addGame, { ...fields, timeRanges: [stays, goes], numbers })).envelope.data,
    );
    expect(await newest('addGame')).toMatchObject({
      targetId: String(id),
      after: { id, name: '多行', bet_time_range: [stays, goes], game_number: numbers },
    });
    const comes = { start: '05:00:00', end: '06:00:00' };
    const described = [{ number: '01', desc: '一' }, { number: '02' }];
    await admin.call(updateGame, { ...fields, id, timeRanges: [stays, comes], numbers: described });
    const record = await newest('updateGame');
    expect(record).toMatchObject({
      before: { id, version: 1, bet_time_range: [goes], game_number: [{ number: '01', desc: null }] },
      after: { id, version: 2, bet_time_range: [comes], game_number: [{ number: '01', desc: '一' }] },
    });
    const { before, after } = record as unknown as Record<string, { game_number: unknown[] }>;
    expect([before?.game_number.length, after?.game_number.length]).toEqual([1, 1]);
  });
});

describe('two who want the same name at the same moment', () => {
  it('are told so at its field, whether they add or edit', async () => {
    const admin = await server.admin();
    const ids = await Promise.all(['一', '二', '三', '四'].map(buildCategory));
    const edits = await Promise.all(ids.map((id) => admin.call(updateNewsCategory, { id, name: '同名' })));
    const adds = await Promise.all(['新', '新', '新'].map((name) => admin.call(addNewsCategory, { name })));
    for (const answers of [edits, adds]) {
      const refused = answers.filter(({ envelope }) => !envelope.success);
      expect(refused).toHaveLength(answers.length - 1);
      for (const { envelope } of refused)
        expect(envelope).toMatchObject({
          msg: '分类名称已存在',
          data: { errors: { name: '分类名称已存在' } },
        });
    }
  });
});

it('the API document says what a stale edit is answered with', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument({ version: '1' })));
  const [, , stale] =
    document.paths['/api/news/category/update'].post.responses[200].content['application/json'].schema.oneOf;
  expect(stale.properties).toMatchObject({
    success: { const: false },
    data: { properties: { current: { $ref: '#/components/schemas/NewsCategory' } } },
  });
});
