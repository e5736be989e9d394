import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getApprovalState, releaseApproval } from '#contract/approvals.ts';
import { enterDrawRecord, pageAwaitedAgreements, pageDrawRecords } from '#contract/draw-records.ts';
import { getHappenings } from '#contract/happenings.ts';
import { deleteSpider, pageSpiders, type Spider, updateSpider } from '#contract/spiders.ts';
import { approvalSeenBy, setParam, waiting } from '#server/testing/approving.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { type BuiltPhase, buildBettors, buildPhase, buildSlips } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { settleDue } from '../settlements/settle.ts';
import { takeEntry } from './enter-result.ts';
import { keepResults } from './keep-results.ts';

let server: TestServer;
let admin: TestClient;
let clerk: TestClient;
let clerkName: string;
/** Somebody who may do everything but see what the house stands to lose. */
async function blind() {
  const grants = (await allGrants(server.db)).filter((path) => path !== '/main/bet/exposure');
  const { username } = await buildOperator(server.db, { grants });
  return { username, client: await server.as(username, PASSWORD) };
}
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  ({ client: clerk, username: clerkName } = await blind());
});
afterAll(() => server.close());

const said = { result: '9,3,5,5,5', evidence: '官网公告截图', reason: '来源全部中断' };
const enter = (phase: BuiltPhase, more: object = {}, client = clerk) =>
  client.call(enterDrawRecord, { ...phase, ...said, ...more });

/** A phase of a game that one source collects, heard of last so many minutes ago. */
async function collected(minutes: number | null): Promise<BuiltPhase> {
  const phase = await buildPhase(server.db);
  await sql`insert into spider ("gameId", name, "spiderServiceName", url, "lastSuccessTime")
    values (${phase.gameId}, '来源甲', 'OpenCodeSpider', 'http://127.0.0.1:1/', now() - make_interval(mins => ${minutes}::int))`.execute(
    server.db,
  );
  return phase;
}

/** The wait is over: as if it were so many minutes later. */
const waited = (minutes: number) => takeEntry(server.db, new Date(Date.now() + minutes * 60_000));
const recordOf = async (phase: BuiltPhase) =>
  (await admin.call(pageDrawRecords, { gameId: phase.gameId })).envelope.data?.data[0];

it('what was entered counts after its wait, as a word of MANUAL, and settles', async () => {
  const phase = await collected(31);
  const [player = 0] = await buildBettors(server.db, 1);
  const [slip = 0] = await buildSlips(server.db, phase, [
    { userId: player, lines: [{ rules: 'first', selection: '9', unitStake: '2' }] },
  ]);
  expect((await enter(phase)).envelope).toMatchObject({ success: true, data: true });
  const shown = async () =>
    (await admin.call(pageAwaitedAgreements, {})).envelope.data?.data.find(
      ({ gameId }) => gameId === phase.gameId,
    );
  const entry = { result: said.result, evidence: said.evidence, userName: clerkName };
  expect(await shown()).toMatchObject({ phase: phase.phase, words: [], silent: ['来源甲'], entry });
  expect((await enter(phase)).envelope.msg).toBe('期号 5000 已有结果或正在等待录入的结果生效');
  expect(await waited(9)).toBe(false);
  expect(await recordOf(phase)).toBeUndefined();
  expect(await waited(11)).toBe(true);
  expect(await recordOf(phase)).toMatchObject({ result: said.result, source: 'MANUAL', conflict: false });
  expect(await shown()).toBeUndefined();
  expect(await waited(11)).toBe(false);
  await settleDue(server.db);
  const row = await server.db.selectFrom('slip').select('status').where('id', '=', slip).executeTakeFirst();
  expect(row?.status).toBe('WON');
  expect((await enter(phase)).envelope.success).toBe(false);
});

it('a source that speaks during the wait wins, and the entry stands beside it', async () => {
  const phase = await collected(null);
  expect((await enter(phase)).envelope.success).toBe(true);
  const results = [{ phase: phase.phase, result: '1,2,3,4,5', openTime: null }];
  await server.db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId: phase.gameId, source: '来源甲', now: new Date(), results }));
  expect(await waited(11)).toBe(true);
  const record = await recordOf(phase);
  expect(record).toMatchObject({ result: '1,2,3,4,5', source: '来源甲', conflict: true });
  expect(record?.conflicts).toMatchObject([{ source: 'MANUAL', result: said.result }]);
});

