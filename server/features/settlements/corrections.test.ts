import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageApprovals, releaseApproval } from '#contract/approvals.ts';
import { applyCorrection, type CorrectionPreview, previewCorrection } from '#contract/corrections.ts';
import { resolveDrawRecord } from '#contract/draw-records.ts';
import {
  pageSettlements,
  releaseHeldSlips,
  sumSettlements,
  unvoidPhase,
  voidPhase,
} from '#contract/settlements.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import {
  type BuiltPhase,
  buildBettors,
  buildPhase,
  buildSlips,
  claimResults,
  builtLine as line,
  playWays,
  recordResult,
} from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { slipsTold } from '#server/testing/settled-slips.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { tenThousandths } from '../bets/decimal.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from './settle.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(async () => {
  await expectProven(server.db);
  expect((await proveBets(server.db)).breaks).toEqual([]);
  await server.close();
});

const NINE = '9,3,5,5,5';
const ONE = '1,3,5,5,5';
const reason = '官网公告已更正';
const settle = () => settleDue(server.db);
const preview = (recordId: number, result: string) => admin.call(previewCorrection, { recordId, result });
const foreseen = async (recordId: number, result: string): Promise<CorrectionPreview> =>
  given((await preview(recordId, result)).envelope.data);
const apply = (recordId: number, result: string, digest: string, why = reason) =>
  admin.call(applyCorrection, { recordId, result, reason: why, digest });
const resolve = (id: number, result: string, client = admin) =>
  client.call(resolveDrawRecord, { id, result, reason });

const slipsOf = (ids: readonly number[]) => slipsTold(server.db, ids);
const settlementsOf = async (phase: BuiltPhase) =>
  given((await admin.call(pageSettlements, phase)).envelope.data).data;
/** All that a correction could move, to see that a preview moves none of it. */
const everything = async () => {
  const { rows } = await sql<{ told: string }>`
    select (select jsonb_agg(a order by a.id) from account a)::text || (select jsonb_agg(s order by s.id) from slip s)::text
      || (select jsonb_agg(t order by t.id) from settlement t)::text || (select count(*) from account_history) as told`.execute(
    server.db,
  );
  return rows[0]?.told;
};
const spend = (userId: number, amount: string) =>
  sql`select from post_entries(array[${userId}]::bigint[], array['MANUAL_DEDUCTION'], array[${amount}::numeric], array[null], array[null])`.execute(
    server.db,
  );

/** Three players' slips, settled by nine at the first place; another source said one. */
async function settled(results: readonly string[] = [ONE]) {
  const phase = await buildPhase(server.db);
  const users = await buildBettors(server.db, 3, '100');
  const [anna = 0, berta = 0, clara = 0] = users;
  const slips = await buildSlips(server.db, phase, [
    { userId: berta, lines: [line('first', '9')] },
    { userId: anna, lines: [line('first', '9'), line('size', '小', '3')] },
    { userId: anna, lines: [line('first', '1')] },
    { userId: clara, lines: [line('second', '3')] },
    { userId: anna, lines: [line('first', '9', '10')] },
  ]);
  const recordId = await recordResult(server.db, phase, NINE);
  await claimResults(server.db, recordId, results);
  await settle();
  return { phase, users, slips, recordId };
}

