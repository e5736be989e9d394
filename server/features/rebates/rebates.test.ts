import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { addAgent, pageAgents, updateAgent } from '#contract/agents.ts';
import { releaseApproval } from '#contract/approvals.ts';
import type { WireInput } from '#contract/endpoint.ts';
import {
  addRebateRate,
  deleteRebateRate,
  pageRebateItems,
  pageRebateRates,
  pageRebateRuns,
  previewRebates,
  releaseRebates,
  sumRebateRuns,
  updateRebateRate,
} from '#contract/rebates.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildPastGame, pastDay, preparedRun } from '#server/testing/build-rebates.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { tenThousandths } from '../bets/decimal.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from '../settlements/settle.ts';
import { beginUnvoid, beginVoid } from '../settlements/voids.ts';
import { payReleased } from './pay-run.ts';
import { prepareRun } from './prepare-run.ts';

let server: TestServer;
let admin: TestClient;
let game: Awaited<ReturnType<typeof buildPastGame>>;
let days: [first: string, second: string, third: string];
let agents: { top: number; mid: number; leaf: number };
const users = { top: 0, mid: 0, leaf: 0, player: 0, other: 0 };
let voidable: { gameId: number; phase: string; ids: number[] };
const act = { operatorId: 1, userName: 'admin', reason: '赔率录错' };

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  game = await buildPastGame(server.db);
  days = [await pastDay(server.db, 3), await pastDay(server.db, 2), await pastDay(server.db, 1)];
  for (const name of ['top', 'mid', 'leaf', 'player', 'other'] as const)
    users[name] = (
      await buildUser(server.db, { balance: '100000', level: name === 'player' ? 3 : 0 })
    ).userId;
});
afterAll(() => server.close());

const balance = async (userId: number) => Number((await balanceOf(server.db, userId)).totalAmount);
const preview = async (day?: string) => (await admin.call(previewRebates, day ? { day } : {})).envelope;
const item = async (day: string, userId: number, kind: 'REBATE' | 'RETURN') =>
  (await admin.call(pageRebateItems, { day, kind, pageSize: 100 })).envelope.data?.data.find(
    (each) => each.userId === userId,
  );
const add = async (rate: WireInput<typeof addRebateRate>) =>
  given((await admin.call(addRebateRate, rate)).envelope.data as number | null);

it('rates of players and agents are entered from a day on; before any there is no run', async () => {
  expect(await prepareRun(server.db)).toBeUndefined();
  expect((await preview()).msg).toContain('尚未备好');
  const agent = async (name: 'top' | 'mid' | 'leaf', rate: string, parentId?: number) => {
    const input = { name, userId: users[name], rate, validFrom: days[0], ...(parentId ? { parentId } : {}) };
    return given((await admin.call(addAgent, input)).envelope.data);
  };
  const top = await agent('top', '0.01');
  const mid = await agent('mid', '0.007', top);
  agents = { top, mid, leaf: await agent('leaf', '0.004', mid) };
  const { categoryId } = game;
  await add({ level: 3, categoryId, rate: '0.005', validFrom: days[0] });
  const id = await add({ level: 3, categoryId, rate: '0.5', validFrom: days[1] });
  const twice = await admin.call(addRebateRate, { level: 3, categoryId, rate: '0.1', validFrom: days[1] });
  expect(twice.envelope.msg).toBe('该等级与分类自此日起的比例已存在');
  const edit = { id, version: 1, level: 3, categoryId, rate: '0.006', validFrom: days[1] };
  expect((await admin.call(updateRebateRate, edit)).envelope.success).toBe(true);
  const spare = await add({ level: 4, categoryId, rate: '0.1', validFrom: days[1] });
  expect((await admin.call(deleteRebateRate, { id: spare })).envelope.success).toBe(true);
  expect((await admin.call(pageRebateRates, { level: 3 })).envelope.data).toMatchObject({
    totalCount: 2,
    data: [{ rate: '0.006' }, { rate: '0.005' }],
  });
});

