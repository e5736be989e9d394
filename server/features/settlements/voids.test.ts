import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { approvalIdOf, releaseApproval } from '#contract/approvals.ts';
import {
  pageHeldSlips,
  pageSettlements,
  releaseHeldSlips,
  unvoidPhase,
  voidPhase,
} from '#contract/settlements.ts';
import { cancelSlip, pageSlips } from '#contract/slips.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildBettors, buildPhase, buildSlips, playWays, recordResult } from '#server/testing/build-slips.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { meeting } from '#server/testing/meeting.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { correctRecord } from '../draw-records/draw-record-store.ts';
import { nextSettlement } from './holds.ts';
import { settleDue } from './settle.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(async () => {
  await expectProven(server.db);
  await server.close();
});

type Phase = Awaited<ReturnType<typeof buildPhase>>;
const line = (rules: 'first' | 'second' | 'size', selection: string, unitStake = '2') => ({
  ...{ rules, selection, unitStake },
});

const slipsOf = async (ids: readonly number[]) => {
  const { rows } = await sql<{ status: string; payout: string; refund: string }>`
    select s.status, s.payout, s.refund from unnest(${[...ids]}::bigint[]) with ordinality as w (id, n) join slip s using (id) order by n`.execute(
    server.db,
  );
  return rows.map(({ status, payout, refund }) => `${status} ${payout} ${refund}`);
};
const settle = () => settleDue(server.db);
const told = async (input: Parameters<typeof pageSettlements.input.parse>[0] & object) =>
  (await admin.call(pageSettlements, input)).envelope.data?.data ?? [];

async function threeSlips(phase: Phase): Promise<number[]> {
  const users = await buildBettors(server.db, 3);
  return buildSlips(server.db, phase, [
    { userId: users[0] ?? 0, lines: [line('first', '9'), line('size', '大', '3')] },
    { userId: users[1] ?? 0, lines: [line('size', '小', '3')] },
    { userId: users[2] ?? 0, lines: [line('second', '3')] },
  ]);
}