it('a preview tells what a correction moves and who cannot cover it, moves nothing, and is what is posted', async () => {
  const { phase, users, slips, recordId } = await settled();
  const [anna = 0, berta = 0] = users;
  const [first = 0, second = 0, third = 0, , fifth = 0] = slips;
  // Anna has 203.48, Berta 117.58; most of it goes elsewhere.
  await spend(anna, '195');
  await spend(berta, '110');
  const before = await everything();
  const told = await foreseen(recordId, ONE);
  expect(told).toMatchObject({
    ...{ slips: 4, users: 2, toPay: '19.42', toTakeBack: '134.105', shortfall: '106.77', held: 0 },
    items: [
      { slipId: first, userId: berta, before: '19.58', after: '0.00', shortfall: '12.00' },
      // Of 16.625 Anna has 8.48; the third slip pays off what is owed, and leaves 11.275 for the last.
      { slipId: second, userId: anna, before: '22.58', after: '5.955', shortfall: '8.145' },
      { slipId: third, userId: anna, before: '0.00', after: '19.42', shortfall: '0.00' },
      { slipId: fifth, userId: anna, before: '97.90', after: '0.00', shortfall: '86.625' },
    ],
  });
  expect(await foreseen(recordId, '1,03,5,5,5')).toEqual(told);
  expect(await everything()).toBe(before);

  for (const digest of ['', '0'.repeat(64)])
    expect((await apply(recordId, ONE, digest)).envelope.success).toBe(false);
  const bare = await admin.call(applyCorrection, { recordId, result: ONE, reason: ' ', digest: told.digest });
  expect(bare.envelope.data).toMatchObject({ errors: { reason: expect.any(String) } });
  expect(await everything()).toBe(before);
  expect((await apply(recordId, ONE, told.digest)).envelope).toMatchObject({ success: true, data: true });
  await settle();
  expect((await settlementsOf(phase))[0]).toMatchObject({
    ...{ kind: 'CORRECTION', status: 'DONE', result: ONE, slips: 4, userName: 'admin', reason },
  });
  const { rows } = await sql<{ moved: string; debt: string }>`
    select (select sum("movedPayout" + "movedRefund") from slip_settlement m join settlement s on s.id = m."settlementId"
        where kind = 'CORRECTION' and s."gameId" = ${phase.gameId}) as moved,
      (select sum(debt) from account where "userId" = any(${users}::bigint[])) as debt`.execute(server.db);
  expect(Number(rows[0]?.moved)).toBeCloseTo(19.42 - 134.105, 4);
  // What the second slip left owing the third has paid off.
  expect(Number(rows[0]?.debt)).toBeCloseTo(106.77 - 8.145, 4);
  expect(await slipsOf(slips)).toEqual([
    'LOST 0.00 0.00',
    'WON 5.955 0.00',
    'WON 19.42 0.00',
    'WON 19.46 0.00',
    'LOST 0.00 0.00',
  ]);
  // What was foreseen once is applied once, and can be corrected back.
  expect((await apply(recordId, ONE, told.digest)).envelope.msg).toBe('这就是现行结果，无须更正');
  const back = await foreseen(recordId, NINE);
  expect(back).toMatchObject({ slips: 4, toPay: told.toTakeBack, toTakeBack: told.toPay });
  expect((await apply(recordId, NINE, back.digest, '官网撤回公告')).envelope.success).toBe(true);
  await settle();
  // Each says why it was made, whatever came after.
  expect((await settlementsOf(phase)).map((each) => each.reason)).toEqual(['官网撤回公告', reason, null]);
  expect(await slipsOf(slips.slice(0, 2))).toEqual(['WON 19.58 0.00', 'WON 19.58 3.00']);
});

