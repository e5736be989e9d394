import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanDrawPlans, generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords, verifyDraw } from '#contract/draw-records.ts';
import { updateGamePhase } from '#contract/games.ts';
import { addSpider } from '#contract/spiders.ts';
import { connect, type Db } from '#server/db/database.ts';
import { addDays, dayOf, momentOf } from '#server/platform-days.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws, allowPromises } from '#server/testing/draw-permits.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { generatePlans } from '../draw-plans/generate.ts';
import { keepResults } from './keep-results.ts';

const ZONE = 'Asia/Shanghai';
let server: TestServer;
let other: Db;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  other = connect(server.database.url, { timeZone: ZONE, max: 4 });
  admin = await server.admin();
});
afterAll(async () => {
  await other.destroy();
  await server.close();
});

const tomorrow = () => addDays(dayOf(Date.now() / 1000, ZONE), 1);
const at = (time: string, day = tomorrow()) => new Date(momentOf(`${day} ${time}`, ZONE) * 1000);
const generate = async (gameId: number, from = '00:00:00', to = '23:59:59') => {
  const window = { gameId, beginDate: `${tomorrow()} ${from}`, endDate: `${tomorrow()} ${to}` };
  return (await admin.call(generateDrawPlans, window)).envelope;
};
const plansOf = async (gameId: number) =>
  ((await admin.call(pageDrawPlans, { gameId, pageSize: 9999 })).envelope.data?.data ?? []).toReversed();
const recordsOf = async (gameId: number) =>
  ((await admin.call(pageDrawRecords, { gameId, pageSize: 9999 })).envelope.data?.data ?? []).toReversed();
const phasesOf = async (gameId: number) => (await recordsOf(gameId)).map(({ phase }) => phase).toSorted();

/** What a source that lies about its times says: every draw was long ago. */
const said = (phases: readonly (string | number)[], result = '7,7,7,7,7') =>
  phases.map((phase) => ({ phase: String(phase), result, openTime: Date.UTC(2020, 0, 1) / 1000 }));
const feed = (gameId: number, phases: readonly (string | number)[], now = new Date(), db: Db = server.db) =>
  db
    .transaction()
    .execute((tx) => keepResults(tx, { gameId, source: '甲', results: said(phases), now }))
    .then((judged) => judged.map(({ outcome }) => outcome));
