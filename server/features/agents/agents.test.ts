import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAgent, pageAgents, updateAgent } from '#contract/agents.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { createUser } from '#contract/platform.ts';
import { addUser } from '#contract/users.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let userId = 0;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  ({ userId } = await buildUser(server.db));
});
afterAll(() => server.close());

type New = WireInput<typeof addAgent>;
const said = (rest: Partial<New> = {}): New => ({
  ...{ name: `代理 ${randomUUID()}`, userId, rate: '0.01', validFrom: '2026-01-01' },
  ...rest,
});
const add = async (rest?: Partial<New>) => {
  const { data, msg } = (await admin.call(addAgent, said(rest))).envelope;
  if (typeof data !== 'number') throw new Error(`not added: ${msg} ${JSON.stringify(data)}`);
  return data;
};
const shown = async (id: number) => {
  const row = (await admin.call(pageAgents, { id })).envelope.data?.data[0];
  if (!row) throw new Error(`no agent ${id}`);
  return row;
};
const chainOf = async (id: number) => {
  const { rows } = await sql<{ chain: { id: number }[] }>`select agent_chain(${id}) as chain`.execute(
    server.db,
  );
  return rows[0]?.chain.map((each) => each.id);
};

it('are added under the number the players’ site has or the next free one, listed, searched, edited, recorded', async () => {
  await buildUser(server.db, { agentId: 900 });
  const top = await add({ name: '总代', rate: '0.02' });
  expect(top).toBeGreaterThan(900);
  const child = await add({ id: 777, name: '二级', parentId: top, rate: '0.0150' });
  expect(child).toBe(777);
  expect(await chainOf(child)).toEqual([child, top]);
  // A number that players carry and nobody entered is still counted as an agent.
  expect(await chainOf(900)).toEqual([900]);
  expect((await admin.call(pageAgents, { parentId: top })).envelope.data).toMatchObject({
    totalCount: 1,
    data: [{ id: child, name: '二级', parentId: top, rate: '0.0150', validFrom: '2026-01-01' }],
  });
  const before = await shown(child);
  const edit = { ...before, rate: '0.016', validFrom: '2026-02-01' };
  expect((await admin.call(updateAgent, edit)).envelope.success).toBe(true);
  expect(await shown(child)).toMatchObject({
    rate: '0.016',
    validFrom: '2026-02-01',
    rates: [
      { validFrom: '2026-02-01', rate: '0.016' },
      { validFrom: '2026-01-01', rate: '0.0150' },
    ],
  });
  const { data } = (await admin.call(pageChangeRecords, { summary: '代理' })).envelope;
  expect(data?.data.map(({ summary }) => summary)).toEqual(['编辑代理', '新增代理', '新增代理']);
  // Of the agent itself nothing changed, so a form opened before is still good; of its name it is not.
  await admin.call(updateAgent, { ...edit, name: '二级代理' });
  const stale = await admin.call(updateAgent, { ...edit, name: '别的' });
  expect(stale.envelope).toMatchObject({
    success: false,
    data: { current: { name: '二级代理', rate: '0.016' } },
  });
});

it('are refused with a sentence at the field, and nothing is kept', async () => {
  const top = await add({ rate: '0.02' });
  const child = await add({ parentId: top, rate: '0.01' });
  const count = async () => (await admin.call(pageAgents, {})).envelope.data?.totalCount;
  const all = await count();
  const refused = async (rest: Partial<New>) => (await admin.call(addAgent, said(rest))).envelope.data;
  expect(await refused({ rate: '1' })).toEqual({
    errors: { rate: '返点比例须小于 1，如 0.005 为千分之五' },
  });
  expect(await refused({ validFrom: '2026-02-30' })).toEqual({
    errors: { validFrom: '生效日须为 YYYY-MM-DD 格式的日期' },
  });
  expect(await refused({ userId: 99_999_999 })).toMatchObject({ errors: { userId: expect.any(String) } });
  expect(await refused({ parentId: 99_999_999 })).toMatchObject({ errors: { parentId: expect.any(String) } });
  expect(await refused({ id: top })).toEqual({ errors: { id: '代理编号已存在' } });
  expect(await refused({ parentId: top, rate: '0.0201' })).toEqual({
    errors: { rate: expect.stringMatching(/^自 2026-01-01 起高于上级“代理 .*”的返点比例 0\.02$/) },
  });
  // The parent has none before its first day.
  expect(await refused({ parentId: top, validFrom: '2025-12-31' })).toMatchObject({
    errors: { rate: expect.stringContaining('自 2025-12-31 起高于上级') },
  });
  expect(await count()).toBe(all);

  const parent = await shown(top);
  const lower = await admin.call(updateAgent, { ...parent, rate: '0.005', validFrom: '2026-05-01' });
  expect(lower.envelope.data).toEqual({
    errors: { rate: expect.stringMatching(/^自 2026-05-01 起低于下级“代理 .*”的返点比例 0\.01$/) },
  });
  const circle = { errors: { parentId: '上级不能是该代理自己或其下级' } };
  for (const parentId of [child, top])
    expect((await admin.call(updateAgent, { ...parent, parentId })).envelope.data).toEqual(circle);
  expect(await refused({ id: 77, parentId: 77 })).toEqual(circle);
  expect(await shown(top)).toEqual(parent);
});