it('the result that stands is no correction, however it is written; it can be confirmed while it is in dispute', async () => {
  const { recordId, phase } = await settled();
  const changes = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from draw_correction where "recordId" = ${recordId}`.execute(server.db);
    return rows[0]?.n;
  };
  for (const result of [NINE, '09 3 5 5 5'])
    for (const { envelope } of [
      await preview(recordId, result),
      await apply(recordId, result, 'x'),
      await resolve(recordId, result),
    ])
      expect(envelope).toMatchObject({
        ...{ success: false, msg: '这就是现行结果，无须更正' },
        data: { errors: { result: '这就是现行结果，无须更正' } },
      });
  expect(await changes()).toBe(0);
  await sql`update draw_record set conflict = true where id = ${recordId}`.execute(server.db);
  const { digest, slips } = await foreseen(recordId, NINE);
  expect(slips).toBe(0);
  expect((await apply(recordId, NINE, digest)).envelope.success).toBe(true);
  expect(await changes()).toBe(1);
  expect((await settlementsOf(phase)).length).toBe(1);
});

it('a result is one that a source gave, a record one that is there, a local draw never another', async () => {
  const { recordId, phase } = await settled();
  for (const call of [preview, (id: number, result: string) => apply(id, result, 'x')]) {
    const made = await call(recordId, '8,8,8,8,8');
    expect(made.envelope.msg).toBe('只能采用来源给出过的结果');
    expect(made.envelope.data).toMatchObject({ errors: { result: '只能采用来源给出过的结果' } });
    expect((await call(999_999_999, ONE)).envelope.success).toBe(false);
  }
  const other = await buildPhase(server.db);
  const local = await recordResult(server.db, other, NINE);
  await claimResults(server.db, local, [ONE]);
  await sql`update draw_record set seed = 'x' where id = ${local}`.execute(server.db);
  expect((await preview(local, ONE)).envelope.msg).toBe('本地开奖的结果可由任何人验证，不能更改');
  expect((await settlementsOf(phase)).length).toBe(1);
});

it('nothing is corrected while slips are being settled, nor on other ground than was foreseen', async () => {
  const { phase, recordId, slips } = await settled();
  const told = await foreseen(recordId, ONE);
  const scope = { ...phase, playWayId: playWays.second };
  expect((await admin.call(voidPhase, { ...scope, reason: '赔率错盘' })).envelope.success).toBe(true);
  for (const { envelope } of [await apply(recordId, ONE, told.digest), await resolve(recordId, ONE)])
    expect(envelope.success).toBe(false);
  expect((await resolve(recordId, ONE)).envelope.msg).toBe('期号 5000 的注单正在结算，完成后才能更正');
  await settle();
  // The void changed another slip than the correction would; what was foreseen is still not what is there.
  expect((await apply(recordId, ONE, told.digest)).envelope.msg).toContain('请重新预览');
  const again = await foreseen(recordId, ONE);
  expect(again).toMatchObject({ slips: 4, toPay: told.toPay });
  expect(again.digest).not.toBe(told.digest);
  expect((await apply(recordId, ONE, again.digest)).envelope.success).toBe(true);
  await settle();
  expect((await slipsOf(slips))[3]).toBe('VOID 0.00 2.00');
});

it('a phase voided after its record stays void whatever it is corrected to, until the void is taken back', async () => {
  const { phase, recordId, slips } = await settled();
  const voided = await admin.call(voidPhase, { ...phase, reason: '整期错盘' });
  await settle();
  const stakes = ['VOID 0.00 2.00', 'VOID 0.00 5.00', 'VOID 0.00 2.00', 'VOID 0.00 2.00', 'VOID 0.00 10.00'];
  expect(await slipsOf(slips)).toEqual(stakes);
  const told = await foreseen(recordId, ONE);
  expect(told).toMatchObject({ slips: 0, users: 0, toPay: '0.00', toTakeBack: '0.00', items: [] });
  expect((await apply(recordId, ONE, told.digest)).envelope.success).toBe(true);
  await settle();
  expect(await slipsOf(slips)).toEqual(stakes);
  const settlementId = Number(given(voided.envelope.data));
  expect((await admin.call(unvoidPhase, { settlementId, reason: '恢复注单' })).envelope.success).toBe(true);
  await settle();
  expect((await slipsOf(slips))[1]).toBe('WON 5.955 0.00');
  expect((await settlementsOf(phase)).map(({ kind }) => kind)).toEqual([
    ...['UNVOID', 'CORRECTION', 'VOID', 'FIRST'],
  ]);
});

it('a held win is not let go once a correction has begun: that decides it, and nothing is paid by what it replaces', async () => {
  const phase = await buildPhase(server.db);
  const [userId = 0] = await buildBettors(server.db, 1);
  const slips = await buildSlips(server.db, phase, [{ userId, lines: [line('first', '9', '20')] }]);
  await setParam(server.db, 'bet.holdPayoutAbove', '100');
  try {
    const recordId = await recordResult(server.db, phase, NINE);
    await claimResults(server.db, recordId, [ONE]);
    await settle();
    const [held] = await settlementsOf(phase);
    const release = () => admin.call(releaseHeldSlips, { id: given(held).id, reason: '已经核对' });
    const { digest, items } = await foreseen(recordId, ONE);
    expect(items).toMatchObject([{ before: '0.00', after: '0.00' }]);
    expect((await apply(recordId, ONE, digest)).envelope.success).toBe(true);
    expect((await release()).envelope.msg).toMatch(/^这一期已有更正、作废或恢复/);
    await settle();
    expect(await slipsOf(slips)).toEqual(['LOST 0.00 0.00']);
    const { rows } = await sql<{ changeType: string }>`
      select "changeType" from account_history where "bizOrderNo" like ${`B${slips[0]}%`} order by id`.execute(
      server.db,
    );
    expect(rows.map(({ changeType }) => changeType)).toEqual(['BET']);
  } finally {
    await setParam(server.db, 'bet.holdPayoutAbove', '0');
  }
});

it('what the other result cannot settle is told, and what a conflict holds is foreseen as it will go on', async () => {
  const { recordId } = await settled(['9']);
  expect(await foreseen(recordId, '9')).toMatchObject({ slips: 0, held: 1 });

  const phase = await buildPhase(server.db);
  const [player = 0] = await buildBettors(server.db, 1);
  const slips = await buildSlips(server.db, phase, [{ userId: player, lines: [line('first', '9')] }]);
  const record = await recordResult(server.db, phase, NINE);
  await claimResults(server.db, record, [ONE]);
  await sql`update draw_record set conflict = true where id = ${record}`.execute(server.db);
  await settle();
  expect(await foreseen(record, NINE)).toMatchObject({ slips: 1, toPay: '19.58', toTakeBack: '0.00' });
  expect(await foreseen(record, ONE)).toMatchObject({ slips: 1, toPay: '0.00', toTakeBack: '0.00' });
  const told = await foreseen(record, NINE);
  expect((await apply(record, NINE, told.digest)).envelope.success).toBe(true);
  await settle();
  expect(await slipsOf(slips)).toEqual(['WON 19.58 0.00']);
  expect(await settlementsOf(phase)).toMatchObject([{ kind: 'FIRST', status: 'DONE' }]);
});

it('settling a record’s conflict takes what a correction takes where there are slips', async () => {
  const { recordId, phase } = await settled();
  const clerk = await buildOperator(server.db, { grants: ['/main/game/open-record'] });
  const theirs = await server.as(clerk.username, PASSWORD);
  expect((await resolve(recordId, ONE, theirs)).envelope).toMatchObject({
    ...{ success: false, code: 403 },
    data: { call: 'applyCorrection', needs: ['注单管理 / 结算 / 更正开奖结果'] },
  });
  const quiet = await buildPhase(server.db);
  const noSlips = await recordResult(server.db, quiet, NINE);
  await claimResults(server.db, noSlips, [ONE]);

  const second = await fullOperator(server);
  await fullOperator(server);
  await setParam(server.db, 'approval.enabled', 'true');
  try {
    expect((await resolve(noSlips, ONE, theirs)).envelope).toMatchObject({ success: true, data: true });
    const resolving = waiting(await resolve(recordId, ONE));
    const told = await foreseen(recordId, ONE);
    const applying = waiting(await apply(recordId, ONE, told.digest));
    const [row] = given((await admin.call(pageApprovals, { id: applying })).envelope.data).data;
    expect(row?.after).toMatchObject({ result: ONE, slips: 4, users: 2, toPay: told.toPay });
    expect((await settlementsOf(phase)).length).toBe(1);
    const release = (id: number, client: TestClient) =>
      client.call(releaseApproval, { id, reason: '核对无误' });
    expect((await release(applying, admin)).envelope.success).toBe(false);
    expect((await release(applying, second.client)).envelope).toMatchObject({ success: true });
    // The other was prepared on ground that is gone.
    expect((await release(resolving, second.client)).envelope.success).toBe(false);
    await settle();
    expect((await settlementsOf(phase))[0]).toMatchObject({
      kind: 'CORRECTION',
      userName: 'admin',
      slips: 4,
    });
    const back = waiting(await resolve(recordId, NINE));
    expect((await release(back, second.client)).envelope.success).toBe(true);
  } finally {
    await setParam(server.db, 'approval.enabled', 'false');
  }
  await settle();
  expect((await settlementsOf(phase)).map(({ kind }) => kind)).toEqual(['CORRECTION', 'CORRECTION', 'FIRST']);
});

it('settlements are summed by any search as their rows say, what a correction took back with them', async () => {
  const { phase, recordId } = await settled();
  await apply(recordId, ONE, (await foreseen(recordId, ONE)).digest);
  for (const _ of ['begun', 'done']) {
    for (const search of [{}, phase, { ...phase, kind: 'CORRECTION' as const }, { phase: '0' }]) {
      const rows = given(
        (await admin.call(pageSettlements, { ...search, pageSize: 9999 })).envelope.data,
      ).data;
      const total = (field: 'stake' | 'payout' | 'refund') =>
        rows.reduce((sum, row) => sum + tenThousandths(row[field]), 0n);
      const { stake, payout, refund } = given((await admin.call(sumSettlements, search)).envelope.data);
      expect([stake, payout, refund].map(tenThousandths), JSON.stringify(search)).toEqual([
        total('stake'),
        total('payout'),
        total('refund'),
      ]);
    }
    await settle();
  }
  const corrected = given((await admin.call(sumSettlements, { ...phase, kind: 'CORRECTION' })).envelope.data);
  expect(corrected.payout).toMatch(/^-/);
});
