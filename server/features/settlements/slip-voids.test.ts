import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { releaseApproval } from '#contract/approvals.ts';
import { unvoidPhase } from '#contract/settlements.ts';
import { cancelSlip, pageSlips } from '#contract/slips.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildPhase, recordResult } from '#server/testing/build-slips.ts';
import { startSettling } from '#server/testing/settled-slips.ts';

const { server, admin, slipsOf, settle, told, threeSlips, end } = await startSettling();
afterAll(end);

it('one slip is taken back between closing and draw by two operators alone, and stays as it is after the draw', async () => {
  const phase = await buildPhase(server.db);
  const [first = 0, second = 0, third = 0] = await threeSlips(phase);
  const cancel = (id: number, client = admin) => client.call(cancelSlip, { id, reason: '玩家误投' });
  const other = await fullOperator(server);
  await fullOperator(server);
  const release = (id: number, client = other.client) =>
    client.call(releaseApproval, { id, reason: '核对无误' });
  /** The draw is so many seconds ahead, and betting has closed. */
  const drawIn = async (seconds: number) => {
    const clock = sql`clock_timestamp() + ${seconds} * interval '1 second'`;
    await sql`alter table slip disable trigger user`.execute(server.database.owner);
    await sql`update slip set "drawTime" = ${clock} where phase = ${phase.phase} and "gameId" = ${phase.gameId}`.execute(
      server.db,
    );
    await sql`alter table slip enable trigger user`.execute(server.database.owner);
  };
  await drawIn(3_600);
  expect((await cancel(first)).envelope.msg).toBe('期号 5000 已封盘');
  // Turned on a moment ago, which this server has still to hear: nobody voids it alone meanwhile.
  await sql`update param_setting set value = 'true' where key = 'approval.enabled'`.execute(server.db);
  expect((await cancel(first)).envelope.data).not.toBe(true);
  expect(await told(phase)).toEqual([]);
  await setParam(server.db, 'approval.enabled', 'false');
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    const id = waiting(await cancel(first));
    const late = waiting(await cancel(second));
    const twice = waiting(await cancel(first));
    await settle();
    expect(await told(phase)).toEqual([]);
    expect((await release(id, admin)).envelope.success).toBe(false);
    expect((await release(id)).envelope.success).toBe(true);
    expect((await release(twice)).envelope.success).toBe(false);
    expect(await told(phase)).toHaveLength(1);
    await settle();
    expect(await slipsOf([first, second])).toEqual(['VOID 0.00 5.00', 'PENDING 0.00 0.00']);
    expect((await cancel(first)).envelope.msg).toBe('注单的状态是“已作废”，不能撤单');
    const [voided] = await told(phase);
    expect(voided).toMatchObject({
      kind: 'VOID',
      slipId: first,
      slips: 1,
      refund: '5.00',
      reason: '玩家误投',
    });
    const settlementId = voided?.id ?? 0;
    const back = waiting(await admin.call(unvoidPhase, { settlementId, reason: '没有误投' }));
    expect((await release(back)).envelope.success).toBe(true);
    await settle();
    expect((await slipsOf([first]))[0]).toBe('PENDING 0.00 0.00');
    const again = waiting(await cancel(first));
    // Two see to it all the same once calls wait no more.
    await setParam(server.db, 'approval.enabled', 'false');
    expect((await release(again)).envelope.msg).toBe('已放行并执行');
    await settle();
    expect((await slipsOf([first]))[0]).toBe('VOID 0.00 5.00');
    await setParam(server.db, 'approval.enabled', 'true');

    await drawIn(-1);
    expect((await release(late)).envelope.msg).toContain('已到开奖时间，不能单独作废或恢复一张注单');
    expect((await cancel(third)).envelope.msg).toBe('已到开奖时间，不能单独作废或恢复一张注单');
    const [last] = await told({ ...phase, kind: 'VOID' });
    const lastId = last?.id ?? 0;
    const undone = await admin.call(unvoidPhase, { settlementId: lastId, reason: '恢复注单' });
    expect(undone.envelope.msg).toBe('已到开奖时间，不能单独作废或恢复一张注单');
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
  await recordResult(server.db, phase, '9,3,5,5,5');
  await settle();
  expect(await slipsOf([first, second, third])).toEqual([
    'VOID 0.00 5.00',
    'PUSHED 0.00 3.00',
    'WON 19.46 0.00',
  ]);

  // Its story is told with it: each settlement that changed it, what it moved, and when.
  const [slip] = (await admin.call(pageSlips, { id: first })).envelope.data?.data ?? [];
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const moment = (n: number, kind: string, status: string, refund: string) => ({
    ...{ n, kind, status, payout: '0.00', refund, createTime: at, settlementId: expect.any(Number) },
  });
  expect(slip?.settlements).toEqual([
    moment(1, 'VOID', 'VOID', '5.00'),
    moment(2, 'UNVOID', 'PENDING', '-5.00'),
    moment(3, 'VOID', 'VOID', '5.00'),
  ]);
});
