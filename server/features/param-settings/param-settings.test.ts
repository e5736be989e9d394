import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getConsoleSettings } from '#contract/console-settings.ts';
import { confirmStepUp } from '#contract/google-keys.ts';
import { listCurrentMenus } from '#contract/menus.ts';
import { cleanGoogleKey, listOperators, resetGoogleKey } from '#contract/operators.ts';
import {
  addParamSetting,
  deleteParamSetting,
  listParamSettings,
  updateParamSetting,
} from '#contract/param-settings.ts';
import { listRoles } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { replaceRoles } from '#server/features/operators/operator-store.ts';
import { knownParams } from '#server/params/known-params.ts';
import { readParam } from '#server/params/read-param.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function paramOf(key: string) {
  const list = (await (await server.admin()).call(listParamSettings, {})).envelope.data ?? [];
  const param = list.find((each) => each.key === key);
  if (!param) throw new Error(`no parameter ${key}`);
  return param;
}

async function setParam(key: string, value: string) {
  return (await server.admin()).call(updateParamSetting, { ...(await paramOf(key)), value });
}

describe('system parameters', () => {
  it('are seeded with title, key and value for everything the product reads', async () => {
    for (const [key, { title, initial }] of Object.entries(knownParams))
      expect(await paramOf(key)).toMatchObject({ title, value: initial, system: true });
  });

  it('tell every operator of the watermark, which is off at first', async () => {
    const { username } = await buildOperator(server.db);
    const anybody = await server.as(username, PASSWORD);
    const shown = async () => (await anybody.call(getConsoleSettings, {})).envelope.data;
    expect(await shown()).toMatchObject({ watermark: false });
    await setParam('console.watermark', 'true');
    expect(await shown()).toMatchObject({ watermark: true });
    await setParam('console.watermark', 'false');
  });

  it('tell every operator which day it is in the report, whose days begin by a parameter', async () => {
    const { username } = await buildOperator(server.db);
    const anybody = await server.as(username, PASSWORD);
    const told = async () => (await anybody.call(getConsoleSettings, {})).envelope.data?.reportDay;
    const days = async () => {
      const { rows } = await sql<{ own: string; before: string }>`
        select current_date::text as own, (current_date - 1)::text as before`.execute(server.db);
      return given(rows[0]);
    };
    const { own, before } = await days();
    expect(await told()).toEqual({ today: own, dayStart: '00:00' });
    // Beginning with the last minute of a day, that of yesterday goes on until then.
    await setParam('report.dayStart', '23:59');
    expect([before, (await days()).before]).toContain((await told())?.today);
    expect((await told())?.dayStart).toBe('23:59');
    await setParam('report.dayStart', '00:00');
  });

  it('are added, edited and deleted, the newest first, an empty value included', async () => {
    const admin = await server.admin();
    const id = given(
      (await admin.call(addParamSetting, { title: '客服链接', key: 'site.support', value: '' })).envelope
        .data,
    );
    expect((await admin.call(listParamSettings, {})).envelope.data?.[0]).toEqual({
      id,
      version: 1,
      title: '客服链接',
      key: 'site.support',
      value: '',
      system: false,
    });
    const edited = { id, title: '客服', key: 'site.help', value: '<b>=1+1</b>' };
    expect((await admin.call(updateParamSetting, edited)).envelope).toMatchObject({ msg: '修改成功' });
    expect(await paramOf('site.help')).toEqual({ ...edited, version: 2, system: false });
    expect((await admin.call(deleteParamSetting, { id })).envelope.success).toBe(true);
    expect((await admin.call(deleteParamSetting, { id })).envelope.msg).toBe('记录不存在');
    expect((await admin.call(updateParamSetting, edited)).envelope.msg).toBe('记录不存在');
  });

  it('refuse a key that stands already, at the field', async () => {
    const admin = await server.admin();
    const taken = { title: 'x', key: 'draw.autoGenerate', value: 'true' };
    expect((await admin.call(addParamSetting, taken)).envelope).toMatchObject({
      success: false,
      data: { errors: { key: '参数键已存在' } },
    });
    const own = { title: 'x', key: 'own.key', value: '' };
    const id = given((await admin.call(addParamSetting, own)).envelope.data);
    expect((await admin.call(updateParamSetting, { id, ...taken })).envelope).toMatchObject({
      data: { errors: { key: '参数键已存在' } },
    });
  });

  it.each([
    ['draw.autoGenerate', 'maybe', '参数值须为是或否'],
    ['draw.autoGenerate', '', '参数值不能为空'],
    ['withdraw.minAmount', '-1', '参数值不能小于 0'],
    ['withdraw.minAmount', '1e3', '参数值须为不超过 4 位小数的数字'],
    ['withdraw.maxAmount', '１００', '参数值须为不超过 4 位小数的数字'],
    ['anchor.webhookUrl', 'http://user:pw@host.example/', '不允许访问该地址：网址中不能带有账号或密码'],
    ['anchor.webhookUrl', 'https://host.example:25/', '不允许访问该地址：端口 25 不可用'],
    ['anchor.webhookUrl', 'host.example', '参数值须为 http 或 https 网址'],
  ])('%s cannot become %j', async (key, value, msg) => {
    const before = await paramOf(key);
    expect((await setParam(key, value)).envelope).toMatchObject({ success: false, msg });
    expect(await paramOf(key)).toEqual(before);
  });

  it('keep a highest amount above its lowest, unless 0 lifts the limit', async () => {
    expect((await setParam('withdraw.minAmount', '100.5')).envelope.success).toBe(true);
    expect((await setParam('withdraw.maxAmount', '100')).envelope.msg).toBe('最高金额不能小于最低金额');
    expect((await setParam('withdraw.maxAmount', '100.5')).envelope.success).toBe(true);
    expect((await setParam('withdraw.minAmount', '100.51')).envelope.msg).toBe('最高金额不能小于最低金额');
    expect((await setParam('withdraw.maxAmount', '0')).envelope.success).toBe(true);
  });

  it('keep it so too when two set one each at the same moment', async () => {
    const admin = await server.admin();
    const [lowest, highest] = [await paramOf('deposit.minAmount'), await paramOf('deposit.maxAmount')];
    const set = ({ version: _, ...param }: typeof lowest, value: string) =>
      admin.call(updateParamSetting, { ...param, value });
    for (let round = 0; round < 8; round++) {
      await set(lowest, '0');
      await set(highest, '0');
      const both = await Promise.all([set(lowest, '200'), set(highest, '100')]);
      expect(both.filter(({ envelope }) => envelope.success)).toHaveLength(1);
    }
    await set(lowest, '0');
    await set(highest, '0');
  });

  it('that the product reads keep their key and stay', async () => {
    const admin = await server.admin();
    const param = await paramOf('draw.autoGenerate');
    const msg = '此参数由系统使用，不能删除，也不能修改参数键';
    expect((await admin.call(deleteParamSetting, { id: param.id })).envelope.msg).toBe(msg);
    expect((await admin.call(updateParamSetting, { ...param, key: 'x' })).envelope.msg).toBe(msg);
  });

  it('say that approvals have too few operators, in whatever way they are turned on', async () => {
    const few = expect.stringContaining('操作员不足两名');
    for (const value of ['1', 'true']) {
      expect((await setParam('approval.enabled', value)).envelope).toMatchObject({ success: true, msg: few });
      await sql`update param_setting set value = 'false' where key = 'approval.enabled'`.execute(server.db);
      await bumpEpoch(server.db, 'everyone');
    }
  });

  it('hold with their commit, typed', async () => {
    await setParam('draw.autoGenerate', 'false');
    expect(await readParam(server.db, 'draw.autoGenerate')).toBe(false);
    await setParam('draw.autoGenerate', 'true');
    expect(await readParam(server.db, 'draw.autoGenerate')).toBe(true);
    await setParam('deposit.minAmount', '12.50');
    expect(await readParam(server.db, 'deposit.minAmount')).toBe('12.50');
  });
});

