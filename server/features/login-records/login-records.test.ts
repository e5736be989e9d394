import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageChangeRecords } from '#contract/change-records.ts';
import { pageLoginRecords } from '#contract/login-records.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { login, refreshToken } from '#contract/sign-in.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { deleteOldLoginRecords } from './login-record-store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let addresses = 0;
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
const newAddress = (): string => `10.4.0.${++addresses}`;
const tryAs = (username: string, password: string, address: string) =>
  server.anonymous.call(login, { username, password }, from(address));

const logOf = async (filter: Parameters<typeof pageRecords>[0]) => (await pageRecords(filter))?.data ?? [];
const pageRecords = async (filter: { userName?: string; address?: string; outcome?: 'LOCKED' | 'SUCCESS' }) =>
  (await (await server.admin()).call(pageLoginRecords, filter)).envelope.data;
const changesOf = async (call: string) => {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from change_record where call = ${call}`.execute(server.db);
  return rows[0]?.n;
};

describe('the log of sign-ins', () => {
  it('has a line for each sign-in and failure, with its operator and address, and the change record has none', async () => {
    const { id, username } = await buildOperator(server.db);
    const address = newAddress();
    await tryAs(username.toUpperCase(), 'wrong', address);
    await tryAs(username, PASSWORD, address);
    const lines = await logOf({ userName: username });
    expect(lines).toMatchObject([
      { operatorId: id, userName: username, address, outcome: 'SUCCESS', msg: '登录成功' },
      { operatorId: id, userName: username, address, outcome: 'REJECTED', msg: '账号、密码或谷歌验证码错误' },
    ]);
    expect(await changesOf('login')).toBe(0);
  });

  it('says of an unknown name that no operator has it', async () => {
    const username = `ghost-${randomUUID()}`;
    await tryAs(username, 'wrong', newAddress());
    expect(await logOf({ userName: username })).toMatchObject([{ operatorId: null, outcome: 'REJECTED' }]);
  });

  it('says which failure closed the account, and has one line a minute of an address that goes on', async () => {
    const { username } = await buildOperator(server.db);
    for (let n = 0; n < 5; n++) await tryAs(username, 'wrong', newAddress());
    const [closing] = await logOf({ userName: username });
    expect(closing?.msg).toBe('账号、密码或谷歌验证码错误，账号锁定 30 秒');
    const stubborn = newAddress();
    for (let n = 0; n < 4; n++) await tryAs(username, PASSWORD, stubborn);
    await tryAs(username, PASSWORD, newAddress());
    const locked = () => logOf({ userName: username, outcome: 'LOCKED' });
    expect((await locked()).filter(({ address }) => address === stubborn)).toHaveLength(1);
    expect(await locked()).toHaveLength(2);
    const since = newAddress();
    await sql`
      insert into login_record ("createTime", "userName", address, agent, outcome, msg)
      values (clock_timestamp() - interval '61 seconds', ${username}, ${since}, 'a', 'LOCKED', 'm')`.execute(
      server.db,
    );
    for (let n = 0; n < 2; n++) await tryAs(username, PASSWORD, since);
    expect(await logOf({ address: since })).toHaveLength(2);
  });

  it('names whose closed account was tried, in one line however the name was written', async () => {
    const { id, username } = await buildOperator(server.db);
    const ghost = `ghost-${randomUUID()}`;
    const wide = (name: string) =>
      name.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
    for (const name of [username, ghost]) {
      for (let n = 0; n < 5; n++) await tryAs(name, 'wrong', newAddress());
      const stubborn = newAddress();
      for (const written of [wide(name), name.toUpperCase(), name]) await tryAs(written, 'wrong', stubborn);
      expect(await logOf({ address: stubborn })).toMatchObject([
        { operatorId: name === username ? id : null, userName: name, outcome: 'LOCKED' },
      ]);
    }
  });

  it('has no renewals, nor has the change record', async () => {
    const { username } = await buildOperator(server.db);
    const { envelope } = await tryAs(username, PASSWORD, newAddress());
    const renew = (token: string) => server.anonymous.call(refreshToken, { refresh_token: token });
    expect((await renew(envelope.data?.refresh_token ?? '')).envelope.success).toBe(true);
    expect((await renew('no such token')).envelope.code).toBe(401);
    expect(await logOf({ userName: username })).toHaveLength(1);
    expect(await changesOf('refreshToken')).toBe(0);
    const admin = await server.admin();
    expect((await admin.call(pageChangeRecords, { summary: '刷新' })).envelope.data?.totalCount).toBe(0);
  });

  it('is searched by a part of the address, by outcome and by time', async () => {
    const { username } = await buildOperator(server.db);
    await tryAs(username, PASSWORD, '10.5.66.77');
    expect(await logOf({ address: '5.66.7', outcome: 'SUCCESS' })).toHaveLength(1);
    expect(await logOf({ address: '5.66.7', outcome: 'LOCKED' })).toHaveLength(0);
    const admin = await server.admin();
    const past = { createTimeRange: ['2000-01-01 00:00:00', '2000-01-02 00:00:00'] as [string, string] };
    expect((await admin.call(pageLoginRecords, past)).envelope.data?.totalCount).toBe(0);
  });

  it.each(['update login_record set msg = msg', 'truncate login_record'])(
    'refuses “%s”',
    async (statement) => {
      await expect(sql.raw(statement).execute(server.db)).rejects.toMatchObject({ code: '42501' });
    },
  );
});

describe('how long it is kept', () => {
  const setDays = async (value: string) => {
    const admin = await server.admin();
    const params = (await admin.call(listParamSettings, {})).envelope.data ?? [];
    const param = params.find(({ key }) => key === 'retention.loginRecordDays');
    if (!param) throw new Error('no such parameter');
    return (await admin.call(updateParamSetting, { ...param, value })).envelope;
  };
  const old = (days: number, count: number) =>
    sql`insert into login_record ("createTime", "userName", address, outcome, msg)
      select now() - make_interval(days => ${days}, hours => 1), 'aged', 'a', 'REJECTED', 'm' from generate_series(1, ${count})`.execute(
      server.db,
    );

  it('is what its parameter says: older lines go in batches, 0 keeps them all', async () => {
    await old(10, 25);
    await old(9, 3);
    expect(await setDays('0')).toMatchObject({ success: true });
    expect(await deleteOldLoginRecords(server.db, 10)).toBe(0);
    expect(await setDays('10')).toMatchObject({ success: true });
    const deleted = [];
    for (let n = 0; n < 4; n++) deleted.push(await deleteOldLoginRecords(server.db, 10));
    expect(deleted).toEqual([10, 10, 5, 0]);
    expect(await logOf({ userName: 'aged' })).toHaveLength(3);
    expect(await setDays('3')).toMatchObject({ success: false, msg: '参数值不能少于 7 天（0 为永久保留）' });
  });
});
