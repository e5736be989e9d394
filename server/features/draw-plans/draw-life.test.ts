import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { type DrawRecord, pageDrawRecords, resolveDrawRecord, verifyDraw } from '#contract/draw-records.ts';
import { addSpider } from '#contract/spiders.ts';
import type { JobServices } from '#server/jobs/part.ts';
import { addDays, dayOf, momentOf } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { given } from '#server/testing/given.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { complaintOf, keepResults } from '../draw-records/keep-results.ts';
import { commitmentOf, drawnNumbers } from './commitment.ts';

let server: TestServer;
let admin: TestClient;
let now = new Date();
let services: JobServices;
const warnings: object[] = [];
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  admin = await server.admin();
  services = {
    db: server.db,
    config: server.config,
    vault: createVault(server.config.secret),
    clock: () => now,
    log: { info: () => {}, warn: (details) => warnings.push(details), error: () => {} },
  };
});
afterAll(() => server.close());

const ZONE = 'Asia/Shanghai';
const tomorrow = () => addDays(dayOf(Date.now() / 1000, ZONE), 1);
const at = (time: string, day = tomorrow()) => new Date(momentOf(`${day} ${time}`, ZONE) * 1000);
async function planned(options: Parameters<typeof buildGame>[1] = {}): Promise<number> {
  const gameId = await buildGame(server.db, { openRate: 3600, ...options });
  const day = tomorrow();
  await admin.call(generateDrawPlans, { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` });
  return gameId;
}
const plansOf = async (gameId: number) =>
  ((await admin.call(pageDrawPlans, { gameId, pageSize: 9999 })).envelope.data?.data ?? []).toReversed();
const recordsOf = async (gameId: number): Promise<DrawRecord[]> =>
  (await admin.call(pageDrawRecords, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
const lookAt = async (time: Date) => {
  now = time;
  await lookAtPlans(services);
};
const LOCAL = {
  spiderServiceName: 'LocalDrawSpider',
  options: '{"count":3,"pool":["1","2","3","4"],"repeat":false}',
};

describe('the life of a plan', () => {
  it('opens at its draw time, once over two servers, and ends when the result comes', async () => {
    const gameId = await planned();
    await lookAt(at('00:59:59'));
    expect((await plansOf(gameId)).filter(({ status }) => status !== 'WAITTING')).toEqual([]);
    now = at('02:00:00');
    await Promise.all([lookAtPlans(services), lookAtPlans(services)]);
    const [first, second, third] = await plansOf(gameId);
    expect([first?.status, second?.status, third?.status]).toEqual(['OPENING', 'OPENING', 'WAITTING']);
    const results = [{ phase: second?.phase ?? '', result: '1,2,3', openTime: null }];
    await server.db.transaction().execute((tx) => keepResults(tx, { gameId, source: '甲', results, now }));
    expect((await plansOf(gameId)).slice(0, 2).map(({ status }) => status)).toEqual(['OPENING', 'OPENED']);
    expect(await recordsOf(gameId)).toMatchObject([
      { phase: second?.phase, result: '1,2,3', source: '甲', conflict: false, openTime: second?.endTime },
    ]);
  });

  it('is marked late, once, when no result comes', async () => {
    const gameId = await planned({ openRate: 60, timeRanges: [{ start: '05:00:00', end: '05:01:00' }] });
    await lookAt(at('05:10:59'));
    expect((await plansOf(gameId))[0]).toMatchObject({ status: 'OPENING', late: false });
    await lookAt(at('05:11:00'));
    await lookAt(at('05:11:01'));
    expect((await plansOf(gameId))[0]).toMatchObject({ status: 'OPENING', late: true });
    expect(warnings.filter((each) => 'gameId' in each && each.gameId === gameId)).toHaveLength(1);
  });
});

describe('what sources say', () => {
  const keep = (gameId: number, source: string, phase: string, result: string, time = now) =>
    server.db
      .transaction()
      .execute((tx) =>
        keepResults(tx, { gameId, source, results: [{ phase, result, openTime: null }], now: time }),
      );

  it('raises a conflict when it differs, keeps both, and lets an operator settle it with a reason', async () => {
    const gameId = await planned({ numbers: ['01', '02', '03'] });
    await lookAt(at('03:00:00'));
    const phase = (await plansOf(gameId))[0]?.phase ?? '';
    await keep(gameId, '甲', phase, '1,2,3');
    expect(await keep(gameId, '乙', phase, '01,02,03')).toMatchObject([{ outcome: 'SAME' }]);
    expect((await recordsOf(gameId))[0]).toMatchObject({
      result: '01,02,03',
      conflict: false,
      conflicts: [],
    });
    await keep(gameId, '乙', phase, '3,2,1');
    await keep(gameId, '乙', phase, '3,2,1');
    const [record] = await recordsOf(gameId);
    expect(record).toMatchObject({ result: '01,02,03', source: '甲', conflict: true });
    expect(record?.conflicts).toMatchObject([{ source: '乙', result: '03,02,01' }]);

    const settle = (result: string) =>
      admin.call(resolveDrawRecord, { id: given(record?.id), result, reason: '核对官网' });
    expect((await settle('9,9,9')).envelope.msg).toBe('只能采用来源给出过的结果');
    expect((await settle('03,02,01')).envelope.success).toBe(true);
    expect((await recordsOf(gameId))[0]).toMatchObject({ result: '03,02,01', conflict: false });
    const { rows } = await sql`select * from draw_correction where "recordId" = ${record?.id}`.execute(
      server.db,
    );
    expect(rows).toMatchObject([{ oldResult: '01,02,03', newResult: '03,02,01', reason: '核对官网' }]);
    await expect(sql`delete from draw_correction`.execute(server.db)).rejects.toThrow();
    // What has been settled is not raised again by the same word of the same source.
    await keep(gameId, '乙', phase, '3,2,1');
    expect((await recordsOf(gameId))[0]?.conflict).toBe(false);
  });

  it('is not taken while players may still bet, nor for phases nobody knows', async () => {
    const gameId = await planned();
    await lookAt(at('03:00:00'));
    const plan = (await plansOf(gameId))[5];
    expect(await keep(gameId, '甲', plan?.phase ?? '', '1,2,3')).toMatchObject([{ outcome: 'EARLY' }]);
    const stranger = await keep(gameId, '甲', '77777777', '1,2,3');
    expect(stranger).toMatchObject([{ outcome: 'UNKNOWN' }]);
    expect(await recordsOf(gameId)).toEqual([]);
    // Where nothing it says is one of the game's phases, the source is another's, or the game's phase is wrong.
    expect(complaintOf(stranger)).toBe('期号 77777777 没有开奖计划，也不是往期，不采用');
    const drawn = await keep(gameId, '甲', (await plansOf(gameId))[0]?.phase ?? '', '1,2,3');
    expect(complaintOf([...stranger, ...drawn])).toBeUndefined();
  });
});

describe('a result that is out while players may bet on its phase', () => {
  const tell = (gameId: number, phases: readonly string[]) => {
    const results = phases.map((phase) => ({ phase, result: '1,2,3', openTime: null }));
    return server.db.transaction().execute((tx) => keepResults(tx, { gameId, source: '甲', results, now }));
  };
  const alarmsOf = async (gameId: number) =>
    (await plansOf(gameId)).filter(({ alarm }) => alarm).map(({ phase, alarm }) => [phase, alarm]);

  it('alarms at the first such phase until it is drawn, and holds nothing up', async () => {
    const gameId = await planned({ stopBetSecond: 60 });
    await lookAt(at('03:00:00'));
    const phases = (await plansOf(gameId)).map(({ phase }) => phase);
    // The game's betting is off.
    await tell(gameId, phases);
    expect(await alarmsOf(gameId)).toEqual([]);
    await sql`update game set "betStatus" = true where id = ${gameId}`.execute(server.db);
    await tell(gameId, phases.slice(4, 6));
    await tell(gameId, phases.slice(4, 6));
    expect(await alarmsOf(gameId)).toEqual([
      [phases[4], '来源“甲”在封盘之前已给出该期结果：期号可能与来源不一致，请立即关闭投注并核对'],
    ]);
    await lookAt(at('05:00:00'));
    expect(await alarmsOf(gameId)).toEqual([]);
    expect((await plansOf(gameId))[4]?.status).toBe('OPENING');
  });

  it('is nobody’s alarm once betting has closed: two clocks may differ', async () => {
    const gameId = await planned({ stopBetSecond: 60 });
    await sql`update game set "betStatus" = true where id = ${gameId}`.execute(server.db);
    await lookAt(at('03:59:30'));
    const phase = (await plansOf(gameId))[3]?.phase ?? '';
    expect(await tell(gameId, [phase])).toMatchObject([{ outcome: 'EARLY' }]);
    expect(await alarmsOf(gameId)).toEqual([]);
  });
});

describe('a local draw', () => {
  it('promises before betting opens, draws at its time once, and can be verified by anyone', async () => {
    const gameId = await planned();
    const added = await admin.call(addSpider, { gameId, name: '本地', ...LOCAL });
    expect(added.envelope.success).toBe(true);
    await lookAt(at('00:00:00', dayOf(Date.now() / 1000, ZONE)));
    expect((await plansOf(gameId)).every(({ commitment }) => commitment === null)).toBe(true);
    await lookAt(at('00:00:00'));
    const [plan] = await plansOf(gameId);
    expect(plan?.commitment).toMatch(/^[0-9a-f]{64}$/);
    const check = async () =>
      (await server.anonymous.call(verifyDraw, { gameId, phase: plan?.phase ?? '' })).envelope.data;
    expect(await check()).toMatchObject({ commitment: plan?.commitment, seed: null, result: null });

    now = at('01:00:00');
    await Promise.all([lookAtPlans(services), lookAtPlans(services), lookAtPlans(services)]);
    const records = await recordsOf(gameId);
    expect(records).toMatchObject([
      { phase: plan?.phase, source: '本地开奖', openTime: plan?.endTime, verifiable: true, conflict: false },
    ]);
    const shown = await check();
    const { seed, rules, result } = shown ?? {};
    if (!seed || !rules) throw new Error('not revealed');
    const text = `game ${gameId}\nphase ${plan?.phase}\ndraw 3 of 1,2,3,4\n${seed}`;
    expect(createHash('sha256').update(text).digest('hex')).toBe(plan?.commitment);
    expect(commitmentOf({ gameId, phase: plan?.phase ?? '', rules, seed })).toBe(plan?.commitment);
    expect(drawnNumbers({ rules, seed }).join(',')).toBe(result);
    expect(records[0]?.result).toBe(result);

    const change = await admin.call(resolveDrawRecord, {
      id: given(records[0]?.id),
      result: '9',
      reason: '改',
    });
    expect(change.envelope.success).toBe(false);
  });

  it('keeps its promise whatever becomes of plan and spider', async () => {
    const gameId = await planned();
    await admin.call(addSpider, { gameId, name: '本地', ...LOCAL });
    await lookAt(at('00:00:00'));
    const before = (await plansOf(gameId)).map(({ phase, commitment }) => [phase, commitment]);
    const day = tomorrow();
    await admin.call(generateDrawPlans, { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` });
    await lookAt(at('00:00:01'));
    expect((await plansOf(gameId)).map(({ phase, commitment }) => [phase, commitment])).toEqual(before);
    await sql`update spider set enabled = false where "gameId" = ${gameId}`.execute(server.db);
    await lookAt(at('01:00:00'));
    expect(await recordsOf(gameId)).toHaveLength(1);
    await expect(sql`update draw_commitment set seed = ''`.execute(server.db)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(sql`delete from draw_commitment`.execute(server.db)).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('keeps its seeds sealed until the draw', async () => {
    const { rows } = await sql<{ seed: string }>`
      select seed from draw_record where seed is not null`.execute(server.db);
    const dump = JSON.stringify(
      (await sql`select encode(seed, 'escape') as seed from draw_commitment`.execute(server.db)).rows,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { seed } of rows) expect(dump).not.toContain(seed);
  });
});
