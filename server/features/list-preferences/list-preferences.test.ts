import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import {
  addListView,
  deleteListView,
  listPreferences,
  saveListLayout,
  startListView,
} from '#contract/list-preferences.ts';
import { bindOperatorRoles } from '#contract/operators.ts';
import { addRole } from '#contract/roles.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { meeting, waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

const screen = '/main/user/deposit-record';
const other = '/main/user/user';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const known = async (client: TestClient) => {
  const { data } = (await client.call(listPreferences, {})).envelope;
  if (!data) throw new Error('no preferences');
  return data;
};

/** Somebody with a role of their own and no grants. */
async function colleague(roleId?: number) {
  const { id, username, password } = await buildOperator(server.db, { grants: [] });
  if (roleId !== undefined) await admin.call(bindOperatorRoles, { oid: id, roleIds: [roleId] });
  return server.as(username, password);
}

describe('the layout of a list', () => {
  const layout = {
    columns: [
      { key: 'amount', hidden: false, pinned: true, width: 140 },
      { key: 'fromName', hidden: true, pinned: false },
    ],
    density: 'TIGHT' as const,
    selects: true,
  };

  it('is each operator’s own, replaced by the next, dropped by none, and leaves no line in the change record', async () => {
    const lines = async () =>
      (await admin.call(pageChangeRecords, { summary: '布局' })).envelope.data?.totalCount;
    const before = await lines();
    const one = await colleague();
    const two = await colleague();
    expect((await one.call(saveListLayout, { screen, layout })).envelope.success).toBe(true);
    await one.call(saveListLayout, { screen: other, layout: { columns: [] } });
    expect((await known(one)).layouts).toEqual(
      expect.arrayContaining([
        { screen, layout },
        { screen: other, layout: { columns: [], density: 'NORMAL', selects: false } },
      ]),
    );
    expect((await known(two)).layouts).toEqual([]);
    await one.call(saveListLayout, { screen, layout: { ...layout, density: 'NORMAL' } });
    expect((await known(one)).layouts).toContainEqual({ screen, layout: { ...layout, density: 'NORMAL' } });
    await one.call(saveListLayout, { screen });
    expect((await known(one)).layouts.map((each) => each.screen)).toEqual([other]);
    expect(await lines()).toBe(before);
  });

  it('is refused with what is wrong with it, and nothing is kept', async () => {
    const one = await colleague();
    const refused = async (input: object) =>
      (await one.call(saveListLayout, input as Parameters<typeof one.call<typeof saveListLayout>>[1]))
        .envelope;
    expect(await refused({ screen: '/main/nowhere', layout })).toMatchObject({ success: false, code: 400 });
    expect(await refused({ screen, layout: { columns: [{ key: 'amount', width: 5 }] } })).toMatchObject({
      success: false,
      code: 400,
    });
    expect((await known(one)).layouts).toEqual([]);
  });
});