const lookAt = (now: Date) =>
  lookAtPlans({
    db: server.db,
    config: server.config,
    vault: createVault(server.config.secret),
    clock: () => now,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
const insertRecord = (db: Db, gameId: number, phase: string, seed: string | null = null) =>
  sql`insert into draw_record ("gameId", phase, result, "openTime", source, seed)
    values (${gameId}, ${phase}, '7,7,7', now(), '甲', ${seed})`.execute(db);
const insertPlan = (db: Db, gameId: number, phase: string, status = 'WAITTING') =>
  sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
    values (${gameId}, ${phase}, now(), now() + interval '5 minutes', ${status})`.execute(db);
const insertPromise = (db: Db, gameId: number, phase: string) =>
  sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed) values (${gameId}, ${phase}, '{}', '', '')`.execute(
    db,
  );

describe('a phase that is not planned', () => {
  it('is taken when it comes before the current one, and never from there on, whatever time its source claims', async () => {
    const gameId = await buildGame(server.db, { phase: '1000', openRate: 3600 });
    expect(await feed(gameId, ['0998', 999, 1000, 1001, 1002, '01003', 99999])).toEqual([
      ...['NEW', 'NEW'],
      ...['UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
    ]);
    expect(await phasesOf(gameId)).toEqual(['0998', '999']);
    expect(await generate(gameId)).toMatchObject({ success: true, data: 24 });
  });

  it('is taken once the clock has passed it by', async () => {
    const gameId = await buildGame(server.db, { phase: '1000', openRate: 3600, phaseTime: at('10:30:00') });
    expect(await feed(gameId, [1000, 1001], new Date(at('12:00:00').getTime() - 1))).toEqual([
      'NEW',
      'UNKNOWN',
    ]);
    expect(await feed(gameId, [1001, 1002], at('12:00:00'))).toEqual(['NEW', 'UNKNOWN']);
  });

  const numbered = [
    ['DAILY', '20260309012', ['20260308288', '20260309011'], ['20260309012', '20260310001', '0309011', '55']],
    ['DAILY', '20260309012', ['2026030911'], ['60309011', '20261345001', '第1期', '20260309']],
    ['YEARLY', '2026030', ['2025365', '2026029'], ['2026030', '2026031', '2027001', '6029', '029']],
  ] as const;
  it.each(numbered)(
    'of a game numbered %s at %s: %j are past, %j cannot be said to be',
    async (rule, phase, past, not) => {
      const timeRanges = [{ start: '00:00:00', end: '23:59:59' }];
      const phaseTime = new Date(momentOf('2026-03-09 11:30:00', ZONE) * 1000);
      const gameId = await buildGame(server.db, {
        ...{ phase, phaseRule: rule, openRate: 3600, phaseTime, timeRanges },
      });
      expect(await feed(gameId, past, phaseTime)).toEqual(past.map(() => 'NEW'));
      expect(await feed(gameId, not, phaseTime)).toEqual(not.map(() => 'UNKNOWN'));
    },
  );

  it('is refused where the game’s own phase tells nothing', async () => {
    const gameId = await buildGame(server.db, { phase: '7', phaseRule: 'DAILY', timeRanges: [] });
    expect(await feed(gameId, ['3', '20200101001'])).toEqual(['UNKNOWN', 'UNKNOWN']);
  });
});

describe('a phase that has a result', () => {
  it('is never planned: the history of a game that is set back stays history', async () => {
    const gameId = await buildGame(server.db, { phase: '1000', openRate: 3600 });
    await generate(gameId);
    await feed(gameId, [997, 998, 999]);
    await admin.call(cleanDrawPlans, { gameId });
    await admin.call(updateGamePhase, { id: gameId, phase: '995' });
    const [hour = 0] = (await plansOf(gameId)).map(({ phase }) => Number(phase));
    expect(hour).toBe(0);
    // The slots of tomorrow come hours after the phase of now: it is set so that they meet the history.
    const slots = (at('00:00:00').getTime() - Date.now()) / 3_600_000;
    await admin.call(updateGamePhase, { id: gameId, phase: String(998 - Math.ceil(slots)) });
    expect(await generate(gameId)).toMatchObject({ success: false, code: 400 });
    expect((await generate(gameId)).msg).toMatch(/期号 99\d 已有开奖结果/);
    expect(await plansOf(gameId)).toEqual([]);
    expect(await recordsOf(gameId)).toHaveLength(3);
  });

  it('preset for a game that draws by itself does not take the place of its promise', async () => {
    const gameId = await buildGame(server.db, { phase: '1000', openRate: 3600 });
    const ahead = Array.from({ length: 60 }, (_, n) => 1001 + n);
    await feed(gameId, ahead);
    const options = '{"count":5,"pool":["0","1","2","3","4","5","6","7","8","9"],"repeat":true}';
    const local = { gameId, name: '本地', spiderServiceName: 'LocalDrawSpider', options };
    expect((await admin.call(addSpider, local)).envelope.success).toBe(true);
    await generate(gameId);
    await lookAt(at('00:00:00'));
    const [plan] = await plansOf(gameId);
    expect(await recordsOf(gameId)).toEqual([]);
    // Fed between promise and draw, and again afterwards.
    expect(await feed(gameId, [plan?.phase ?? ''], at('00:30:00'))).toEqual(['LOCAL']);
    await lookAt(at('01:00:00'));
    const [record] = await recordsOf(gameId);
    expect(record).toMatchObject({ phase: plan?.phase, source: '本地开奖', verifiable: true });
    expect(await feed(gameId, [plan?.phase ?? ''], at('01:30:00'))).toEqual(['LOCAL']);
    expect((await recordsOf(gameId))[0]).toEqual(record);
  });
});

describe('a promise', () => {
  it('is kept by a plan that was cleared and made again while a source took the place of the local draw', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600 });
    const options = '{"count":3,"pool":["1","2","3"],"repeat":true}';
    await admin.call(addSpider, { gameId, name: '本地', spiderServiceName: 'LocalDrawSpider', options });
    await generate(gameId);
    await lookAt(at('00:00:00'));
    const [promised] = await plansOf(gameId);
    await sql`update spider set enabled = false where "gameId" = ${gameId}`.execute(server.db);
    await admin.call(cleanDrawPlans, { gameId });
    await generate(gameId);
    expect((await plansOf(gameId))[0]?.commitment).toBe(promised?.commitment);
    await lookAt(at('01:00:00'));
    const phase = promised?.phase ?? '';
    expect(await feed(gameId, [phase], at('01:00:05'))).toEqual(['LOCAL']);
    const shown = (await server.anonymous.call(verifyDraw, { gameId, phase })).envelope.data;
    expect(shown?.seed).toMatch(/^\w{64}$/);
    expect((await recordsOf(gameId)).map(({ result }) => result)).toEqual([shown?.result]);
  });
});

