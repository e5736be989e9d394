import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { pageHeldSlips, releaseHeldSlips } from '#contract/settlements.ts';
import { pageSlips } from '#contract/slips.ts';
import { setParam } from '#server/testing/approving.ts';
import {
  buildBettors,
  buildPhase,
  buildSlips,
  builtLine as line,
  recordResult,
} from '#server/testing/build-slips.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import { correctResult, startSettling } from '#server/testing/settled-slips.ts';
import { keepResults } from '../draw-records/keep-results.ts';
import { releaseHeld } from './holds.ts';

const { server, admin, slipsOf, settle, told, end } = await startSettling();
afterAll(end);

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
  await correctResult(server.db, recordId, '9,4,5,5,5', '9,3,5,5,5');
  await settle();
  expect(await slipsOf(slips)).toEqual(['HELD 195.80 0.00']);
  const [{ id } = { id: 0 }] = await told({ ...phase, kind: 'CORRECTION' });
  const held = (await admin.call(pageHeldSlips, { id })).envelope.data?.data;
  const problem = '派彩 390.40 超过 300.00，待放行';
  expect(held).toMatchObject([{ payout: '194.60', problem }]);
  const shown = async () =>
    (await admin.call(pageSlips, { id: slips[0] ?? 0 })).envelope.data?.data.map((slip) => slip.problem);
  expect(await shown()).toEqual([problem]);
  await admin.call(releaseHeldSlips, { id, reason: '已经核对' });
  await settle();
  expect(await shown()).toEqual([null]);
  expect(await slipsOf(slips)).toEqual(['WON 390.40 0.00']);
  // What is taken back waits for nobody, though more than that is left of the win.
  await setParam(server.db, 'bet.holdPayoutAbove', '100');
  await correctResult(server.db, recordId, '9,3,5,5,5', '9,4,5,5,5');
  await settle();
  expect(await slipsOf(slips)).toEqual(['WON 195.80 0.00']);
  // Nor does what is not above it.
  await setParam(server.db, 'bet.holdPayoutAbove', '390.4');
  await correctResult(server.db, recordId, '9,4,5,5,5', '9,3,5,5,5');
  await settle();
  expect(await slipsOf(slips)).toEqual(['WON 390.40 0.00']);
  await setParam(server.db, 'bet.holdPayoutAbove', '0');
});

it('a win that is let go as a source disagrees is not paid before that is settled', async () => {
  const { db } = server;
  const phase = await buildPhase(db);
  const users = await buildBettors(db, 1);
  const slips = await buildSlips(
    db,
    phase,
    users.map((userId) => ({ userId, lines: [line('first', '9', '20')] })),
  );
  await setParam(db, 'bet.holdPayoutAbove', '100');
  await recordResult(db, phase, '9,3,5,5,5');
  await settle();
  const [{ id } = { id: 0 }] = await told({ ...phase, status: 'HELD' });
  const disagreeing = await db.transaction().execute(async (tx) => {
    expect(await releaseHeld(tx, id)).toBe(1);
    const results = [{ phase: phase.phase, result: '1,3,5,5,5', openTime: null }];
    const saying = db
      .transaction()
      .execute((other) =>
        keepResults(other, { gameId: phase.gameId, source: '乙', now: new Date(), results }),
      );
    const over = saying.then(() => true);
    while (!(await Promise.race([over, false])) && (await waitForLocks(db)) < 1);
    return { saying };
  });
  await disagreeing.saying;
  await settle();
  expect(await slipsOf(slips)).toEqual(['HELD 0.00 0.00']);
  expect(await told(phase)).toMatchObject([{ status: 'HELD', problem: '开奖结果有冲突' }]);
  await setParam(db, 'bet.holdPayoutAbove', '0');
});