it('a day pays players by level and category, and agents the difference up the chain, opposing lines and own slips left out', async () => {
  const { top, mid, leaf } = agents;
  const chain = [leaf, mid, top];
  const { player, other } = users;
  // 9 loses on the first place, 大 and 小 stand against each other; 3 wins.
  await game.play(days[0], [
    { userId: player, agents: chain, lines: [{ rules: 'first', selection: '9', unitStake: '100.03' }] },
    { userId: player, agents: chain, lines: [{ rules: 'size', selection: '大', unitStake: '50' }] },
    { userId: player, agents: chain, lines: [{ rules: 'size', selection: '小', unitStake: '70' }] },
    { userId: other, lines: [{ rules: 'first', selection: '3', unitStake: '1000' }] },
    // What is bet for tests is not there.
    { userId: player, testAccount: true, lines: [{ rules: 'second', selection: '1', unitStake: '3' }] },
    // The agent's own slip, under themselves.
    { userId: users.leaf, agents: chain, lines: [{ rules: 'second', selection: '1', unitStake: '10' }] },
  ]);
  voidable = await game.play(days[0], [
    { userId: player, agents: chain, lines: [{ rules: 'second', selection: '1', unitStake: '1000' }] },
  ]);
  // A push and a slip that is not settled turn nothing over.
  await game.play(
    days[0],
    [{ userId: player, agents: chain, lines: [{ rules: 'size', selection: '大', unitStake: '400' }] }],
    '9,3,5,5,5',
  );
  await game.play(
    days[0],
    [false, true].map((testAccount) => ({
      ...{ userId: player, agents: chain, testAccount },
      lines: [{ rules: 'first' as const, selection: '1', unitStake: '8' }],
    })),
    '',
  );
  await preparedRun(server.db, days[0]);
  const { data } = await preview();
  // 1100.03 at 0.005 is 5.50015; 0.004 of it 4.40012, 0.003 of 1110.03 (the leaf's own too) 3.33009.
  expect(data).toMatchObject({
    ...{ day: days[0], status: 'PREPARED', turnover: '2110.03', unsettled: 1, stale: false },
    ...{ rebate: '5.5001', returned: '11.0601', payees: 4, corrected: [] },
  });
  const paid = new Map(data?.items.map(({ userId, kind, amount }) => [`${kind} ${userId}`, amount]));
  expect(Object.fromEntries(paid)).toEqual({
    [`REBATE ${player}`]: '5.5001',
    [`RETURN ${users.leaf}`]: '4.4001',
    [`RETURN ${users.mid}`]: '3.33',
    [`RETURN ${users.top}`]: '3.33',
  });
});

it('the larger less the smaller counts where the parameter says so, and a change makes what was prepared stale', async () => {
  await admin.call(addRebateRate, {
    ...{ level: 9, categoryId: game.categoryId, rate: '0.001', validFrom: days[0] },
  });
  const { data: before } = await preview();
  expect(before?.stale).toBe(true);
  const early = await admin.call(releaseRebates, { day: days[0] });
  expect(early.envelope.msg).toContain('已有变化');
  await setParam(server.db, 'rebate.opposing', 'DIFFERENCE');
  await preparedRun(server.db, days[0]);
  expect((await preview()).data).toMatchObject({ stale: false, turnover: '2130.03', rebate: '5.6001' });
  await setParam(server.db, 'rebate.opposing', 'BOTH');
  await preparedRun(server.db, days[0]);
  expect((await preview()).data?.turnover).toBe('2110.03');
  expect(await prepareRun(server.db)).toBeUndefined();
});

