import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { addChatSession, deleteChatSession } from '#contract/chat-sessions.ts';
import { cleanGoogleKey, resetGoogleKey } from '#contract/operators.ts';
import { addRole, listRoles } from '#contract/roles.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { under } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { claimKey } from './key-claim.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe('an idempotency key', () => {
  it('20 parallel sends: one effect, the same body for all', { retry: 0 }, async () => {
    const admin = await server.admin();
    const key = randomUUID();
    const role = { desc: '并发', name: `parallel-${key}` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => admin.call(addRole, role, under(key))),
    );
    expect(new Set(answers.map(({ envelope }) => JSON.stringify(envelope))).size).toBe(1);
    expect(answers[0]?.envelope.success).toBe(true);
    expect((await admin.call(listRoles, { name: role.name })).envelope.data).toHaveLength(1);
  });

  it('repeats a refusal too, even when it would succeed by now', async () => {
    const admin = await server.admin();
    const name = `refused-${randomUUID()}`;
    const first = await admin.call(addRole, { desc: '先', name });
    const key = randomUUID();
    expect((await admin.call(addRole, { desc: '后', name }, under(key))).envelope.msg).toBe('角色标识已存在');
    await sql`delete from role where id = ${first.envelope.data}`.execute(server.db);
    expect((await admin.call(addRole, { desc: '后', name }, under(key))).envelope.msg).toBe('角色标识已存在');
  });

  it('is refused with other parameters or for another call', async () => {
    const admin = await server.admin();
    const key = randomUUID();
    await admin.call(addRole, { desc: '一', name: `one-${key}` }, under(key));
    const reused = { success: false, code: 400, msg: '同一幂等键不能用于不同的请求' };
    expect(
      (await admin.call(addRole, { desc: '一', name: `two-${key}` }, under(key))).envelope,
    ).toMatchObject(reused);
    const { id } = await buildOperator(server.db);
    expect((await admin.call(resetGoogleKey, { id }, under(key))).envelope).toMatchObject(reused);
    // What two calls are sent may be the same.
    const other = randomUUID();
    expect((await admin.call(cleanGoogleKey, { id }, under(other))).envelope.success).toBe(true);
    expect((await admin.call(resetGoogleKey, { id }, under(other))).envelope).toMatchObject(reused);
    expect((await admin.call(listRoles, { name: `two-${key}` })).envelope.data).toEqual([]);
  });

  it('belongs to one operator', async () => {
    const grants = ['/main/pms/role', 'pms:role:add'];
    const clients = await Promise.all(
      [0, 1].map(async () => server.as((await buildOperator(server.db, { grants })).username, PASSWORD)),
    );
    const key = randomUUID();
    const ids = await Promise.all(
      clients.map(
        async (client, i) =>
          (await client.call(addRole, { desc: '各自', name: `own-${i}-${key}` }, under(key))).envelope.data,
      ),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it('that was free again is not freed by whoever had claimed it the day before', async () => {
    const admin = await server.admin();
    const { accountId: id, userId } = await buildUser(server.db);
    const key = randomUUID();
    const { rows } = await sql<{ id: number }>`select id from operator where "userName" = 'admin'`.execute(
      server.db,
    );
    const vault = createVault(server.config.secret);
    const former = {
      ...{ operatorId: given(rows[0]?.id), key, requestHash: vault.fingerprint('something else') },
      usual: { status: 200, envelope: { success: true, msg: '操作成功', data: true, code: 200 } },
    };
    const claimed = await claimKey(server.db, vault, former);
    if (claimed === 'running' || !('claim' in claimed)) throw new Error('not claimed');
    claimed.claim.end();
    await sql`update idempotency_key set "createTime" = now() - interval '25 hours' where key = ${key}`.execute(
      server.db,
    );
    const credit = () => admin.call(addBalance, { id, balance: '5' }, under(key));
    expect((await credit()).envelope.success).toBe(true);
    await claimed.claim.keep({
      ...{ status: 200, envelope: { success: false, msg: '迟到', data: null, code: 400 } },
    });
    await claimed.claim.release();
    expect((await credit()).envelope).toEqual({ success: true, msg: '操作成功', data: true, code: 200 });
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('5.00');
  });

  it('is free again after 24 hours and not before, and then kept as long anew', async () => {
    const admin = await server.admin();
    const key = randomUUID();
    const add = async (word: string) =>
      (await admin.call(addRole, { desc: word, name: `${word}-${key}` }, under(key))).envelope;
    const age = (hours: number, of = key) =>
      sql`update idempotency_key set "createTime" = now() - make_interval(hours => ${hours}) where key = ${of}`.execute(
        server.db,
      );
    const old = await add('old');
    await age(23);
    expect(await add('old')).toEqual(old);
    await age(25);
    const fresh = await add('new');
    expect(fresh.success).toBe(true);
    expect(await add('new')).toEqual(fresh);
    // A call that is looked for before its work is done goes by the same time.
    const { id } = await buildOperator(server.db);
    const slow = randomUUID();
    const reset = async () => (await admin.call(resetGoogleKey, { id }, under(slow))).envelope.data?.secret;
    const secret = await reset();
    await age(25, slow);
    expect(await reset()).not.toBe(secret);
  });

  it('gives a secret shown once again to a repeat, and keeps it sealed', async () => {
    const admin = await server.admin();
    const { id } = await buildOperator(server.db);
    const key = randomUUID();
    const first = await admin.call(resetGoogleKey, { id }, under(key));
    expect((await admin.call(resetGoogleKey, { id }, under(key))).envelope).toEqual(first.envelope);
  });

  it('claimed by a server that died runs again after half a minute, and by one that lives does not', async () => {
    const admin = await server.admin();
    const { userId } = await buildUser(server.db);
    const id = given((await admin.call(addChatSession, { userId })).envelope.data);
    const vault = createVault(server.config.secret);
    const { rows } = await sql<{ id: number }>`select id from operator where "userName" = 'admin'`.execute(
      server.db,
    );
    const key = randomUUID();
    const request = {
      operatorId: given(rows[0]?.id),
      key,
      requestHash: vault.fingerprint(JSON.stringify(['deleteChatSession', { id }])),
      usual: { status: 200, envelope: { success: true, msg: '操作成功', data: true, code: 200 } },
    };
    // What a server leaves behind that is killed at work; this one does not renew.
    const dead = await claimKey(server.db, vault, request);
    if (dead === 'running' || !('claim' in dead)) throw new Error('not claimed');
    dead.claim.end();
    const left = (seconds: number) =>
      sql`update idempotency_key set "createTime" = now() - make_interval(secs => ${seconds}) where key = ${key}`.execute(
        server.db,
      );
    await left(25);
    const early = await admin.call(deleteChatSession, { id }, under(key));
    expect(early.status).toBe(503);
    expect(early.envelope.msg).toBe('上一次相同的操作仍在进行，请稍后再试');
    await left(31);
    const other = await admin.call(deleteChatSession, { id: id + 1 }, under(key));
    expect(other.envelope.msg).toBe('同一幂等键不能用于不同的请求');
    const late = await admin.call(deleteChatSession, { id }, under(key));
    expect(late.envelope).toMatchObject({ success: true, data: true });
    // Should it only have stood still, it changes nothing any more.
    await dead.claim.keep({ status: 200, envelope: { success: false, msg: '迟到', data: null, code: 400 } });
    await dead.claim.release();
    expect((await admin.call(deleteChatSession, { id }, under(key))).envelope).toEqual(late.envelope);
  });

  it('is kept for as long as its call takes', async () => {
    const admin = await server.admin();
    const { userId } = await buildUser(server.db);
    const id = given((await admin.call(addChatSession, { userId })).envelope.data);
    const key = randomUUID();
    let deleted: Promise<{ envelope: { success: boolean } }> | undefined;
    const age = async () => {
      const { rows } = await sql<{ age: number }>`
        select extract(epoch from clock_timestamp() - "createTime")::float8 as age from idempotency_key where key = ${key}`.execute(
        server.db,
      );
      return rows[0]?.age ?? 0;
    };
    await server.db.transaction().execute(async (tx) => {
      await sql`select from chat_session where id = ${id} for update`.execute(tx);
      deleted = admin.call(deleteChatSession, { id }, under(key));
      await expect.poll(age, { timeout: 6_000 }).toBeGreaterThan(4);
      await expect.poll(age, { timeout: 6_000 }).toBeLessThan(2);
    });
    expect((await deleted)?.envelope.success).toBe(true);
  });

  it('without one every call executes', async () => {
    const admin = await server.admin();
    const names = Array.from({ length: 5 }, () => `each-${randomUUID()}`);
    const answers = await Promise.all(names.map((name) => admin.call(addRole, { desc: '每次', name })));
    expect(new Set(answers.map(({ envelope }) => envelope.data)).size).toBe(5);
  });
});