it('have numbers that others can follow, also where a greater one was given before', async () => {
  const most = 999_999_999_999;
  const site = server.site();
  const much = { success: false, data: { errors: { agentId: `代理编号不能大于 ${most}` } } };
  for (const agentId of [most + 1, Number.MAX_SAFE_INTEGER]) {
    expect((await admin.call(addUser, { nickName: '玩家', agentId })).envelope).toMatchObject(much);
    expect((await site.call(createUser, { nickName: '玩家', agentId })).envelope).toMatchObject(much);
    expect((await admin.call(addAgent, said({ id: agentId }))).envelope.data).toEqual({
      errors: { id: `代理编号不能大于 ${most}` },
    });
  }
  // What was given before there was a bound.
  await sql`insert into agent (id, name, "userId") values (${Number.MAX_SAFE_INTEGER}, '旧', ${userId})`.execute(
    server.db,
  );
  await sql`insert into agent_rate ("agentId", "validFrom", rate) select id, '2026-01-01', 0 from agent where name = '旧'`.execute(
    server.db,
  );
  await buildUser(server.db, { agentId: Number.MAX_SAFE_INTEGER - 5 });
  await buildUser(server.db, { agentId: 2_000 });
  expect(await add()).toBe(2_001);
  const old = given((await admin.call(pageAgents, { name: '旧' })).envelope.data?.data[0]);
  expect((await admin.call(updateAgent, { ...old, name: '总代' })).envelope.success).toBe(true);
  expect(await add({ id: most - 1 })).toBe(most - 1);
  expect(await add()).toBe(most);
  await buildUser(server.db, { agentId: 2_002 });
  expect([await add(), await add()]).toEqual([2_003, 2_004]);
});

it('keep a child at most at its parent on every day, and no circles, whatever many change at once', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e9);
  console.log('seed', seed);
  let state = seed;
  const dice = (most: number) => {
    state = (state * 48_271 + 11) % 2_147_483_647;
    return state % most;
  };
  const ids = await Promise.all(Array.from({ length: 6 }, () => add({ rate: '0' })));
  const one = () => ids[dice(ids.length)] ?? 0;
  const turns = Array.from({ length: 120 }, () => ({
    id: one(),
    parentId: dice(3) === 0 ? null : one(),
    rate: `0.0${dice(5)}`,
    validFrom: `2026-03-0${1 + dice(5)}`,
  }));
  const outcomes = await Promise.all(
    turns.map(async (turn) => (await admin.call(updateAgent, { name: `代理`, userId, ...turn })).envelope),
  );
  expect(outcomes.some(({ success }) => success)).toBe(true);
  expect(outcomes.some(({ success }) => !success)).toBe(true);
  const agents = await Promise.all(ids.map(shown));
  for (const child of agents) {
    expect(await chainOf(child.id)).toContain(child.id);
    const { rows } = await sql<{ day: string }>`
      select d::date::text as day from generate_series('2026-02-27'::timestamp, '2026-03-08'::timestamp, interval '1 day') as d,
        lateral (select coalesce((select rate from agent_rate where "agentId" = ${child.id} and "validFrom" <= d order by "validFrom" desc limit 1), 0) as own) c,
        lateral (select coalesce((select rate from agent_rate where "agentId" = ${child.parentId}::bigint and "validFrom" <= d order by "validFrom" desc limit 1), 0) as above) p
      where ${child.parentId}::bigint is not null and own > above`.execute(server.db);
    expect(rows, `agent ${child.id}, seed ${seed}`).toEqual([]);
    const { rows: circle } = await sql`
      with recursive up (id, n) as (select ${child.id}::bigint, 0 union all select a."parentId", n + 1 from up join agent a on a.id = up.id where n < 20)
      select from up where n = 20 and id is not null`.execute(server.db);
    expect(circle).toEqual([]);
  }
});

it('stand in a hundred levels at most, as far as a slip knows the agents above it', async () => {
  const chain = await sql<{ id: number }>`
    insert into agent (id, name, "parentId", "userId")
    select 50000 + n, 'n' || n, case when n > 1 then 49999 + n end, ${userId}::bigint from generate_series(1, 99) as n order by n
    returning id`.execute(server.db);
  await sql`insert into agent_rate ("agentId", rate, "validFrom") select id, 0.01, '2026-01-01' from agent where id between 50001 and 50099`.execute(
    server.db,
  );
  const lowest = chain.rows.at(-1)?.id ?? 0;
  const last = await add({ parentId: lowest });
  expect(await chainOf(last)).toHaveLength(100);
  const errors = { parentId: '代理最多 100 级' };
  const refused = { success: false, data: { errors } };
  expect((await admin.call(addAgent, said({ parentId: last }))).envelope).toMatchObject(refused);
  const above = await add();
  const top = await shown(50_001);
  expect((await admin.call(updateAgent, { ...top, parentId: above })).envelope).toMatchObject(refused);
  expect((await admin.call(updateAgent, { ...(await shown(last)), name: '末级' })).envelope.success).toBe(
    true,
  );
});