it('a play way is voided before the draw, the others settle by it, and the void is taken back', async () => {
  const phase = await buildPhase(server.db);
  const slips = await threeSlips(phase);
  const scope = { ...phase, playWayId: playWays.size };
  const answer = await admin.call(voidPhase, { ...scope, reason: '赔率录错' });
  expect(answer.envelope.success).toBe(true);
  expect(typeof answer.envelope.data).toBe('number');
  await settle();
  expect(await slipsOf(slips)).toEqual(['PENDING 0.00 3.00', 'VOID 0.00 3.00', 'PENDING 0.00 0.00']);
  // Once is enough.
  for (const again of [scope, { ...phase, playWayId: playWays.broken }])
    expect((await admin.call(voidPhase, { ...again, reason: '再来一次' })).envelope.success).toBe(false);
  await recordResult(server.db, phase, '7,3,5,5,5');
  await settle();
  expect(await slipsOf(slips)).toEqual(['LOST 0.00 3.00', 'VOID 0.00 3.00', 'WON 19.46 0.00']);

  const [voided] = await told({ ...phase, kind: 'VOID' });
  expect(voided).toMatchObject({
    ...{ kind: 'VOID', status: 'DONE', slips: 2, stake: '8.00', payout: '0.00', refund: '6.00', total: 3 },
    ...{ playWayId: playWays.size, undone: false, reason: '赔率录错', waiting: 0, held: 0 },
  });
  const settlementId = voided?.id ?? 0;
  expect((await admin.call(unvoidPhase, { settlementId, reason: '没有录错' })).envelope.success).toBe(true);
  await settle();
  expect(await slipsOf(slips)).toEqual(['WON 5.955 0.00', 'LOST 0.00 0.00', 'WON 19.46 0.00']);
  const twice = await admin.call(unvoidPhase, { settlementId, reason: '再来一次' });
  expect(twice.envelope.msg).toBe('该作废已经恢复');
  const [undone] = await told({ ...phase, kind: 'UNVOID' });
  expect(undone).toMatchObject({ payout: '5.955', refund: '-6.00', status: 'DONE' });
  const wrong = await admin.call(unvoidPhase, { settlementId: undone?.id ?? 0, reason: '不是作废' });
  expect(wrong.envelope.msg).toBe('该结算不是作废，不能恢复');
  // What was taken back may be voided anew, and a settled phase as a whole.
  expect((await admin.call(voidPhase, { ...phase, reason: '整期作废' })).envelope.success).toBe(true);
  await settle();
  expect(await slipsOf(slips)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00', 'VOID 0.00 2.00']);
});

it('of two who take a void back at once the second hears that it was, and the slips come back once', async () => {
  const phase = await buildPhase(server.db);
  const slips = await threeSlips(phase);
  const id = Number((await admin.call(voidPhase, { ...phase, reason: '赔率录错' })).envelope.data);
  await settle();
  const { answers, met } = await meeting(server.db, 'settlement', id, () =>
    ['没有录错', '不必作废'].map((reason) => admin.call(unvoidPhase, { settlementId: id, reason })),
  );
  expect(met).toBe(true);
  expect(answers.map(({ envelope }) => envelope.msg).toSorted()).toEqual(['操作成功', '该作废已经恢复']);
  await settle();
  expect(await slipsOf(slips)).toEqual(['PENDING 0.00 0.00', 'PENDING 0.00 0.00', 'PENDING 0.00 0.00']);
});

it('a time window is voided, and nothing is before closing, without slips or of an unknown phase', async () => {
  const phase = await buildPhase(server.db);
  const users = await buildBettors(server.db, 3);
  const slips = await buildSlips(
    server.db,
    phase,
    users.map((userId) => ({ userId, lines: [line('first', '9')] })),
  );
  const { rows } = await sql<{
    at: string;
  }>`select "createTime" as at from slip where id = ${slips[1]}`.execute(server.db);
  const at = rows[0]?.at ?? '';
  expect(
    (await admin.call(voidPhase, { ...phase, createTimeRange: [at, at], reason: '赔率错盘' })).envelope
      .success,
  ).toBe(true);
  await recordResult(server.db, phase, '9,3,5,5,5');
  await settle();
  expect(await slipsOf(slips)).toEqual(['WON 19.58 0.00', 'VOID 0.00 2.00', 'WON 19.58 0.00']);

  const refused = async (where: Phase) =>
    (await admin.call(voidPhase, { ...where, reason: '试着作废' })).envelope.msg;
  expect(await refused({ ...phase, phase: '1' })).toBe('期号 1 不存在');
  expect(await refused(await buildPhase(server.db))).toBe('没有可以作废的注单');
  const open = await buildPhase(server.db);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    values (${open.gameId}, '5001', now(), now() + interval '1 hour')`.execute(server.db);
  expect(await refused({ ...open, phase: '5001' })).toBe('期号 5001 尚未封盘，不能作废');
});

it('a phase that will never be drawn gives its stakes back, for good', async () => {
  const phase = await buildPhase(server.db);
  const slips = await threeSlips(phase);
  await sql`insert into draw_void ("gameId", phase, "operatorId", "userName", reason)
    values (${phase.gameId}, ${phase.phase}, 1, 'admin', '承诺无法兑现')`.execute(server.db);
  await settle();
  expect(await slipsOf(slips)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00', 'VOID 0.00 2.00']);
  const [voided] = await told(phase);
  const undone = await admin.call(unvoidPhase, { settlementId: voided?.id ?? 0, reason: '恢复注单' });
  expect(undone.envelope.msg).toBe('该期已作废、不会开奖，注单不能恢复');
});

it('a conflict stops what pays a result, and no void of the whole phase, begun or to be tried again', async () => {
  const phase = await buildPhase(server.db);
  const slips = await threeSlips(phase);
  const record = await recordResult(server.db, phase, '9,3,5,5,5');
  await settle();
  const dispute = (conflict: boolean) =>
    sql`update draw_record set conflict = ${conflict} where id = ${record}`.execute(server.db);
  const statuses = async () => (await told(phase)).map(({ kind, status }) => `${kind} ${status}`);
  await admin.call(voidPhase, { ...phase, playWayId: playWays.size, reason: '赔率错盘' });
  await dispute(true);
  await settle();
  expect(await statuses()).toEqual(['VOID HELD', 'FIRST DONE']);
  await dispute(false);
  await settle();
  expect(await statuses()).toEqual(['VOID DONE', 'FIRST DONE']);

  await admin.call(voidPhase, { ...phase, reason: '整期作废' });
  // The next settlement of the third slip cannot be posted: its number is taken.
  const { rows } = await sql<{ userId: number }>`select "userId" from slip where id = ${slips[2]}`.execute(
    server.db,
  );
  await sql`select from post_entries(array[${rows[0]?.userId}]::bigint[], array['BET_REFUND'], array[1], array[${`B${slips[2]}/2`}], array[null])`.execute(
    server.db,
  );
  await dispute(true);
  expect(await statuses()).toEqual(['VOID RUNNING', 'VOID DONE', 'FIRST DONE']);
  await settle();
  expect((await slipsOf(slips)).slice(0, 2)).toEqual(['VOID 0.00 5.00', 'VOID 0.00 3.00']);
  // Nothing of it is a win that somebody could let go.
  expect((await told(phase))[0]).toMatchObject({ kind: 'VOID', status: 'HELD', held: 1, bigWins: 0 });
  await sql`update slip_hold set "nextTime" = now() where "slipId" = ${slips[2]}`.execute(server.db);
  expect(await nextSettlement(server.db)).toBeLessThan(Date.now() + 1_000);
  await settle();
  const { rows: tried } = await sql`select failures from slip_hold where "slipId" = ${slips[2]}`.execute(
    server.db,
  );
  expect(tried).toEqual([{ failures: 2 }]);
});

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
  await buildSlips(server.db, phase, [slip('9', '2'), slip('9', '20'), slip('1', '2')]);
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

it('big wins are shown, and let go one by one or together', async () => {
  const phase = await buildPhase(server.db);
  const users = await buildBettors(server.db, 3);
  const slips = await buildSlips(
    server.db,
    phase,
    users.map((userId) => ({ userId, lines: [line('first', '9', '20')] })),
  );
  await setParam(server.db, 'bet.holdPayoutAbove', '195.7');
  await recordResult(server.db, phase, '9,3,5,5,5');
  await settle();
  const [settlement] = await told({ ...phase, status: 'HELD' });
  const id = settlement?.id ?? 0;
  expect(settlement).toMatchObject({ held: 3, bigWins: 3, slips: 0, total: 3 });
  const held = (await admin.call(pageHeldSlips, { id })).envelope.data;
  expect(held?.totalCount).toBe(3);
  expect(held?.data[0]).toMatchObject({
    ...{
      slipId: slips[0],
      userId: users[0],
      cause: 'BIG_WIN',
      payout: '195.80',
      released: false,
      nextTime: null,
    },
  });
  const release = (slipId?: number) => admin.call(releaseHeldSlips, { id, slipId, reason: '已经核对' });
  expect((await release(slips[1])).envelope.data).toBe(1);
  await settle();
  expect((await slipsOf(slips)).map((slip) => slip.split(' ')[0])).toEqual(['HELD', 'WON', 'HELD']);
  expect((await release()).envelope.data).toBe(2);
  await settle();
  expect((await release()).envelope.msg).toBe('没有等待放行的大额派彩');
  expect((await told({ ...phase, status: 'DONE' }))[0]).toMatchObject({
    held: 0,
    slips: 3,
    payout: '587.40',
  });
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from change_record where summary = '放行大额派彩' and "targetId" = ${String(id)}`.execute(
    server.db,
  );
  expect(rows[0]?.n).toBe(3);
  await setParam(server.db, 'bet.holdPayoutAbove', '0');
});

it('a correction that brings a slip above what a person has to look at is held, however little it adds', async () => {
  const phase = await buildPhase(server.db);
  const [userId = 0] = await buildBettors(server.db, 1);
  const slips = await buildSlips(server.db, phase, [
    { userId, lines: [line('first', '9', '20'), line('second', '3', '20')] },
  ]);
  await setParam(server.db, 'bet.holdPayoutAbove', '300');
  const recordId = await recordResult(server.db, phase, '9,4,5,5,5');
  await settle();
  expect(await slipsOf(slips)).toEqual(['WON 195.80 0.00']);
  await server.db.transaction().execute((tx) =>
    correctRecord(tx, {
      ...{ recordId, oldResult: '9,4,5,5,5', newResult: '9,3,5,5,5', source: '另一来源', reason: '更正' },
      ...{ operatorId: 1, userName: 'admin' },
    }),
  );
  await settle();
  expect(await slipsOf(slips)).toEqual(['HELD 195.80 0.00']);
  const [{ id } = { id: 0 }] = await told({ ...phase, kind: 'CORRECTION' });
  const held = (await admin.call(pageHeldSlips, { id })).envelope.data?.data;
  const problem = '派彩 390.40 超过 300.00，待人工确认';
  expect(held).toMatchObject([{ payout: '194.60', problem }]);
  const shown = async () =>
    (await admin.call(pageSlips, { id: slips[0] ?? 0 })).envelope.data?.data.map((slip) => slip.problem);
  expect(await shown()).toEqual([problem]);
  await admin.call(releaseHeldSlips, { id, reason: '已经核对' });
  await settle();
  expect(await shown()).toEqual([null]);
  expect(await slipsOf(slips)).toEqual(['WON 390.40 0.00']);
  await setParam(server.db, 'bet.holdPayoutAbove', '0');
});

/** What a slip of these lines comes to, worked out by hand: the first place, the second, big or small with 9 given back. */
function wanted(result: string | null, voids: ReadonlySet<string>): string[] {
  const [first = 0, second = 0] = (result ?? '').split(',').map(Number);
  const lineOf = (
    rules: 'first' | 'second' | 'size',
    stake: number,
    wins: boolean,
    odds: number,
    isPush = false,
  ) => {
    if (voids.has('all') || voids.has(rules)) return { payout: 0, refund: stake, status: 'VOID' };
    if (result === null) return { payout: 0, refund: 0, status: 'PENDING' };
    if (isPush) return { payout: 0, refund: stake, status: 'PUSHED' };
    return { payout: wins ? stake * odds : 0, refund: 0, status: wins ? 'WON' : 'LOST' };
  };
  const big = (stake: number, side: boolean) =>
    lineOf('size', stake, first >= 5 === side, 1.985, first === 9);
  const slips = [
    [lineOf('first', 2, first === 9, 9.79), big(3, true)],
    [big(3, false)],
    [lineOf('second', 2, second === 3, 9.73)],
  ];
  return slips.map((lines) => {
    const counting = lines.filter(({ status }) => status !== 'VOID').map(({ status }) => status);
    const status =
      counting.length === 0
        ? 'VOID'
        : (['PENDING', 'WON'].find((each) => counting.includes(each)) ??
          (counting.every((each) => each === 'PUSHED') ? 'PUSHED' : 'LOST'));
    const sum = (of: 'payout' | 'refund') => lines.reduce((total, each) => total + each[of], 0);
    return `${status} ${sum('payout').toFixed(4)} ${sum('refund').toFixed(4)}`;
  });
}

it('whatever order results, corrections, voids and their ways back come in, slips end where the last of them says', async () => {
  const acts = fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('result' as const),
        result: fc.constantFrom('9,3,5', '7,3,5', '1,1,1', '9,4,4'),
      }),
      fc.record({
        kind: fc.constant('void' as const),
        of: fc.constantFrom('all' as const, 'first' as const, 'size' as const),
      }),
      fc.record({ kind: fc.constant('unvoid' as const) }),
      fc.record({ kind: fc.constant('settle' as const) }),
    ),
    { minLength: 3, maxLength: 9 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const phase = await buildPhase(server.db);
      const slips = await threeSlips(phase);
      let record: { id: number; result: string } | undefined;
      const voids = new Map<string, number>();
      for (const act of all) {
        if (act.kind === 'settle') await settle();
        else if (act.kind === 'result' && !record)
          record = { id: await recordResult(server.db, phase, act.result), result: act.result };
        else if (act.kind === 'result' && record && record.result !== act.result) {
          const { id, result } = record;
          await server.db.transaction().execute((tx) =>
            correctRecord(tx, {
              ...{
                recordId: id,
                oldResult: result,
                newResult: act.result,
                source: '另一来源',
                reason: '更正',
              },
              ...{ operatorId: 1, userName: 'admin' },
            }),
          );
          record = { id, result: act.result };
        } else if (act.kind === 'void') {
          const playWayId = act.of === 'all' ? undefined : playWays[act.of];
          const { data, success } = (await admin.call(voidPhase, { ...phase, playWayId, reason: '作废注单' }))
            .envelope;
          if (success && typeof data === 'number') voids.set(act.of, data);
        } else if (act.kind === 'unvoid') {
          const [last] = [...voids].toReversed();
          if (!last) continue;
          const input = { settlementId: last[1], reason: '恢复注单' };
          expect((await admin.call(unvoidPhase, input)).envelope.success).toBe(true);
          voids.delete(last[0]);
        }
      }
      await settle();
      const { rows } = await sql<{ slip: string }>`
        select s.status || ' ' || round(s.payout, 4) || ' ' || round(s.refund, 4) as slip
        from unnest(${slips}::bigint[]) with ordinality as w (id, n) join slip s using (id) order by n`.execute(
        server.db,
      );
      expect(rows.map(({ slip }) => slip)).toEqual(wanted(record?.result ?? null, new Set(voids.keys())));
      // The ledger moved just that, payout and refund apart.
      const { rows: wrong } = await sql`
        select s.id from slip s, lateral (
          select coalesce(sum(case "changeType" when 'WIN' then amount when 'WIN_REVERSAL' then -amount end), 0) as payout,
            coalesce(sum(case "changeType" when 'BET_REFUND' then amount when 'REFUND_REVERSAL' then -amount end), 0) as refund
          from account_history h where h."bizOrderNo" = 'B' || s.id or h."bizOrderNo" like 'B' || s.id || '/%') as l
        where s.id = any(${slips}::bigint[]) and (s.payout <> l.payout or s.refund <> l.refund)`.execute(
        server.db,
      );
      expect(wrong).toEqual([]);
    }),
    { seed: randomSeed, numRuns: 15 },
  );
});

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
    await settle();
    expect(await told(phase)).toEqual([]);
    expect((await release(id, admin)).envelope.success).toBe(false);
    expect((await release(id)).envelope.success).toBe(true);
    await settle();
    expect(await slipsOf([first, second])).toEqual(['VOID 0.00 5.00', 'PENDING 0.00 0.00']);
    expect((await cancel(first)).envelope.msg).toBe('注单已作废，不能撤单');
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
