import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { addBalance, subtractBalance } from '#contract/accounts.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function demandAbove(value: string): Promise<void> {
  const admin = await server.admin();
  const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
  const param = params.find(({ key }) => key === 'account.remarkAbove');
  if (!param) throw new Error('no such parameter');
  expect((await admin.call(updateParamSetting, { ...param, value })).envelope.success).toBe(true);
}

describe('the remark of a manual credit or debit', () => {
  it('stands in the ledger behind the operator, and in the change record', async () => {
    const admin = await server.admin();
    const { accountId: id, userId } = await buildUser(server.db);
    const remark = '补发 3 月 "活动" & 奖励';
    expect((await admin.call(addBalance, { id, balance: '8', remark })).envelope.success).toBe(true);
    await admin.call(subtractBalance, { id, balance: '3' });
    const ledger = (await admin.call(pageAccountHistory, { userId })).envelope.data?.data;
    expect(ledger?.map(({ desc }) => desc)).toEqual(['操作员 admin', `操作员 admin：${remark}`]);
    const records = (await admin.call(pageChangeRecords, { summary: '人工加款' })).envelope.data?.data;
    expect(records?.[0]?.input).toEqual({ id, balance: '8', remark });
  });

  it('is refused beyond its length at the field, and changes nothing', async () => {
    const admin = await server.admin();
    const { accountId: id, userId } = await buildUser(server.db);
    const longest = '备'.repeat(200);
    expect((await admin.call(addBalance, { id, balance: '1', remark: longest })).envelope.success).toBe(true);
    const { envelope } = await admin.call(addBalance, { id, balance: '1', remark: `${longest}注` });
    expect(envelope).toMatchObject({
      success: false,
      data: { errors: { remark: '备注不能超过 200 个字符' } },
    });
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('1.00');
  });

  it('is demanded above the amount of a parameter, where it is not 0', async () => {
    const admin = await server.admin();
    const { accountId: id, userId } = await buildUser(server.db, { balance: '5000' });
    await demandAbove('1000.5');
    for (const call of [addBalance, subtractBalance]) {
      expect((await admin.call(call, { id, balance: '1000.5' })).envelope.success).toBe(true);
      expect((await admin.call(call, { id, balance: '1000.5001' })).envelope).toMatchObject({
        success: false,
        msg: '金额超过 1,000.50 须填写备注',
        data: { errors: { remark: '金额超过 1,000.50 须填写备注' } },
      });
      expect((await admin.call(call, { id, balance: '1000.5001', remark: '核对过' })).envelope.success).toBe(
        true,
      );
    }
    await demandAbove('0');
    expect((await admin.call(addBalance, { id, balance: '999999' })).envelope.success).toBe(true);
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('1004999.00');
  });
});