describe('the database itself', () => {
  it('has no plan for a phase with a record, nor a record for a phase that waits', async () => {
    const gameId = await buildGame(server.db);
    await insertRecord(server.db, gameId, '500');
    await expect(insertPlan(server.db, gameId, '500')).rejects.toMatchObject({
      code: 'DR001',
      detail: '500',
    });
    await insertPlan(server.db, gameId, '501');
    await expect(insertRecord(server.db, gameId, '501')).rejects.toMatchObject({ code: 'DR002' });
    await sql`update draw_plan set status = 'OPENING' where "gameId" = ${gameId}`.execute(server.db);
    await insertRecord(server.db, gameId, '501');
    const back = sql`update draw_plan set status = 'WAITTING' where "gameId" = ${gameId}`;
    await expect(back.execute(server.db)).rejects.toMatchObject({ code: 'DR005' });
    for (const table of ['draw_plan', 'draw_record']) {
      const renamed = sql`update ${sql.table(table)} set phase = '502' where phase = '501'`;
      await expect(renamed.execute(server.db)).rejects.toMatchObject({ code: 'DR005' });
    }
  });

  it('has promises of planned and undrawn phases only, and draws these by their seeds only', async () => {
    const gameId = await buildGame(server.db);
    await allowPromises(server.db, gameId);
    await expect(insertPromise(server.db, gameId, '1')).rejects.toMatchObject({ code: 'DR004' });
    await insertPlan(server.db, gameId, '1', 'OPENING');
    await insertPromise(server.db, gameId, '1');
    await expect(insertRecord(server.db, gameId, '1')).rejects.toMatchObject({ code: 'DR003' });
    await insertRecord(server.db, gameId, '1', 'seed');
    await expect(insertRecord(server.db, gameId, '0', 'seed')).rejects.toMatchObject({ code: 'DR003' });
  });

  /** Both at once: the first commits only when the second waits for it, or is through without having waited. */
  async function together<T>(first: (tx: Db) => Promise<unknown>, second: (tx: Db) => Promise<T>) {
    const { promise: isIn, resolve: inserted } = Promise.withResolvers<void>();
    let isThrough = false;
    const one = server.db.transaction().execute(async (tx) => {
      await first(tx).finally(inserted);
      while (!isThrough && (await waiting()) === 0);
    });
    await isIn;
    const two = other.transaction().execute(second);
    const through = () => {
      isThrough = true;
    };
    two.then(through, through);
    return Promise.allSettled([one, two]);
  }
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      server.db,
    );
    return rows[0]?.n ?? 0;
  };

  const races = [
    [
      'a plan, then a record',
      (tx: Db, game: number) => insertPlan(tx, game, '600'),
      (tx: Db, game: number) => insertRecord(tx, game, '600'),
    ],
    [
      'a record, then a plan',
      (tx: Db, game: number) => insertRecord(tx, game, '600'),
      (tx: Db, game: number) => insertPlan(tx, game, '600'),
    ],
  ] as const;
  it.each(races)(
    'lets only one of two at once come about: %s',
    { retry: 0 },
    async (_what, first, second) => {
      const gameId = await buildGame(server.db);
      const ends = await together(
        (tx) => first(tx, gameId),
        (tx) => second(tx, gameId),
      );
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    },
  );

  it.each([
    ['a promise, then a record', insertPromise, insertRecord],
    ['a record, then a promise', insertRecord, insertPromise],
  ])('lets only one of two at once come about: %s', { retry: 0 }, async (_what, first, second) => {
    const gameId = await buildGame(server.db);
    await allowPromises(server.db, gameId);
    await insertPlan(server.db, gameId, '600', 'OPENING');
    const ends = await together(
      (tx) => first(tx, gameId, '600'),
      (tx) => second(tx, gameId, '600'),
    );
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('makes a source wait for a promise that is just being made, and then hear that there is one', {
    retry: 0,
  }, async () => {
    const gameId = await buildGame(server.db);
    await allowPromises(server.db, gameId);
    await insertPlan(server.db, gameId, '600', 'OPENING');
    const [, fed] = await together(
      async (tx) => {
        await sql`select from draw_plan where "gameId" = ${gameId} for update`.execute(tx);
        await insertPromise(tx, gameId, '600');
      },
      (tx) => keepResults(tx, { gameId, source: '甲', results: said(['600']), now: new Date() }),
    );
    expect(fed).toMatchObject({ status: 'fulfilled', value: [{ outcome: 'LOCAL' }] });
  });

  it('takes no part in snapshots that cannot see what others committed meanwhile', async () => {
    const gameId = await buildGame(server.db);
    const early = server.db.transaction().setIsolationLevel('repeatable read');
    await expect(early.execute((tx) => insertPlan(tx, gameId, '1'))).rejects.toMatchObject({ code: 'DR006' });
    await expect(early.execute((tx) => insertRecord(tx, gameId, '1'))).rejects.toMatchObject({
      code: 'DR006',
    });
  });

  it('holds against servers that plan and feed one game at once', { retry: 0 }, async () => {
    const gameId = await buildGame(server.db, { openRate: 3600, phase: '1000', phaseTime: at('00:00:00') });
    const plan = (db: Db) => {
      const window = { from: at('00:00:00').getTime() / 1000, to: at('23:00:00').getTime() / 1000 };
      return db.transaction().execute((tx) => generatePlans(tx, { gameId, window, now: at('00:00:00') }));
    };
    const phases = Array.from({ length: 30 }, (_, n) => 990 + n);
    // To one server it is noon already: it takes for past what the other one is planning.
    const works = [
      plan(server.db),
      feed(gameId, phases, at('12:00:00'), other),
      plan(other),
      feed(gameId, phases, at('12:00:00')),
    ];
    await Promise.allSettled(works);
    const { rows } = await sql<{ phase: string }>`
      select phase from draw_plan p join draw_record r using ("gameId", phase)
      where "gameId" = ${gameId} and (p.status = 'WAITTING' or r."createTime" < p."endTime")`.execute(
      server.db,
    );
    expect(rows).toEqual([]);
    expect((await recordsOf(gameId)).length).toBeGreaterThanOrEqual(10);
  });
});
