import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBalance, pageAccounts } from '#contract/accounts.ts';
import { contract, type EndpointName } from '#contract/all.ts';
import { pageApprovals, rejectApproval, releaseApproval, withdrawApproval } from '#contract/approvals.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { registry } from '#server/features/registry.ts';
import { unwrap } from '#server/http/handler.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let second: Awaited<ReturnType<typeof fullOperator>>;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  second = await fullOperator(server);
  await setParam(server.db, 'approval.moneyAbove', '1000');
});
afterAll(() => server.close());

const enforce = (value: boolean) => setParam(server.db, 'approval.enabled', String(value));
const totalOf = async (userId: number) =>
  (await admin.call(pageAccounts, { userId })).envelope.data?.data[0]?.totalAmount;

const declaring = Object.entries<AnyEndpoint>(contract).flatMap(([name, { approval, kind, access }]) =>
  approval ? [{ name: name as EndpointName, kind, access }] : [],
);

it.each(declaring)('$name can be undone and done again, by an operator', ({ name, kind, access }) => {
  expect(kind).toBe('command');
  expect(access).toBeTypeOf('object');
  expect(unwrap(registry[name]).own).toBe(false);
});

describe('a credit by hand above the parameter', () => {
  it('takes effect at once while approvals are off, and below the parameter always', async () => {
    const [player, other] = [await buildUser(server.db), await buildUser(server.db)];
    const add = async (id: number, balance: string) =>
      (await admin.call(addBalance, { id, balance })).envelope.data;
    await enforce(false);
    expect(await add(player.accountId, '5000')).toBe(true);
    await enforce(true);
    expect(await add(other.accountId, '1000')).toBe(true);
    expect(await totalOf(player.userId)).toBe('5000.00');
    expect(await totalOf(other.userId)).toBe('1000.00');
  });

  it('waits with its preview, and is executed once when somebody else releases it', async () => {
    await enforce(true);
    const player = await buildUser(server.db, { balance: '10' });
    const asked = { id: player.accountId, balance: '1000.5', remark: '活动补发' };
    const id = waiting(await admin.call(addBalance, asked));
    expect(await totalOf(player.userId)).toBe('10.00');
    expect(await approvalSeenBy(admin, id)).toMatchObject({ own: true, releasable: false });
    expect(await approvalSeenBy(second.client, id)).toMatchObject({
      status: 'PENDING',
      maker: 'admin',
      summary: '人工加款',
      why: '人工加扣款超过 1,000.00',
      reason: '活动补发',
      targetId: String(player.accountId),
      input: { balance: '1000.5', remark: '活动补发' },
      before: { totalAmount: '10.00' },
      after: { totalAmount: '1010.50' },
      own: false,
      releasable: true,
      age: expect.any(Number),
    });
    const { createTime, expireTime } = await approvalSeenBy(second.client, id);
    expect(Date.parse(expireTime) - Date.parse(createTime)).toBeCloseTo(24 * 3_600_000, -4);
    await sql`update approval set "createTime" = "createTime" - interval '90 seconds' where id = ${id}`.execute(
      server.db,
    );
    expect((await approvalSeenBy(second.client, id)).age).toBeGreaterThanOrEqual(90);
    expect((await admin.call(releaseApproval, { id, reason: '自己' })).envelope.msg).toBe(
      '不能复核自己提交的操作',
    );
    const released = await second.client.call(releaseApproval, { id, reason: '已核对' });
    expect(released.envelope).toMatchObject({ success: true, data: true, msg: '已放行并执行' });
    expect(await totalOf(player.userId)).toBe('1010.50');
    expect((await second.client.call(releaseApproval, { id })).envelope.msg).toBe('该复核已放行，不能再处理');
    expect(await totalOf(player.userId)).toBe('1010.50');
    const seen = await approvalSeenBy(admin, id);
    expect(seen).toMatchObject({ status: 'RELEASED', checker: second.username, decideReason: '已核对' });
  });

  it('leaves a line of who prepared it and a line of who released it', async () => {
    await enforce(true);
    const player = await buildUser(server.db);
    const id = waiting(await admin.call(addBalance, { id: player.accountId, balance: '2000' }));
    await second.client.call(releaseApproval, { id });
    const about = async (targetId: number, summary: string) =>
      (await admin.call(pageChangeRecords, { targetId: String(targetId), summary })).envelope.data?.data;
    expect(await about(player.accountId, '人工加款')).toMatchObject([
      {
        outcome: 'SUCCESS',
        userName: 'admin',
        before: { totalAmount: '0.00' },
        after: { totalAmount: '2000.00' },
        msg: `由“${second.username}”放行（复核编号 ${id}）`,
      },
      { outcome: 'PREPARED', userName: 'admin', after: { approvalId: id }, msg: '已提交复核' },
    ]);
    expect(await about(id, '放行复核')).toMatchObject([
      { outcome: 'SUCCESS', userName: second.username, after: { status: 'RELEASED', maker: 'admin' } },
    ]);
  });

  it('is refused when the ground has changed, when it is rejected, and when its maker took it back', async () => {
    await enforce(true);
    const player = await buildUser(server.db);
    const ask = async () => waiting(await admin.call(addBalance, { id: player.accountId, balance: '3000' }));
    const changed = await ask();
    await admin.call(addBalance, { id: player.accountId, balance: '1' });
    expect((await second.client.call(releaseApproval, { id: changed })).envelope.msg).toBe(
      '提交之后情况已变化，与预览不符，不能放行，请驳回后重新提交',
    );
    expect((await approvalSeenBy(admin, changed)).status).toBe('PENDING');
    const rejection = { id: changed, reason: '余额不对' };
    expect((await admin.call(rejectApproval, rejection)).envelope.msg).toBe('不能复核自己提交的操作');
    expect((await second.client.call(rejectApproval, rejection)).envelope.success).toBe(true);
    const withdrawn = await ask();
    expect((await second.client.call(withdrawApproval, { id: withdrawn })).envelope.msg).toBe(
      '只能撤回自己提交的操作',
    );
    expect((await admin.call(withdrawApproval, { id: withdrawn })).envelope.success).toBe(true);
    for (const id of [changed, withdrawn])
      expect((await second.client.call(releaseApproval, { id })).envelope.success).toBe(false);
    expect(await totalOf(player.userId)).toBe('1.00');
    const { data } = (await admin.call(pageApprovals, { status: 'WITHDRAWN' })).envelope;
    expect(data?.data.map(({ id }) => id)).toEqual([withdrawn]);
  });
});
