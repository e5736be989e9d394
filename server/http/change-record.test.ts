import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addListView } from '#contract/list-preferences.ts';
import { addOperator, bindOperatorRoles } from '#contract/operators.ts';
import { addRole, updateRole } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const newest = async (call: string) => {
  const rows = await server.db
    .selectFrom('change_record')
    .selectAll()
    .where('call', '=', call)
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  return rows[0];
};

describe('the change record', () => {
  it('says who did what on which row, from where, with what outcome, and what changed', async () => {
    const admin = await server.admin();
    const id = given((await admin.call(addRole, { desc: '之前', name: 'recorded' })).envelope.data);
    await admin.call(updateRole, { id, desc: '之后', name: 'recorded' });
    expect(await newest('updateRole')).toMatchObject({
      userName: 'admin',
      summary: '编辑角色',
      targetId: String(id),
      input: { id, desc: '之后', name: 'recorded' },
      before: { id, desc: '之前', name: 'recorded' },
      after: { id, desc: '之后', name: 'recorded' },
      outcome: 'SUCCESS',
    });
  });

  it('keeps refusals and denials', async () => {
    const admin = await server.admin();
    await admin.call(addRole, { desc: '', name: '' });
    expect(await newest('addRole')).toMatchObject({ outcome: 'REFUSED', msg: '角色名称不能为空' });
    const { username } = await buildOperator(server.db);
    await (await server.as(username, PASSWORD)).call(addRole, { desc: 'x', name: 'x' });
    expect(await newest('addRole')).toMatchObject({
      userName: username,
      outcome: 'DENIED',
      msg: '权限不足!',
    });
  });

  it('keeps of what was turned away unread no more than tells what it was: a flood of it must not fill the disk', async () => {
    const { username } = await buildOperator(server.db);
    const nobody = await server.as(username, PASSWORD);
    const view = { screen: '/main/user/user', name: '一', address: `a=${'x'.repeat(500_000)}` } as const;
    expect((await nobody.call(addListView, view)).envelope).toMatchObject({ success: false, code: 400 });
    const { input } = given(await newest('addListView'));
    expect(input).toMatchObject({
      name: '一',
      address: expect.stringMatching(/^a=x+…（共 500002 个字符）$/),
    });
    expect(JSON.stringify(input).length).toBeLessThan(2_000);
    const admin = await server.admin();
    const roleIds = Array.from({ length: 10_001 }, (_, at) => at + 1);
    await admin.call(bindOperatorRoles, { oid: 1, roleIds });
    expect(JSON.stringify((await newest('bindOperatorRoles'))?.input).length).toBeLessThan(2_000);
  });

  it('keeps those too whose path holds what no database can', async () => {
    const admin = await server.admin();
    const { username } = await buildOperator(server.db);
    const other = await server.as(username, PASSWORD);
    for (const [client, status, outcome] of [
      [admin, 200, 'REFUSED'],
      [other, 403, 'DENIED'],
    ] as const) {
      const answer = await fetch(`${server.origin}/api/pms/role/deleteById/%00${outcome}`, {
        headers: { authorization: `Bearer ${client.token}` },
      });
      expect(answer.status).toBe(status);
      expect(await newest('deleteRole')).toMatchObject({ outcome, targetId: outcome });
    }
  });

  it('holds no secret of any call, successful, refused or denied', async () => {
    const admin = await server.admin();
    const canary = 'Canary-7f3a9c-secret';
    await admin.call(addOperator, { userName: 'canary-bearer', password: canary });
    await admin.call(addOperator, { userName: 'canary-bearer', password: canary });
    await server.anonymous.call(login, {
      username: 'canary-bearer',
      password: `${canary}x`,
      googleCode: '918273',
    });
    const { username } = await buildOperator(server.db);
    await (await server.as(username, PASSWORD)).call(addOperator, { userName: 'y', password: canary });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from change_record where to_jsonb(change_record)::text ~ 'Canary-7f3a9c|918273'`.execute(
      server.db,
    );
    expect(rows[0]?.n).toBe(0);
  });

  it.each(['update change_record set msg = null', 'delete from change_record', 'truncate change_record'])(
    'refuses the application’s own “%s”',
    async (statement) => {
      await expect(sql.raw(statement).execute(server.db)).rejects.toMatchObject({ code: '42501' });
    },
  );
});
