import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { getDrawDesk } from '#contract/draw-desk.ts';
import { pageDrawPlans, stopAwaitingDraw } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { getGamePage } from '#contract/game-pages.ts';
import { unvoidPhase, voidPhase } from '#contract/settlements.ts';
import { startApproving, waiting } from '#server/testing/approving.ts';
import {
  type BuiltPhase,
  buildBettors,
  buildPhase,
  buildPromise,
  buildSlips,
} from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { keepResults } from '../draw-records/keep-results.ts';
import { readWaiting } from '../live/waiting-store.ts';
import { planFigures } from '../overview/draw-figures.ts';
import { readSpans } from '../overview/spans.ts';
import { queueAges } from '../queue-ages.ts';
import { settleDue } from './settle.ts';

const { server, admin, release } = await startApproving();
afterAll(async () => {
  await expectProven(server.db);
  await server.close();
});

const REASON = '官方当天停售，没有这一期';

async function latePhase(): Promise<BuiltPhase> {
  const phase = await buildPhase(server.db);
  await sql`update draw_plan set "lateTime" = now() where "gameId" = ${phase.gameId}`.execute(server.db);
  return phase;
}
const planOf = async ({ gameId }: BuiltPhase) =>
  given((await admin.call(pageDrawPlans, { gameId })).envelope.data?.data[0]);
const stop = async (phase: BuiltPhase) =>
  admin.call(stopAwaitingDraw, { id: (await planOf(phase)).id, reason: REASON });
const refusalOf = async (phase: BuiltPhase) => (await stop(phase)).envelope.msg;

/** Where a phase counts as late: beside the menu, on the overview, in the list, on the game's page and on the desk. */
async function lateCounts({ gameId }: BuiltPhase) {
  const { data: list } = (await admin.call(pageDrawPlans, { gameId, overdue: 'YES' })).envelope;
  const { data: page } = (await admin.call(getGamePage, { id: gameId })).envelope;
  const { data: desk } = (await admin.call(getDrawDesk, {})).envelope;
  const waits = desk?.waits.filter((wait) => wait.gameId === gameId && wait.kind === 'LATE');
  const { drawPlan: badge } = await readWaiting(server.db);
  const { late } = await planFigures(
    server.db,
    { now: new Date(), timeZone: server.config.timeZone },
    await readSpans(server.db),
  );
  return [badge, late, list?.totalCount, page?.plans.late, waits?.length];
}

it('a late phase is late no more once two say why, and a result that comes later is taken all the same', async () => {
  const phase = await latePhase();
  expect(await lateCounts(phase)).toEqual([1, 1, 1, 1, 1]);
  const approval = waiting(await stop(phase));
  expect(await lateCounts(phase)).toEqual([1, 1, 1, 1, 1]);
  expect((await release(approval)).success).toBe(true);
  expect(await lateCounts(phase)).toEqual([0, 0, 0, 0, 0]);
  expect((await queueAges(server.db)).results).toBe(0);
  expect(await planOf(phase)).toMatchObject({ status: 'OPENING', late: false, unawaitedReason: REASON });
  expect(await refusalOf(phase)).toBe('只有结果逾期、不由本地开奖的期次可以不再等待');

  const results = [{ phase: phase.phase, result: '1,2,3,4,5', openTime: null }];
  await server.db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId: phase.gameId, source: '甲', now: new Date(), results }));
  expect(await planOf(phase)).toMatchObject({ status: 'OPENED', late: false, unawaitedReason: null });
  const { data: records } = (await admin.call(pageDrawRecords, { gameId: phase.gameId })).envelope;
  expect(records?.data).toMatchObject([{ phase: phase.phase, result: '1,2,3,4,5', source: '甲' }]);
});

it('nobody ends the waiting for a phase that is not late, or that draws by itself', async () => {
  const early = await buildPhase(server.db);
  expect(await refusalOf(early)).toBe('只有结果逾期、不由本地开奖的期次可以不再等待');
  const own = await latePhase();
  await buildPromise(server.db, own);
  await sql`update draw_plan set commitment = 'a' where "gameId" = ${own.gameId}`.execute(server.db);
  expect(await refusalOf(own)).toBe('只有结果逾期、不由本地开奖的期次可以不再等待');
  const missing = await admin.call(stopAwaitingDraw, { id: 2 ** 40, reason: REASON });
  expect(missing.envelope.msg).toBe('记录不存在');
});

it('the waiting goes on while money waits: slips are void first, and stay so until there is a result', async () => {
  const phase = await latePhase();
  const [userId = 0] = await buildBettors(server.db, 1);
  const lines = [{ rules: 'first', selection: '1', unitStake: '10' }] as const;
  const [slipId = 0] = await buildSlips(server.db, phase, [{ userId, lines: [...lines] }]);
  expect(await refusalOf(phase)).toBe('期号 5000 还有未结算的注单，请先作废该期的注单，退还之后再试');
  const voiding = waiting(await admin.call(voidPhase, { ...phase, reason: '来源漏了这一期' }));
  const settlementId = Number((await release(voiding)).data);
  await settleDue(server.db);
  expect((await release(waiting(await stop(phase)))).success).toBe(true);

  const unvoid = () => admin.call(unvoidPhase, { settlementId, reason: '还是恢复' });
  expect((await unvoid()).envelope.msg).toBe('该期已不再等待开奖结果，来源给出结果之后才能恢复注单');
  const results = [{ phase: phase.phase, result: '1,2,3,4,5', openTime: null }];
  await server.db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId: phase.gameId, source: '甲', now: new Date(), results }));
  await settleDue(server.db);
  const slip = async () =>
    (await server.db.selectFrom('slip').select(['status', 'payout']).where('id', '=', slipId).execute())[0];
  expect(await slip()).toMatchObject({ status: 'VOID', payout: '0.00' });
  expect((await release(waiting(await unvoid()))).success).toBe(true);
  await settleDue(server.db);
  expect(await slip()).toMatchObject({ status: 'WON' });
});

it('the waiting goes on while a void that was taken back has yet to give the slips back to it', async () => {
  const phase = await latePhase();
  const [userId = 0] = await buildBettors(server.db, 1);
  const lines = [{ rules: 'first', selection: '1', unitStake: '10' }] as const;
  const [slipId = 0] = await buildSlips(server.db, phase, [{ userId, lines: [...lines] }]);
  const voiding = waiting(await admin.call(voidPhase, { ...phase, reason: '来源漏了这一期' }));
  const settlementId = Number((await release(voiding)).data);
  await settleDue(server.db);
  // Both are handed in, and released before any settlement goes on.
  const stopping = waiting(await stop(phase));
  const unvoiding = waiting(await admin.call(unvoidPhase, { settlementId, reason: '还是恢复' }));
  expect((await release(unvoiding)).success).toBe(true);
  expect((await release(stopping)).msg).toContain(
    '期号 5000 还有未结算的注单，请先作废该期的注单，退还之后再试',
  );
  await settleDue(server.db);
  const slip = server.db.selectFrom('slip').select('status').where('id', '=', slipId);
  expect(await slip.executeTakeFirst()).toEqual({ status: 'PENDING' });
  expect(await planOf(phase)).toMatchObject({ late: true, unawaitedReason: null });
});
