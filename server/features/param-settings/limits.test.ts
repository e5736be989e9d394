import { afterAll, beforeAll, expect, it } from 'vitest';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { createUser, placeDeposit, placeWithdrawal } from '#contract/platform.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('orders keep to the limits of the parameters from the moment they are set', async () => {
  const admin = await server.admin();
  const platform = server.site();
  const userId = given((await platform.call(createUser, { nickName: '限额' })).envelope.data);
  const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
  const set = async (key: string, value: string) => {
    const param = params.find((each) => each.key === key);
    if (param) await admin.call(updateParamSetting, { ...param, value });
  };
  const deposit = async (amount: string) =>
    (await platform.call(placeDeposit, { userId, amount, type: 'BANK_TRANSFER', bankOrderNo: `d${amount}` }))
      .envelope;
  expect((await deposit('1')).success).toBe(true);
  await set('deposit.minAmount', '10');
  await set('deposit.maxAmount', '100.5');
  expect((await deposit('9.9999')).msg).toBe('金额不能低于 10.00');
  for (const edge of ['10', '100.5']) expect((await deposit(edge)).success).toBe(true);
  expect((await deposit('100.5001')).msg).toBe('金额不能高于 100.50');
  await set('withdraw.minAmount', '50');
  const withdrawal = { userId, amount: '49', bankOrderNo: 'w49', receiveAccount: { accountNo: '1' } };
  expect((await platform.call(placeWithdrawal, withdrawal)).envelope.msg).toBe('金额不能低于 50.00');
});