it('nothing is entered where a source answers, before closing, of a game that draws by itself, or that is no result', async () => {
  const refused = async (phase: BuiltPhase, more?: object) => (await enter(phase, more)).envelope.msg;
  const heard = await collected(29);
  expect(await refused(heard)).toBe('来源在 30 分钟内还有响应（来源甲），不能人工录入');
  // Switching the source off makes it no more silent.
  await sql`update spider set enabled = false where "gameId" = ${heard.gameId}`.execute(server.db);
  await sql`insert into spider ("gameId", name, "spiderServiceName", url) values (${heard.gameId}, '来源乙', 'OpenCodeSpider', 'http://127.0.0.1:1/')`.execute(
    server.db,
  );
  expect(await refused(heard)).toContain('来源甲');
  const unsourced = await buildPhase(server.db);
  expect(await refused(unsourced)).toBe('只有采集开奖的游戏可以人工录入结果');
  await sql`insert into spider ("gameId", name, "spiderServiceName", options) values (${unsourced.gameId}, '本地', 'LocalDrawSpider', '{"count":5,"pool":["0","1"],"repeat":true}')`.execute(
    server.db,
  );
  expect(await refused(unsourced)).toBe('只有采集开奖的游戏可以人工录入结果');
  const open = await collected(31);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime") values (${open.gameId}, '5001', now(), now() + interval '1 hour')`.execute(
    server.db,
  );
  expect(await refused({ ...open, phase: '5001' })).toBe('期号 5001 尚未封盘，不能录入');
  // Nor does it close sooner once its betting has begun.
  for (const seconds of [2, 7_200])
    await sql`update game set "openRate" = 86400, "stopBetSecond" = ${seconds} where id = ${open.gameId}`.execute(
      server.db,
    );
  expect(await refused({ ...open, phase: '5001' })).toBe('期号 5001 尚未封盘，不能录入');
  expect(await refused({ ...open, phase: '7' })).toBe('期号 7 不存在');
  await sql`update game set "resultRule" = '{"parts":[{"count":3,"of":["0","1","2"],"repeat":true,"ordered":true}]}' where id = ${open.gameId}`.execute(
    server.db,
  );
  expect(await refused(open)).toBe('不是该游戏的开奖结果');
  expect(await refused(open, { evidence: '无' })).toContain('依据');
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from draw_entry where "gameId" = any(${[heard, unsourced, open].map(({ gameId }) => gameId)}::bigint[])`.execute(
    server.db,
  );
  expect(rows[0]?.n).toBe(0);
});

it('what is typed is taken as a source would write it, and what names no numbers is refused, whether the game has a rule or not', async () => {
  const phase = await collected(null);
  for (const result of ['9,,3,5,5,5', '9,3,5,5,', '豹子', '9.3.5.5.5', '12345678901'])
    expect((await enter(phase, { result })).envelope.msg).toBe(
      '开奖结果须为开出的号码，用逗号隔开，如 1,2,3',
    );
  expect((await enter(phase, { result: ' ９，3、 5 5；5 ' })).envelope.success).toBe(true);
  await waited(11);
  expect(await recordOf(phase)).toMatchObject({ result: '9,3,5,5,5' });
});

it('a source that was deleted, moved to another game or asks elsewhere since is no more silent for that', async () => {
  const deaf = (gameId: number) =>
    sql`insert into spider ("gameId", name, "spiderServiceName", url) values (${gameId}, '来源乙', 'OpenCodeSpider', 'http://127.0.0.1:1/')`.execute(
      server.db,
    );
  const spiderOf = async (gameId: number) => {
    const { data } = (await admin.call(pageSpiders, { gameId })).envelope;
    return given(data?.data.find(({ name }) => name === '来源甲'));
  };
  const url = 'http://dead.example/';
  for (const leave of [
    ({ id }: Spider) => admin.call(deleteSpider, { id }),
    async ({ id, name, spiderServiceName }: Spider) => {
      const { gameId } = await buildPhase(server.db);
      return admin.call(updateSpider, { id, gameId, name, spiderServiceName, url });
    },
    ({ id, gameId, name, spiderServiceName }: Spider) =>
      admin.call(updateSpider, { id, gameId, name, spiderServiceName, url }),
  ]) {
    const phase = await collected(29);
    expect((await leave(await spiderOf(phase.gameId))).envelope.success).toBe(true);
    await deaf(phase.gameId);
    expect((await enter(phase)).envelope.msg).toBe('来源在 30 分钟内还有响应（来源甲），不能人工录入');
  }
  // Of several that went, the one that answered last counts; a long silence of one is no answer.
  const phase = await collected(29);
  await sql`delete from spider where "gameId" = ${phase.gameId}`.execute(server.db);
  await sql`insert into spider ("gameId", name, "spiderServiceName", "lastSuccessTime")
    values (${phase.gameId}, '来源丙', 'OpenCodeSpider', now() - interval '2 hours')`.execute(server.db);
  await sql`delete from spider where "gameId" = ${phase.gameId}`.execute(server.db);
  await deaf(phase.gameId);
  expect((await enter(phase)).envelope.msg).toContain('来源甲');
  const silent = await collected(31);
  await sql`delete from spider where "gameId" = ${silent.gameId}`.execute(server.db);
  await deaf(silent.gameId);
  expect((await enter(silent)).envelope.success).toBe(true);
  expect(await waited(11)).toBe(true);
});

it('two operators enter a result, neither of whom may see what the house stands to lose', async () => {
  const phase = await collected(31);
  const { client: checker } = await blind();
  expect((await enter(phase, {}, admin)).envelope.msg).toBe('能查看单期风险的操作员不能提交或复核此操作');
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    const id = waiting(await enter(phase));
    // Who sees too much is offered nothing, told why, and not counted among those it waits for.
    expect(await approvalSeenBy(admin, id)).toMatchObject({
      ...{ releasable: false, barred: '能查看单期风险的操作员不能提交或复核此操作' },
    });
    expect(await approvalSeenBy(checker, id)).toMatchObject({ releasable: true, barred: null });
    expect(await approvalSeenBy(clerk, id)).toMatchObject({ own: true, releasable: false, barred: null });
    const waitsFor = async (client: TestClient) => [
      (await client.call(getApprovalState, {})).envelope.data?.releasable,
      (await client.call(getHappenings, {})).envelope.data?.waiting?.releasable,
    ];
    await expect.poll(() => waitsFor(checker)).toEqual([1, 1]);
    expect(await waitsFor(admin)).toEqual([0, 0]);
    expect((await admin.call(releaseApproval, { id, reason: '核对无误' })).envelope.success).toBe(false);
    expect((await clerk.call(releaseApproval, { id, reason: '核对无误' })).envelope.success).toBe(false);
    expect(await waited(11)).toBe(false);
    expect((await checker.call(releaseApproval, { id, reason: '核对无误' })).envelope.success).toBe(true);
    expect(await waited(11)).toBe(true);
    expect((await recordOf(phase))?.source).toBe('MANUAL');
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
});

it('of two results that wait for one phase the one that is released first stands', async () => {
  const phase = await collected(31);
  const [{ client: other }, { client: checker }] = [await blind(), await blind()];
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    const first = waiting(await enter(phase));
    const second = waiting(await enter(phase, { result: '1,3,5,5,5' }, other));
    const release = async (id: number) =>
      (await checker.call(releaseApproval, { id, reason: '核对无误' })).envelope.msg;
    expect(await release(second)).toBe('已放行并执行');
    const refusal = '该操作现在不能执行：期号 5000 已有结果或正在等待录入的结果生效';
    expect(await release(first)).toBe(refusal);
    expect(await waited(11)).toBe(true);
    expect(await release(first)).toBe(refusal);
    expect(await waited(11)).toBe(false);
    expect(await recordOf(phase)).toMatchObject({ source: 'MANUAL', result: '1,3,5,5,5' });
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
});