it('64 releases at once have one effect, and every payee is paid once by however many pay', {
  retry: 0,
}, async () => {
  const before = await balance(users.player);
  // What is only prepared is paid to nobody.
  await payReleased(server.db);
  expect(await balance(users.player)).toBe(before);
  const { digest, itemCount, items } = given((await preview()).data);
  expect([itemCount, items.length]).toEqual([4, 4]);
  const [seen] = given((await admin.call(pageRebateRuns, { status: 'PREPARED' })).envelope.data).data;
  expect(seen?.digest).toBe(digest);
  const other = await admin.call(releaseRebates, { day: days[0], digest: 'other' });
  expect(other.envelope).toMatchObject({ success: false });
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => admin.call(releaseRebates, { day: days[0], digest })),
  );
  expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
  expect(
    new Set(answers.filter((each) => !each.envelope.success).map(({ envelope }) => envelope.msg)),
  ).toEqual(new Set([`${days[0]} 的返水已放行`]));
  await Promise.all(Array.from({ length: 6 }, () => payReleased(server.db)));
  await payReleased(server.db);
  expect(await balance(users.player)).toBeCloseTo(before + 5.5001, 4);
  const ledger = (await admin.call(pageAccountHistory, { changeType: 'RETURN' })).envelope.data;
  expect(ledger?.totalCount).toBe(3);
  expect((await admin.call(pageAccountHistory, { changeType: 'REBATE' })).envelope.data?.data).toMatchObject([
    { amount: '5.5001', bizOrderNo: `BR${days[0].replaceAll('-', '')}/${users.player}` },
  ]);
  const { data } = (await admin.call(pageRebateRuns, { status: 'DONE' })).envelope;
  expect(data?.data).toMatchObject([{ day: days[0], userName: 'admin', waiting: 0 }]);
  const { rows } = await sql`select rebate from report_closed_day where day = ${days[0]}::date`.execute(
    server.db,
  );
  expect(rows).toEqual([{ rebate: '16.5602' }]);
});

it('what was released goes by its rates for good', async () => {
  const released = { level: 5, categoryId: game.categoryId, rate: '0.1', validFrom: days[0] };
  const late = await admin.call(addRebateRate, released);
  expect(late.envelope.data).toEqual({
    errors: { validFrom: `${days[0]} 及之前的平台日已放行，不能再改当日的比例` },
  });
  // Nor is it moved away from such a day; the day after is open.
  const [, first] = given((await admin.call(pageRebateRates, { level: 3 })).envelope.data).data;
  const moved = await admin.call(updateRebateRate, { ...given(first), validFrom: days[2] });
  expect(moved.envelope.data).toMatchObject({ errors: { validFrom: expect.any(String) } });
  const gone = await admin.call(deleteRebateRate, { id: given(first).id });
  expect(gone.envelope.success).toBe(false);
  const open = { level: 5, categoryId: game.categoryId, rate: '0.1', validFrom: days[1] };
  expect(await add(open)).toEqual(expect.any(Number));
  const agent = given((await admin.call(pageAgents, { id: agents.top })).envelope.data?.data[0]);
  const again = await admin.call(updateAgent, { ...agent, rate: '0.02' });
  expect(again.envelope.data).toMatchObject({ errors: { validFrom: expect.any(String) } });
  expect((await admin.call(updateAgent, { ...agent, name: '总代' })).envelope.success).toBe(true);
  const middle = given((await admin.call(pageAgents, { id: agents.mid })).envelope.data?.data[0]);
  const paidElsewhere = { ...middle, userId: users.other };
  expect((await admin.call(updateAgent, paidElsewhere)).envelope.success).toBe(true);
  for (const table of ['rebate_share', 'rebate_turnover', 'rebate_agent'])
    await expect(sql`delete from ${sql.table(table)}`.execute(server.db)).rejects.toThrow();
});