describe('the compulsory second factor', () => {
  const signIn = (username: string, googleCode?: string) =>
    server.anonymous.call(login, { username, password: PASSWORD, ...(googleCode ? { googleCode } : {}) });

  it('turns away operators without a key, signs them out at once, and lets those with one in', async () => {
    const admin = await server.admin();
    const { username, id } = await buildOperator(server.db);
    const keyless = await server.as(username, PASSWORD);
    expect((await setParam('security.secondFactorRequired', 'true')).envelope.success).toBe(true);
    expect((await keyless.call(listCurrentMenus, {})).envelope.code).toBe(401);
    expect((await signIn(username)).envelope).toMatchObject({
      success: false,
      msg: '登录必须使用谷歌验证码，请联系管理员为您重置谷歌密钥',
    });
    const key = (await admin.call(resetGoogleKey, { id })).envelope.data?.secret ?? '';
    const inside = await signIn(username, codeOf(key));
    const client = server.withToken(inside.envelope.data?.access_token ?? '');
    expect((await client.call(listCurrentMenus, {})).envelope.code).toBe(200);
    await admin.call(cleanGoogleKey, { id });
    expect((await client.call(listCurrentMenus, {})).envelope.code).toBe(401);
    await setParam('security.secondFactorRequired', 'false');
    expect((await signIn(username)).envelope.success).toBe(true);
  });

  it('cannot be demanded by one who has no key while another with full rights has', async () => {
    const admin = await server.admin();
    const boss = given((await admin.call(listOperators, { userName: 'admin' })).envelope.data?.[0]?.id);
    const { username } = await buildOperator(server.db, { grants: ['/main/system/params-setting'] });
    const helper = await server.as(username, PASSWORD);
    const param = { ...(await paramOf('security.secondFactorRequired')), value: 'true' };
    expect((await helper.call(updateParamSetting, param)).envelope).toMatchObject({
      data: { errors: { value: '请先在“安全中心”绑定自己的谷歌验证，再开启此参数' } },
    });
    const key = await admin.call(resetGoogleKey, { id: boss });
    // From now on the parameter asks its operator for a fresh code.
    const secret = key.envelope.data?.secret ?? '';
    await admin.call(confirmStepUp, { googleCode: codeOf(secret) });
    expect((await admin.call(updateParamSetting, param)).envelope.success).toBe(true);
    expect((await helper.call(listCurrentMenus, {})).envelope.code).toBe(401);
    // Full rights are no key: they let in without one only while nobody who has them has one.
    const keyless = await buildOperator(server.db);
    const [full] = (await admin.call(listRoles, { name: 'administrator' })).envelope.data ?? [];
    await replaceRoles(server.db, keyless.id, [given(full?.id)]);
    expect((await signIn(keyless.username)).envelope.msg).toContain('登录必须使用谷歌验证码');
    await setParam('security.secondFactorRequired', 'false');
  });
});
