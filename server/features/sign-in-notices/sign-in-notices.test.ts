import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageLoginRecords } from '#contract/login-records.ts';
import { activateMailConfig, addMailConfig } from '#contract/mail-configs.ts';
import { pageOutboxMails } from '#contract/mail-outbox.ts';
import { getOverview } from '#contract/overview.ts';
import { login } from '#contract/sign-in.ts';
import { getSignInNotices, noteAddresses, setOwnEmail } from '#contract/sign-in-notices.ts';
import { cleanings } from '#server/features/cleaning/cleanings.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { inZone } from '#server/testing/in-zone.ts';
import { zonePutForwardAt } from '#server/testing/put-forward.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { noteNewAddresses } from './operator-address-store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const HOME = '203.0.113.5';
const AWAY = '198.51.100.77';
async function from(address: string, username: string) {
  const headers = { 'x-forwarded-for': address, 'user-agent': 'Firefox/140.0' };
  const { envelope } = await server.anonymous.call(login, { username, password: PASSWORD }, { headers });
  const { token, call } = server.withToken(envelope.data?.access_token ?? '');
  expect(envelope.msg).toBe('登录成功');
  const as: typeof call = (endpoint, input) => call(endpoint, input, { headers });
  return { token, call: as };
}
type Client = Awaited<ReturnType<typeof from>>;
const told = async (client: Client) =>
  (await client.call(getSignInNotices, {})).envelope.data?.addresses ?? [];
const counted = async (client: Client) => (await client.call(getOverview, {})).envelope.data?.newAddresses;
const note = (client: Client) => client.call(noteAddresses, {});
const logged = async (userName: string) => {
  const { data } = (await (await server.admin()).call(pageLoginRecords, { userName })).envelope;
  return data?.data.map(({ address, msg }) => `${address} ${msg}`);
};

it('the first sign-in is no news, one from elsewhere is told on the overview and in the log until it is noted', async () => {
  const { username } = await buildOperator(server.db);
  const home = await from(HOME, username);
  expect([await told(home), await counted(home)]).toEqual([[], null]);
  await from(AWAY, username);
  expect(await told(home)).toMatchObject([{ address: AWAY, agent: 'Firefox/140.0', own: false }]);
  expect(await counted(home)).toBe(1);
  expect(await logged(username)).toEqual([`${AWAY} 登录成功（新地址）`, `${HOME} 登录成功`]);
  expect((await note(home)).envelope).toMatchObject({ success: true, msg: '已确认' });
  expect([await told(home), await counted(home)]).toEqual([[], null]);
  await from(AWAY, username);
  expect(await told(home)).toEqual([]);
});

it('of an IPv6 network another address is no news', async () => {
  const { username } = await buildOperator(server.db);
  await from('2001:db8:1:2::1', username);
  expect(await told(await from('2001:db8:1:2:ffff::9', username))).toEqual([]);
  expect(await told(await from('2001:db8:1:3::1', username))).toHaveLength(1);
});

it('whoever signed in from a new address cannot take note of it on the first day', async () => {
  const { username } = await buildOperator(server.db);
  const home = await from(HOME, username);
  const thief = await from(AWAY, username);
  await note(thief);
  expect(await told(thief)).toMatchObject([{ address: AWAY, own: true }]);
  // Nor from a second place: whoever has one has as many as they like.
  const elsewhere = server.withToken(thief.token);
  const noted = await elsewhere.call(noteAddresses, {}, { headers: { 'x-forwarded-for': '192.0.2.9' } });
  expect(noted.envelope.msg).toBe('当天的新地址须在以前用过的地址确认，次日起可在任何地址确认');
  const second = await from('192.0.2.9', username);
  await note(second);
  await note(thief);
  expect(await told(home)).toHaveLength(2);
  await sql`update operator_address set "firstTime" = now() - interval '25 hours' where address = ${AWAY}`.execute(
    server.db,
  );
  expect((await note(thief)).envelope.msg).toBe('已确认');
  expect(await told(home)).toEqual([]);
});

it('the first day of a new address has 24 hours, where clocks were put forward in it', async () => {
  const { id } = await buildOperator(server.db);
  await sql`
    insert into operator_address ("operatorId", address, origin, agent, "firstTime", noted)
    values (${id}, ${AWAY}, ${AWAY}, '', now() - interval '23 hours 30 minutes', false)`.execute(server.db);
  const zone = zonePutForwardAt(new Date(Date.now() - 12 * 3_600_000));
  expect(await inZone(server.database, zone, (db) => noteNewAddresses(db, id, '192.0.2.9'))).toEqual([]);
});

it('it is mailed where mail is set up and the operator gave an address with the password', async () => {
  const { username } = await buildOperator(server.db);
  const home = await from(HOME, username);
  const email = 'operator@mail.example';
  const refused = await home.call(setOwnEmail, { email, password: 'not mine at all' });
  expect(refused.envelope.msg).toBe('登录密码错误');
  const broken = await home.call(setOwnEmail, { email: 'no address', password: PASSWORD });
  expect(broken.envelope).toMatchObject({ data: { errors: { email: expect.any(String) } } });
  await home.call(setOwnEmail, { email, password: PASSWORD });
  expect((await home.call(getSignInNotices, {})).envelope.data?.email).toBe(email);
  const admin = await server.admin();
  const mails = async () => (await admin.call(pageOutboxMails, { to: email })).envelope.data?.data ?? [];
  await from('192.0.2.1', username);
  expect(await mails()).toEqual([]);
  const config = { host: 'mail.example', port: 25, username: 'm', password: 'secret', enableStarttls: true };
  const id = given((await admin.call(addMailConfig, config)).envelope.data);
  await admin.call(activateMailConfig, { id });
  await from('192.0.2.2', username);
  expect(await mails()).toMatchObject([{ template: 'operatorSignIn', to: email }]);
  await from('192.0.2.2', username);
  expect(await mails()).toHaveLength(1);
});

it('places go with the log’s retention', async () => {
  const { username, id } = await buildOperator(server.db);
  await from(HOME, username);
  await from(AWAY, username);
  await sql`update operator_address set "lastTime" = now() - interval '181 days' where "operatorId" = ${id} and address = ${AWAY}`.execute(
    server.db,
  );
  const cleaning = cleanings.find(({ what }) => what === 'operator addresses');
  expect(await cleaning?.clean(server.db, 1_000)).toBeGreaterThanOrEqual(1);
  const { rows } = await sql`select address from operator_address where "operatorId" = ${id}`.execute(
    server.db,
  );
  expect(rows).toEqual([{ address: HOME }]);
});
