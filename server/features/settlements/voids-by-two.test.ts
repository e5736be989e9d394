import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { approvalIdOf, releaseApproval } from '#contract/approvals.ts';
import { applyCorrection, previewCorrection } from '#contract/corrections.ts';
import { releaseHeldSlips, unvoidPhase, voidPhase } from '#contract/settlements.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import {
  buildBettors,
  buildPhase,
  buildSlips,
  claimResults,
  builtLine as line,
  recordResult,
} from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { startSettling } from '#server/testing/settled-slips.ts';

const { server, admin, slipsOf, settle, told, threeSlips, end } = await startSettling();
afterAll(end);

it('voids wait for a second operator where approvals are in force', async () => {
  const phase = await buildPhase(server.db);
  const slips = await threeSlips(phase);
  const second = await fullOperator(server);
  await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    const id = waiting(await admin.call(voidPhase, { ...phase, reason: '赔率错盘' }));
    await settle();
    expect(await told(phase)).toEqual([]);
    const own = await admin.call(releaseApproval, { id, reason: '自己放行' });
    expect(own.envelope.success).toBe(false);
    expect((await second.client.call(releaseApproval, { id, reason: '核对无误' })).envelope.success).toBe(
      true,
    );
    await settle();
    expect(await slipsOf(slips)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00', 'VOID 0.00 2.00']);
    const [voided] = await told(phase);
    expect((await approvalSeenBy(admin, id)).after).toEqual({ slips: 3, refund: '10.00', payout: '0.00' });
    const back = await admin.call(unvoidPhase, { settlementId: voided?.id ?? 0, reason: '恢复注单' });
    expect(approvalIdOf(back.envelope.data)).toBeGreaterThan(0);
    expect(await slipsOf(slips)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00', 'VOID 0.00 2.00']);
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
});

it('a second operator sees what a void takes back, which may grow until it is released', async () => {
  const phase = await buildPhase(server.db);
  const [userId = 0] = await buildBettors(server.db, 1);
  const slip = (selection: string, unitStake: string) => ({
    userId,
    lines: [line('first', selection, unitStake)],
  });
  const [, , , cancelled] = await buildSlips(server.db, phase, [
    ...[slip('9', '2'), slip('9', '20'), slip('1', '2'), slip('1', '5')],
  ]);
  await sql`update slip set status = 'CANCELLED', refund = stake where id = ${cancelled}`.execute(server.db);
  await sql`update slip_line set status = 'CANCELLED', refund = stake where "slipId" = ${cancelled}`.execute(
    server.db,
  );
  const second = await fullOperator(server);
  await fullOperator(server);
  await setParam(server.db, 'bet.holdPayoutAbove', '100');
  await recordResult(server.db, phase, '9,3,5,5,5');
  await settle();
  await setParam(server.db, 'bet.holdPayoutAbove', '0');
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    const id = waiting(await admin.call(voidPhase, { ...phase, reason: '赔率错盘' }));
    const after = { slips: 3, refund: '24.00' };
    expect((await approvalSeenBy(second.client, id)).after).toEqual({ ...after, payout: '-19.58' });
    // Meanwhile the win that was held is let go.
    const [first] = await told(phase);
    await admin.call(releaseHeldSlips, { id: first?.id ?? 0, reason: '已经核对' });
    await settle();
    const release = await second.client.call(releaseApproval, { id, reason: '核对无误' });
    expect(release.envelope.msg).toBe('已放行并执行');
    await settle();
    expect((await told({ ...phase, kind: 'VOID' }))[0]).toMatchObject({ ...after, payout: '-215.38' });
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
});

it.each([
  ['while the first is under way', false],
  ['after the first is done', true],
])('of two voids of one phase that both wait, the second is released to no effect %s', async (_, done) => {
  const phase = await buildPhase(server.db);
  const slips = await threeSlips(phase);
  const second = await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  const release = async (id: number) =>
    (await second.client.call(releaseApproval, { id, reason: '核对无误' })).envelope;
  try {
    const ids: number[] = [];
    for (const reason of ['赔率错盘', '又一次作废'])
      ids.push(waiting(await admin.call(voidPhase, { ...phase, reason })));
    const [one = 0, other = 0] = ids;
    expect(one).not.toBe(other);
    expect((await release(one)).success).toBe(true);
    if (done) await settle();
    const again = await release(other);
    expect(again).toMatchObject({ success: false, msg: '该操作现在不能执行：这些注单已经作废' });
    await settle();
    expect(await slipsOf(slips)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00', 'VOID 0.00 2.00']);
    const { rows } = await sql<{ moves: number; amount: string }>`
      select count(*) as moves, sum(h.amount) as amount
      from account_history h join slip s on h."bizOrderNo" like 'B' || s.id || '%'
      where s.id = any(${slips}) and h.direction = 'IN'`.execute(server.db);
    expect(rows).toEqual([{ moves: 3, amount: '10.00' }]);
    expect(await told({ ...phase, kind: 'VOID' })).toHaveLength(1);
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
});

it.each([
  ['void', '该操作现在不能执行：预览之后注单或开奖记录已有变动，请重新预览', ['VOID', 'FIRST']],
  // Whatever the result is by then, all slips are given back: what the void was shown to do.
  ['correction', '已放行并执行', ['VOID', 'CORRECTION', 'FIRST']],
])(
  'of a void and a correction of one phase that both wait, the %s is released first',
  async (first, msg, kinds) => {
    const phase = await buildPhase(server.db);
    const slips = await threeSlips(phase);
    const recordId = await recordResult(server.db, phase, '9,3,5,5,5');
    await claimResults(server.db, recordId, ['1,3,5,5,5']);
    await settle();
    const second = await fullOperator(server);
    const { client } = await fullOperator(server);
    await setParam(server.db, 'approval.enabled', 'true');
    const release = async (id: number) =>
      (await second.client.call(releaseApproval, { id, reason: '核对无误' })).envelope;
    try {
      const change = { recordId, result: '1,3,5,5,5' };
      const { digest } = given((await client.call(previewCorrection, change)).envelope.data);
      const voiding = waiting(await admin.call(voidPhase, { ...phase, reason: '赔率错盘' }));
      const correcting = waiting(
        await client.call(applyCorrection, { ...change, digest, reason: '官网公告已更正' }),
      );
      const [one, other] = first === 'void' ? [voiding, correcting] : [correcting, voiding];
      expect((await release(one)).msg).toBe('已放行并执行');
      expect((await release(other)).msg).toBe(msg);
      await settle();
      expect(await slipsOf(slips)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00', 'VOID 0.00 2.00']);
      expect((await told(phase)).map(({ kind }) => kind)).toEqual(kinds);
    } finally {
      await setParam(server.db, 'approval.enabled', 'false');
    }
  },
);