it('a correction after the release goes into the next run; a negative rest is carried, never debited', async () => {
  const { db } = server;
  const { gameId, phase } = voidable;
  await db.transaction().execute((tx) => beginVoid(tx, { gameId, phase }, act));
  await settleDue(db);
  const before = await balance(users.player);
  // The day goes by what players, games and agents were at its release.
  const stand = (level: number, categoryId: number) =>
    sql`
    with player as (update player set level = ${level} where id = ${users.player})
    update game set "categoryId" = ${categoryId} where id = ${gameId}`.execute(db);
  const { rows: categories } = await sql<{ id: number }>`
    insert into game_category (name, "iconClass", index) values ('别类', '', 9) returning id`.execute(db);
  await stand(9, categories[0]?.id ?? 0);
  await preparedRun(db, days[1]);
  await stand(3, game.categoryId);
  expect(await item(days[1], users.mid, 'RETURN')).toMatchObject({ due: '-3.00' });
  // 100.03 at 0.005 is 0.50015; 5.5001 were paid.
  expect((await preview()).data).toMatchObject({ corrected: [days[0]], payees: 0, rebate: '0.00' });
  expect(await item(days[1], users.player, 'REBATE')).toMatchObject({
    ...{ due: '-5.00', carried: '0.00', amount: '0.00', rest: '-5.00' },
  });
  const [approver] = [await fullOperator(server)];
  await setParam(db, 'approval.enabled', 'true');
  const id = waiting(await admin.call(releaseRebates, { day: days[1] }));
  expect((await admin.call(pageRebateRuns, { day: days[1] })).envelope.data?.data[0]?.status).toBe(
    'PREPARED',
  );
  const own = await admin.call(releaseApproval, { id });
  expect(own.envelope.success).toBe(false);
  expect((await approver.client.call(releaseApproval, { id })).envelope.success).toBe(true);
  await setParam(db, 'approval.enabled', 'false');
  await payReleased(db);
  expect(await balance(users.player)).toBe(before);
  // One that pays nobody is done all the same.
  const done = (await admin.call(pageRebateRuns, { day: days[1] })).envelope.data?.data;
  expect(done).toMatchObject([{ status: 'DONE', waiting: 0 }]);

  await game.play(days[2], [
    {
      userId: users.player,
      agents: [agents.leaf],
      lines: [{ rules: 'first', selection: '9', unitStake: '200' }],
    },
  ]);
  await preparedRun(db, days[2]);
  // 200 at 0.006 is 1.2, which the rest of before takes.
  expect(await item(days[2], users.player, 'REBATE')).toMatchObject({
    ...{ due: '1.20', carried: '-5.00', amount: '0.00', rest: '-3.80' },
  });
  const { rows } = await sql<{ id: number }>`select id from settlement where kind = 'VOID'`.execute(db);
  await db.transaction().execute((tx) => beginUnvoid(tx, rows[0]?.id ?? 0, act));
  await settleDue(db);
  // What was settled since is not in what was prepared, which is not released then.
  const early = await admin.call(releaseRebates, { day: days[2] });
  expect(early.envelope.msg).toContain('已有变化');
  await preparedRun(db, days[2]);
  expect(await item(days[2], users.player, 'REBATE')).toMatchObject({
    ...{ due: '6.20', carried: '-5.00', amount: '1.20', rest: '0.00' },
  });
  expect((await admin.call(releaseRebates, { day: days[2] })).envelope.success).toBe(true);
  // The report counts it for the agents of the day itself, not for those of a corrected one.
  const { rows: counted } = await sql<{ agents: number[] }>`
    select agents from report_entry where kind = 'REBATE' and "userId" = ${users.player} order by id desc limit 1`.execute(
    db,
  );
  expect(counted).toEqual([{ agents: [0, agents.leaf] }]);
  await payReleased(db);
  expect(await balance(users.player)).toBeCloseTo(before - 1_200 + 1.2, 4);
  expect(await prepareRun(db)).toBeUndefined();
});

it('what was released and paid proves', async () => {
  const { db } = server;
  await expectProven(db);
  expect(await proveBets(db)).toMatchObject({ broken: 0 });
});

it('runs are summed by any search as their rows say', async () => {
  const rows = given((await admin.call(pageRebateRuns, {})).envelope.data).data;
  expect(rows.length).toBeGreaterThan(1);
  const searches: WireInput<typeof sumRebateRuns>[] = [
    ...[{}, { status: 'DONE' as const }, { day: days[0] }, { day: '2000-01-01' }],
  ];
  for (const search of searches) {
    const found = rows.filter(
      ({ day, status }) => day === (search.day ?? day) && status === (search.status ?? status),
    );
    const total = (field: 'turnover' | 'rebate' | 'returned' | 'invited') =>
      found.reduce((sum, row) => sum + tenThousandths(row[field]), 0n);
    const sums = given((await admin.call(sumRebateRuns, search)).envelope.data);
    const { turnover, rebate, returned, invited } = sums;
    expect([turnover, rebate, returned, invited].map(tenThousandths), JSON.stringify(search)).toEqual([
      ...[total('turnover'), total('rebate')],
      ...[total('returned'), total('invited')],
    ]);
  }
});
