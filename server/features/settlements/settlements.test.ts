import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect } from '#server/db/database.ts';
import {
  type BuiltPhase,
  buildBettors,
  buildPhase,
  buildSlips,
  builtLine as line,
  recordResult,
} from '#server/testing/build-slips.ts';
import { balanceOf } from '#server/testing/build-user.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { correctResult } from '#server/testing/settled-slips.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { releaseHeld } from './holds.ts';
import { settleDue } from './settle.ts';

let database: TestDatabase;
let db: TestDatabase['db'];
beforeAll(async () => {
  database = await testDatabase();
  db = database.db;
});
afterAll(async () => {
  await expectProven(db);
  await database.drop();
});

const settlementsOf = async ({ gameId, phase }: BuiltPhase) =>
  db
    .selectFrom('settlement')
    .select([
      'id',
      'kind',
      'status',
      'result',
      'total',
      'slips',
      'stake',
      'payout',
      'refund',
      'problem',
      'endTime',
    ])
    .where('gameId', '=', gameId)
    .where('phase', '=', phase)
    .orderBy('id')
    .execute();

const slipOf = async (id: number) => {
  const slip = await db
    .selectFrom('slip')
    .select(['status', 'payout', 'refund', 'settleTime'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const lines = await db
    .selectFrom('slip_line')
    .select(['status', 'winningUnits', 'pushedUnits', 'payout', 'refund'])
    .where('slipId', '=', id)
    .orderBy('id')
    .execute();
  return { ...slip, settleTime: slip.settleTime !== null, lines };
};

/** The ledger of slips: order number, kind and amount, without the stakes. */
const movedBy = async (slips: readonly number[]): Promise<string[]> => {
  const { rows } = await sql<{ row: string }>`
    select "bizOrderNo" || ' ' || "changeType" || ' ' || amount as row from account_history
    where split_part("bizOrderNo", '/', 1) = any(${slips.map((id) => `B${id}`)}::text[]) and "changeType" <> 'BET' order by id`.execute(
    db,
  );
  return rows.map(({ row }) => row);
};

const correct = (recordId: number, oldResult: string, newResult: string) =>
  correctResult(db, recordId, oldResult, newResult);

it('a record settles its phase: wins, pushes and losses, line by line, each slip moved once', async () => {
  const phase = await buildPhase(db);
  const [anna = 0, berta = 0] = await buildBettors(db, 2, '100');
  const slips = await buildSlips(db, phase, [
    { userId: anna, lines: [line('first', '9,1', '2', 2), line('size', '大', '3')] },
    { userId: berta, lines: [line('size', '大,小', '1.2345', 2)] },
    { userId: berta, lines: [line('second', '4')] },
    { userId: berta, lines: [line('first', '9', '1.0001')] },
    { userId: berta, lines: [line('second', '3'), line('size', '小')] },
  ]);
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = slips;
  expect(await settlementsOf(phase)).toEqual([]);
  await recordResult(db, phase, '9,3,5,5,5');
  expect((await settlementsOf(phase))[0]).toMatchObject({
    kind: 'FIRST',
    status: 'RUNNING',
    result: '9,3,5,5,5',
  });
  await settleDue(db);

  // The first line pays 2 x 9.79; 9 gives back whatever was bet on its size.
  expect(await slipOf(first)).toMatchObject({
    status: 'WON',
    payout: '19.58',
    refund: '3.00',
    settleTime: true,
  });
  expect((await slipOf(first)).lines).toEqual([
    { status: 'WON', winningUnits: 1, pushedUnits: 0, payout: '19.58', refund: '0.00' },
    { status: 'PUSHED', winningUnits: 0, pushedUnits: 1, payout: '0.00', refund: '3.00' },
  ]);
  expect(await slipOf(second)).toMatchObject({ status: 'PUSHED', payout: '0.00', refund: '2.469' });
  expect(await slipOf(third)).toMatchObject({ status: 'LOST', payout: '0.00', refund: '0.00' });
  // 1.0001 x 9.79 = 9.790979, rounded down once.
  expect(await slipOf(fourth)).toMatchObject({ status: 'WON', payout: '9.7909' });
  expect(await slipOf(fifth)).toMatchObject({ status: 'WON', payout: '19.46', refund: '2.00' });
  expect(await movedBy(slips)).toEqual([
    `B${first} WIN 19.58`,
    `B${first} BET_REFUND 3.00`,
    `B${second} BET_REFUND 2.469`,
    `B${fourth} WIN 9.7909`,
    `B${fifth} WIN 19.46`,
    `B${fifth} BET_REFUND 2.00`,
  ]);
  expect((await balanceOf(db, anna)).availableAmount).toBe('115.58');
  const [settlement] = await settlementsOf(phase);
  expect(settlement).toMatchObject({
    ...{
      status: 'DONE',
      total: 5,
      slips: 5,
      stake: '16.4691',
      payout: '48.8309',
      refund: '7.469',
      problem: null,
    },
  });
  expect(settlement?.endTime).not.toBeNull();
  // Done is done.
  await settleDue(db);
  expect(await movedBy(slips)).toHaveLength(6);
});

it('no phase without slips is settled, and a slip that is being placed when the record comes is', {
  retry: 0,
}, async () => {
  const idle = await buildPhase(db);
  await recordResult(db, idle, '1,1,1,1,1');
  expect(await settlementsOf(idle)).toEqual([]);

  const phase = await buildPhase(db);
  const [player = 0] = await buildBettors(db, 1);
  const other = connect(database.url, { timeZone: 'Asia/Shanghai', max: 1 });
  let commit = () => {};
  let hold: Promise<void> | undefined;
  let slip = 0;
  await new Promise<void>((placed) => {
    hold = other.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock_shared(betting_key(${phase.gameId}, ${phase.phase}))`.execute(
        tx,
      );
      [slip = 0] = await buildSlips(tx, phase, [{ userId: player, lines: [line('first', '9')] }]);
      const isOver = new Promise<void>((over) => {
        commit = over;
      });
      placed();
      await isOver;
    });
  });
  await recordResult(db, phase, '9,3,5,5,5');
  expect(await settlementsOf(phase)).toMatchObject([{ status: 'RUNNING' }]);
  // It is waited for, and others are settled meanwhile.
  const [elsewhere = 0] = await buildBettors(db, 1);
  const beside = await buildPhase(db);
  const [quick = 0] = await buildSlips(db, beside, [{ userId: elsewhere, lines: [line('first', '9')] }]);
  await recordResult(db, beside, '9,3,5,5,5');
  await settleDue(db);
  expect((await slipOf(quick)).status).toBe('WON');
  expect(await settlementsOf(phase)).toMatchObject([{ status: 'RUNNING', total: 0 }]);
  commit();
  await hold;
  await other.destroy();
  await settleDue(db);
  expect(await settlementsOf(phase)).toMatchObject([{ status: 'DONE', slips: 1 }]);
  expect((await slipOf(slip)).status).toBe('WON');
});

it('what cannot be read holds its slips and says why, and the corrected record settles them', async () => {
  const phase = await buildPhase(db);
  const players = await buildBettors(db, 3);
  const [plain = 0, held = 0, broken = 0] = await buildSlips(db, phase, [
    { userId: players[0] ?? 0, lines: [line('first', '9')] },
    { userId: players[1] ?? 0, lines: [line('first', '9'), line('second', '3')] },
    { userId: players[2] ?? 0, lines: [line('broken', '9')] },
  ]);
  const record = await recordResult(db, phase, '9');
  await settleDue(db);
  expect((await slipOf(plain)).status).toBe('WON');
  expect(await slipOf(held)).toMatchObject({ status: 'HELD', payout: '0.00', settleTime: false });
  expect((await slipOf(held)).lines.map(({ status }) => status)).toEqual(['PENDING', 'HELD']);
  expect((await slipOf(broken)).status).toBe('HELD');
  const [waiting] = await settlementsOf(phase);
  expect(waiting).toMatchObject({ status: 'HELD', total: 3, slips: 1 });
  expect(waiting?.problem).toContain('2 张注单待处理');
  expect(waiting?.problem).toContain('没有位置 1');
  expect(waiting?.problem).toContain('第 99 版已不存在');

  await correct(record, '9', '9,3,5,5,5');
  await settleDue(db);
  const [first, second] = await settlementsOf(phase);
  expect(first).toMatchObject({ kind: 'FIRST', status: 'DONE' });
  expect(first?.problem).toContain('其余由第');
  expect(second).toMatchObject({
    kind: 'CORRECTION',
    status: 'HELD',
    result: '9,3,5,5,5',
    total: 3,
    slips: 1,
  });
  expect(await slipOf(held)).toMatchObject({ status: 'WON', payout: '39.04' });
  // What was right already is not touched again.
  expect(await movedBy([plain, held])).toEqual([`B${plain} WIN 19.58`, `B${held} WIN 39.04`]);
  expect((await slipOf(broken)).status).toBe('HELD');
});

it('a conflict stops what is left, and settling it goes on from there', async () => {
  const phase = await buildPhase(db);
  const [player = 0] = await buildBettors(db, 1);
  const [slip = 0] = await buildSlips(db, phase, [{ userId: player, lines: [line('first', '9')] }]);
  const record = await recordResult(db, phase, '9,3,5,5,5');
  await db.updateTable('draw_record').set({ conflict: true }).where('id', '=', record).execute();
  await settleDue(db);
  expect(await settlementsOf(phase)).toMatchObject([{ status: 'HELD', problem: '开奖结果有冲突' }]);
  expect((await slipOf(slip)).status).toBe('PENDING');
  await correct(record, '9,3,5,5,5', '9,3,5,5,5');
  await settleDue(db);
  expect(await settlementsOf(phase)).toMatchObject([{ kind: 'FIRST', status: 'DONE', problem: null }]);
  expect((await slipOf(slip)).status).toBe('WON');

  // Settled the other way: what had not begun is its correction's.
  const other = await buildPhase(db);
  const [late = 0] = await buildSlips(db, other, [{ userId: player, lines: [line('first', '8')] }]);
  const wrong = await recordResult(db, other, '9,3,5,5,5');
  await db.updateTable('draw_record').set({ conflict: true }).where('id', '=', wrong).execute();
  await settleDue(db);
  await correct(wrong, '9,3,5,5,5', '8,3,5,5,5');
  await settleDue(db);
  expect(await settlementsOf(other)).toMatchObject([
    { kind: 'FIRST', status: 'DONE', slips: 0 },
    { kind: 'CORRECTION', status: 'DONE', slips: 1 },
  ]);
  expect(await movedBy([late])).toEqual([`B${late} WIN 19.56`]);
});

it('corrections take back what was paid, owing what is not there, and the corrected correction pays again', async () => {
  const phase = await buildPhase(db);
  const [player = 0] = await buildBettors(db, 1, '10');
  const [slip = 0] = await buildSlips(db, phase, [
    { userId: player, lines: [line('first', '9'), line('size', '小', '3')] },
  ]);
  const record = await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  expect((await balanceOf(db, player)).availableAmount).toBe('27.58');
  // The player spends most of it.
  await sql`select from post_entries(array[${player}]::bigint[], array['MANUAL_DEDUCTION'], array[25], array[null], array[null])`.execute(
    db,
  );
  await correct(record, '9,3,5,5,5', '1,3,5,5,5');
  await settleDue(db);
  // 小 wins 5.955 now, which pays for part of what is taken back.
  expect(await slipOf(slip)).toMatchObject({ status: 'WON', payout: '5.955', refund: '0.00' });
  const owed = await db.selectFrom('account').select('debt').where('userId', '=', player).executeTakeFirst();
  expect(owed?.debt).toBe('14.045');
  await correct(record, '1,3,5,5,5', '9,3,5,5,5');
  await settleDue(db);
  expect(await slipOf(slip)).toMatchObject({ status: 'WON', payout: '19.58', refund: '3.00' });
  const account = await db
    .selectFrom('account')
    .select(['debt', 'availableAmount'])
    .where('userId', '=', player)
    .executeTakeFirst();
  expect(account).toEqual({ debt: '0.00', availableAmount: '2.58' });
  expect(
    (await settlementsOf(phase)).map(({ kind, status, payout, refund }) => [kind, status, payout, refund]),
  ).toEqual([
    ['FIRST', 'DONE', '19.58', '3.00'],
    ['CORRECTION', 'DONE', '-13.625', '-3.00'],
    ['CORRECTION', 'DONE', '13.625', '3.00'],
  ]);
  const numbers = (await movedBy([slip])).map((row) => row.split(' ').slice(0, 2).join(' '));
  expect(numbers).toContain(`B${slip}/3 WIN`);
  expect(numbers).toContain(`B${slip}/3 BET_REFUND`);
});

it('a settlement tells how many slips it holds, however many', async () => {
  const phase = await buildPhase(db);
  const [userId = 0] = await buildBettors(db, 1, '20000');
  await buildSlips(db, phase, Array(1_001).fill({ userId, lines: [line('broken', '9')] }));
  await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  const [settlement] = await settlementsOf(phase);
  expect(settlement).toMatchObject({ status: 'HELD', total: 1_001, slips: 0 });
  expect(settlement?.problem).toMatch(/^1001 张注单待处理：/);
});

it('a slip that cannot be posted is set aside, holds nobody up, and is tried again', async () => {
  const phase = await buildPhase(db);
  const [rich = 0, poor = 0] = await buildBettors(db, 2, '10');
  const [full = 0, used = 0, fine = 0] = await buildSlips(db, phase, [
    { userId: rich, lines: [line('first', '9')] },
    { userId: poor, lines: [line('first', '9')] },
    { userId: poor, lines: [line('first', '9')] },
  ]);
  await sql`select from post_entries(array[${rich}]::bigint[], array['MANUAL_ADDITION'], array[999999999990], array[null], array[null])`.execute(
    db,
  );
  // Somebody used the number for something else.
  await sql`select from post_entries(array[${rich}]::bigint[], array['WIN'], array[1], array[${`B${used}`}], array[null])`.execute(
    db,
  );
  await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  const statuses = await Promise.all([full, used, fine].map(slipOf));
  expect(statuses.map(({ status }) => status)).toEqual(['HELD', 'HELD', 'WON']);
  const [settlement] = await settlementsOf(phase);
  expect(settlement).toMatchObject({ status: 'HELD', slips: 1, payout: '19.58' });
  expect(settlement?.problem).toContain('2 张注单待处理');
  expect(settlement?.problem).toContain('订单号已被使用');

  await sql`select from post_entries(array[${rich}]::bigint[], array['MANUAL_DEDUCTION'], array[500], array[null], array[null])`.execute(
    db,
  );
  await sql`update slip_hold set "nextTime" = now() where "slipId" in (${full}, ${used})`.execute(db);
  await settleDue(db);
  expect((await slipOf(full)).status).toBe('WON');
  expect(await movedBy([full])).toEqual([`B${full} WIN 19.58`]);
  expect(await settlementsOf(phase)).toMatchObject([{ status: 'HELD', slips: 2 }]);
  const { rows } = await sql`select reason, failures from slip_hold where "slipId" = ${used}`.execute(db);
  expect(rows).toEqual([{ reason: 'UNPOSTED', failures: 2 }]);
});

it('a win above the parameter waits for a look, and is paid once somebody lets it go', async () => {
  const phase = await buildPhase(db);
  const [player = 0] = await buildBettors(db, 1);
  const [big = 0, small = 0] = await buildSlips(db, phase, [
    { userId: player, lines: [line('first', '9', '20')] },
    { userId: player, lines: [line('first', '9')] },
  ]);
  const say = (value: string) =>
    db.updateTable('param_setting').set({ value }).where('key', '=', 'bet.holdPayoutAbove').execute();
  await sql`insert into param_setting (title, key, value) values ('大额', 'bet.holdPayoutAbove', '0') on conflict do nothing`.execute(
    db,
  );
  await say('100');
  await recordResult(db, phase, '9,3,5,5,5');
  await settleDue(db);
  expect((await slipOf(small)).status).toBe('WON');
  expect(await slipOf(big)).toMatchObject({ status: 'HELD', payout: '0.00' });
  const [settlement] = await settlementsOf(phase);
  expect(settlement?.problem).toContain('派彩 195.80 超过 100.00');
  const release = (slipId?: number) =>
    db.transaction().execute((tx) => releaseHeld(tx, settlement?.id ?? 0, slipId));
  expect(await release(small)).toBe(0);
  // While sources disagree nothing of it is paid.
  const dispute = (conflict: boolean) =>
    sql`update draw_record set conflict = ${conflict} where "gameId" = ${phase.gameId}`.execute(db);
  await dispute(true);
  await expect(release()).rejects.toThrow('开奖结果有冲突，处理之后才能放行');
  await settleDue(db);
  expect((await slipOf(big)).status).toBe('HELD');
  await dispute(false);
  expect(await release()).toBe(1);
  expect(await release()).toBe(0);
  await settleDue(db);
  expect(await slipOf(big)).toMatchObject({ status: 'WON', payout: '195.80' });
  expect(await settlementsOf(phase)).toMatchObject([{ status: 'DONE', slips: 2, problem: null }]);
  await say('0');
});