describe('a view', () => {
  const address = 'status=PROCESSING&sort=-amount&columns=id%2Camount';

  it('saved for a role is opened by others who have it, and by nobody else', async () => {
    const desc = `客服${Date.now().toString(36)}`;
    const roleId = (await admin.call(addRole, { desc, name: desc })).envelope.data ?? 0;
    const id =
      (await admin.call(addListView, { screen, name: '待审大额', address, roleId })).envelope.data ?? 0;
    const inRole = await colleague(roleId);
    const outside = await colleague();
    const view = { id, screen, name: '待审大额', address, roleId, start: false };
    expect((await known(inRole)).views).toEqual([{ ...view, mine: false }]);
    expect((await known(inRole)).roles).toEqual([{ id: roleId, desc }]);
    expect((await known(outside)).views).toEqual([]);

    // One of the role may start with it, but neither drop it nor share with a role they do not have.
    expect((await inRole.call(startListView, { screen, id })).envelope.success).toBe(true);
    expect((await known(inRole)).views).toMatchObject([{ id, start: true }]);
    expect((await outside.call(startListView, { screen, id })).envelope.msg).toBe('记录不存在');
    expect((await inRole.call(deleteListView, { id })).envelope.msg).toBe('记录不存在');
    expect(
      (await outside.call(addListView, { screen, name: '我的', address, roleId })).envelope,
    ).toMatchObject({
      success: false,
      data: { errors: { roleId: '只能共享给自己拥有的角色' } },
    });

    // The same name again is the same view, which stays the start of whoever chose it.
    const again = await admin.call(addListView, { screen, name: '待审大额', address: 'status=FAIL', roleId });
    expect(again.envelope.data).toBe(id);
    expect((await known(inRole)).views).toMatchObject([{ id, address: 'status=FAIL', start: true }]);
    await inRole.call(startListView, { screen });
    expect((await known(inRole)).views).toMatchObject([{ id, start: false }]);
    expect((await admin.call(deleteListView, { id })).envelope.success).toBe(true);
    expect((await known(inRole)).views).toEqual([]);
  });

  it('saved for oneself is seen by nobody else, and starts its own screen only', async () => {
    const one = await colleague();
    const id = (await one.call(addListView, { screen, name: '自己的', address })).envelope.data ?? 0;
    expect((await known(one)).views).toMatchObject([{ id, roleId: null, mine: true }]);
    expect((await known(admin)).views.map((view) => view.id)).not.toContain(id);
    expect((await one.call(startListView, { screen: other, id })).envelope.msg).toBe('记录不存在');
  });

  it('is one where two tabs save it, or make it their start, at the same moment', async () => {
    const { id: operatorId, username, password } = await buildOperator(server.db, { grants: [] });
    const tabs = [await server.as(username, password), await server.as(username, password)];
    const saved = await meeting(server.db, 'operator', operatorId, () =>
      tabs.map((tab, at) => tab.call(addListView, { screen, name: '我的', address: `a=${at}` })),
    );
    expect(saved.met).toBe(true);
    expect(saved.answers.map(({ envelope }) => envelope.msg)).toEqual(['新增成功', '新增成功']);
    const id = Number(saved.answers[0]?.envelope.data);
    expect(saved.answers[1]?.envelope.data).toBe(id);
    const started = await meeting(server.db, 'list_view', id, () =>
      tabs.map((tab) => tab.call(startListView, { screen, id })),
    );
    expect(started.met).toBe(true);
    expect(started.answers.map(({ envelope }) => envelope.msg)).toEqual(['操作成功', '操作成功']);
  });

  it('is not started with while it goes', async () => {
    const { username, password } = await buildOperator(server.db, { grants: [] });
    const tab = await server.as(username, password);
    const id = Number((await tab.call(addListView, { screen, name: '旧', address: '' })).envelope.data);
    const { started } = await server.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('list_view').where('id', '=', id).execute();
      const call = tab.call(startListView, { screen, id });
      while ((await waitForLocks(server.db)) < 1);
      return { started: call };
    });
    expect((await started).envelope.msg).toBe('记录不存在');
  });

  it('are so many and no more: whoever shares a role with their owner is told all of them at each start', async () => {
    const one = await colleague();
    const add = (name: string, more = {}) => one.call(addListView, { screen, name, address, ...more });
    for (let n = 1; n <= 100; n++) expect((await add(`视图 ${n}`)).envelope.success).toBe(true);
    expect((await add('又一个')).envelope).toMatchObject({
      success: false,
      code: 400,
      msg: '保存的视图不能超过 100 个，请先删除不用的',
    });
    // One that takes the place of another is none more, and others have their own.
    expect((await add('视图 7', { address: 'status=FAIL' })).envelope.success).toBe(true);
    const [first] = (await known(one)).views;
    await one.call(deleteListView, { id: given(first?.id) });
    expect((await add('又一个')).envelope.success).toBe(true);
    expect((await known(one)).views).toHaveLength(100);
  });
});
