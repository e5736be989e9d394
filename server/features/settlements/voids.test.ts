import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { unvoidPhase, voidPhase } from '#contract/settlements.ts';
import {
  type BuiltPhase,
  buildBettors,
  buildPhase,
  buildSlips,
  builtLine as line,
  playWays,
  recordResult,
} from '#server/testing/build-slips.ts';
import { meeting } from '#server/testing/meeting.ts';
import { startSettling } from '#server/testing/settled-slips.ts';
import { nextSettlement } from './holds.ts';

const { server, admin, slipsOf, settle, told, threeSlips, end } = await startSettling();
afterAll(end);

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

it('of two who take a void back at once the second hears that it was, and the slips come back once', {
  retry: 0,
}, async () => {
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
  const { rows } = await sql`
    select from slip where "gameId" = ${phase.gameId} and "settleTime" is null`.execute(server.db);
  expect(rows).toHaveLength(3);
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

  const refused = async (where: BuiltPhase) =>
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

it('a void of all slips of some time that begins while sources disagree waits for them', async () => {
  const phase = await buildPhase(server.db);
  await threeSlips(phase);
  const record = await recordResult(server.db, phase, '9,3,5,5,5');
  await settle();
  await sql`update draw_record set conflict = true where id = ${record}`.execute(server.db);
  const createTimeRange: [string, string] = ['2020-01-01 00:00:00', '2999-01-01 00:00:00'];
  await admin.call(voidPhase, { ...phase, createTimeRange, reason: '赔率错盘' });
  expect((await told(phase)).map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    ...['VOID HELD', 'FIRST DONE'],
  ]);
});
