import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDrawPlans, voidDrawPlan } from '#contract/draw-plans.ts';
import { pageDrawRecords, verifyDraw } from '#contract/draw-records.ts';
import { getOverview } from '#contract/overview.ts';
import type { JobServices } from '#server/jobs/part.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { given } from '#server/testing/given.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { setAside } from './draw-alarms.ts';

let server: TestServer;
let admin: TestClient;
let now = new Date();
let services: JobServices;
const told: { details: object; message: string }[] = [];
beforeAll(async () => {
  server = await startTestServer();
  await allowEarlyDraws(server.db);
  admin = await server.admin();
  const tell = (details: object, message: string) => told.push({ details, message });
  services = {
    db: server.db,
    config: server.config,
    vault: createVault(server.config.secret),
    clock: () => now,
    log: { info: () => {}, warn: tell, error: tell },
  };
});
afterAll(() => server.close());

const MINUTE = 60_000;
const OPTIONS = '{"count":3,"pool":["1","2","3","4"],"repeat":false}';

/** A game that draws by itself, with plans of a minute each, the first of which began so many minutes ago. */
async function drawingGame(begunAgo: number, plans: number): Promise<number> {
  const gameId = await buildGame(server.db, { openRate: 60, status: false });
  await sql`insert into spider ("gameId", name, "spiderServiceName", options)
    values (${gameId}, '本地', 'LocalDrawSpider', ${OPTIONS})`.execute(server.db);
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime")
    select ${gameId}, (2000 + n)::text, begin + n * interval '1 minute', begin + (n + 1) * interval '1 minute'
    from generate_series(0, ${plans - 1}::int) as n,
      (select date_trunc('second', now()) - ${begunAgo}::int * interval '1 minute' as begin) as b`.execute(
    server.db,
  );
  return gameId;
}

const lookAt = async (minutes: number) => {
  now = new Date(Date.now() + minutes * MINUTE);
  await lookAtPlans(services);
};
const plansOf = async (gameId: number) =>
  ((await admin.call(pageDrawPlans, { gameId, pageSize: 100 })).envelope.data?.data ?? []).toReversed();
const phasesDrawn = async (gameId: number) =>
  ((await admin.call(pageDrawRecords, { gameId, pageSize: 100 })).envelope.data?.data ?? [])
    .map(({ phase }) => phase)
    .toSorted();

/** Promises a phase under a seed that nobody can open, as a start under another APP_SECRET did. */
async function loseSeed(gameId: number, phase: string): Promise<void> {
  await sql`
    with lost as (
      insert into draw_commitment ("gameId", phase, rules, commitment, seed)
      values (${gameId}, ${phase}, ${OPTIONS}::jsonb, ${'0'.repeat(64)}, ${randomBytes(92)}) returning *
    ) update draw_plan p set commitment = lost.commitment from lost
      where p."gameId" = lost."gameId" and p.phase = lost.phase`.execute(server.db);
}

const alarms = async () => (await admin.call(getOverview, {})).envelope.data?.alarms;

it('a phase that goes on failing is left alone for half a minute, then twice as long each time, up to ten', async () => {
  const failed = { gameId: await buildGame(server.db), phase: '1', reason: 'x' };
  const waits: number[] = [];
  for (let n = 0; n < 7; n++) {
    await setAside(server.db, [failed], new Date());
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from "nextTime" - "lastTime")::int as seconds from draw_alarm where "gameId" = ${failed.gameId}`.execute(
      server.db,
    );
    waits.push(rows[0]?.seconds ?? 0);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 600, 600]);
});

describe('a seed that cannot be opened', () => {
  it('holds nobody up: other games and its own game’s next phases are promised and drawn on time', async () => {
    const broken = await drawingGame(3, 4);
    await loseSeed(broken, '2000');
    const other = await drawingGame(3, 4);
    // Late marks come after the draws: they were skipped too.
    const waiting = await buildGame(server.db, { openRate: 60, status: false });
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
      values (${waiting}, '1', now() - interval '1 hour', now() - interval '59 minutes')`.execute(server.db);
    await lookAt(0);
    await lookAt(0);
    expect(await phasesDrawn(broken)).toEqual(['2001', '2002']);
    expect(await phasesDrawn(other)).toEqual(['2000', '2001', '2002']);
    expect((await plansOf(waiting))[0]?.late).toBe(true);
    expect((await plansOf(broken)).map(({ status, commitment }) => [status, commitment !== null])).toEqual([
      ['OPENING', true],
      ['OPENED', true],
      ['OPENED', true],
      ['WAITTING', true],
    ]);
    expect((await plansOf(broken))[0]?.alarm).toContain('种子无法解密');
  });

  it('raises an alarm that the overview, the metrics and the log show, and is left alone for a while', async () => {
    const gameId = await drawingGame(3, 1);
    await loseSeed(gameId, '2000');
    await lookAt(0);
    const phase = { gameId, phase: '2000', reason: expect.stringContaining('种子无法解密') };
    const shown = { ...phase, gameName: expect.any(String), endTime: (await plansOf(gameId))[0]?.endTime };
    // Figures are kept for two seconds.
    await expect.poll(async () => (await alarms())?.phases, { timeout: 30_000 }).toContainEqual(shown);
    const overview = await alarms();
    expect(overview?.count).toBe(overview?.phases.length);
    const metrics = await (await fetch(`${server.origin}/metrics`)).text();
    expect(metrics).toMatch(new RegExp(`^draw_alarms ${overview?.count}$`, 'm'));
    const tries = () => told.filter(({ details }) => 'gameId' in details && details.gameId === gameId);
    const drawTries = () => tries().filter(({ message }) => message === 'a promised draw failed').length;
    expect(drawTries()).toBe(1);
    await lookAt(0);
    await lookAt(0.45);
    expect(drawTries()).toBe(1);
    await lookAt(0.55);
    expect(drawTries()).toBe(2);
    // The next wait is longer.
    await lookAt(1.2);
    expect(drawTries()).toBe(2);
  });

  it('is found in the list of plans with the others that have an alarm, those that still wait too', async () => {
    const gameId = await drawingGame(3, 3);
    const [drawn, next] = await plansOf(gameId);
    await sql`
      insert into draw_alarm ("gameId", phase, reason, "createTime", "lastTime", "nextTime")
      select ${gameId}, phase, '种子已失', now(), now(), now() from unnest(${[given(drawn).phase, given(next).phase, 'cleared']}::text[]) as phase`.execute(
      server.db,
    );
    await sql`update draw_plan set status = 'OPENED' where id = ${given(drawn).id}`.execute(server.db);
    const found = async (filter: object) =>
      given((await admin.call(pageDrawPlans, { alarming: 'YES', ...filter })).envelope.data);
    const waiting = { phase: given(next).phase, status: 'WAITTING', alarm: '种子已失' };
    expect(await found({ gameId })).toMatchObject({ totalCount: 1, data: [waiting] });
    expect(await found({ gameId, status: 'OPENING' })).toMatchObject({ totalCount: 0, data: [] });
    const every = await found({ pageSize: 100 });
    await expect.poll(async () => (await alarms())?.count, { timeout: 30_000 }).toBe(every.totalCount);
    expect(every.data).toContainEqual(expect.objectContaining({ gameId, ...waiting }));
    expect(every.data.filter(({ alarm }) => alarm === null)).toEqual([]);
  });

  it('that can be opened again ends the alarm with the draw', async () => {
    const gameId = await drawingGame(1, 2);
    // Promised by the first look, drawn by the next.
    await lookAt(0);
    await lookAt(0);
    const away = createVault(randomBytes(32));
    now = new Date(Date.now() + MINUTE);
    await lookAtPlans({ ...services, vault: away });
    expect((await plansOf(gameId)).map(({ alarm }) => alarm === null)).toEqual([true, false]);
    await lookAt(3);
    expect(await phasesDrawn(gameId)).toEqual(['2000', '2001']);
    expect((await plansOf(gameId)).map(({ alarm }) => alarm)).toEqual([null, null]);
  });

  it('that opens to something else than was promised draws nothing', async () => {
    const gameId = await drawingGame(1, 1);
    const seed = services.vault.seal('00'.repeat(32), `draw_commitment/${gameId}/2000`);
    await sql`insert into draw_commitment ("gameId", phase, rules, commitment, seed)
      values (${gameId}, '2000', ${OPTIONS}::jsonb, ${'0'.repeat(64)}, ${seed})`.execute(server.db);
    await sql`update draw_plan set commitment = ${'0'.repeat(64)} where "gameId" = ${gameId}`.execute(
      server.db,
    );
    await lookAt(0);
    expect(await phasesDrawn(gameId)).toEqual([]);
    expect((await plansOf(gameId))[0]?.alarm).toBe('种子与承诺值不符');
  });
});

describe('a phase that the database refuses', () => {
  const refusing = (gameId: number) =>
    sql.raw(`
    create function refuse_${gameId}() returns trigger language plpgsql as $$
    begin
      if new."gameId" = ${gameId} and new.phase = '2000' then raise exception 'refused by the test'; end if;
      return new;
    end $$`);

  it.each([
    ['opened', 'draw_plan', `before update of status on draw_plan`],
    ['drawn', 'draw_record', `before insert on draw_record`],
    ['promised', 'draw_commitment', `before insert on draw_commitment`],
  ])('cannot be %s, and holds nobody up', async (_, table, when) => {
    const [broken, other] = [await drawingGame(2, 3), await drawingGame(2, 3)];
    await refusing(broken).execute(server.database.owner);
    await sql
      .raw(`create trigger refusing ${when} for each row execute function refuse_${broken}()`)
      .execute(server.database.owner);
    await lookAt(0);
    await lookAt(0);
    await sql.raw(`drop trigger refusing on ${table}`).execute(server.database.owner);
    expect(await phasesDrawn(broken)).toEqual(['2001']);
    expect(await phasesDrawn(other)).toEqual(['2000', '2001']);
    expect((await plansOf(broken)).map(({ alarm }) => alarm)).toEqual([
      '系统拒绝：数据库错误 P0001，详情见服务器日志',
      null,
      null,
    ]);
    // The database's own words are in the log.
    expect(told).toContainEqual(
      expect.objectContaining({
        details: expect.objectContaining({ gameId: broken, detail: 'refused by the test' }),
      }),
    );
    await lookAt(0.55);
    await lookAt(0.55);
    expect(await phasesDrawn(broken)).toEqual(['2000', '2001']);
    expect((await plansOf(broken)).map(({ alarm }) => alarm)).toEqual([null, null, null]);
  });
});

describe('voiding a phase', () => {
  const REASON = '承诺时的密钥已丢失';
  const idOf = async (gameId: number, place: number) => given((await plansOf(gameId))[place]?.id);

  it('ends a promise that cannot be kept, openly and for good', async () => {
    const gameId = await drawingGame(3, 2);
    await loseSeed(gameId, '2000');
    await lookAt(0);
    const id = await idOf(gameId, 0);
    const bare = await admin.call(voidDrawPlan, { id, reason: '  ' });
    expect(bare.envelope).toMatchObject({ success: false, code: 400 });
    const done = await admin.call(voidDrawPlan, { id, reason: REASON });
    expect(done.envelope).toMatchObject({ success: true, data: true });
    expect((await plansOf(gameId))[0]).toMatchObject({
      status: 'VOID',
      alarm: null,
      late: false,
      voidReason: REASON,
    });
    const only = await admin.call(pageDrawPlans, { gameId, status: 'VOID', pageSize: 10 });
    expect(only.envelope.data).toMatchObject({ totalCount: 1, data: [{ id }] });
    const shown = await server.anonymous.call(verifyDraw, { gameId, phase: '2000' });
    expect(shown.envelope.data).toMatchObject({
      seed: null,
      result: null,
      voided: { time: expect.any(String), reason: REASON },
    });
    const mine = async () => (await alarms())?.phases.filter((phase) => phase.gameId === gameId);
    await expect.poll(mine, { timeout: 30_000 }).toEqual([]);
    const { rows } = await sql`
      select call, "userName", input, before, after, outcome from change_record
      where call = 'voidDrawPlan' and outcome = 'SUCCESS' and after ->> 'gameId' = ${String(gameId)}`.execute(
      server.db,
    );
    expect(rows).toMatchObject([{ userName: 'admin', input: { id, reason: REASON } }]);
    // Twice, or a result after it, is refused by whoever tries.
    expect((await admin.call(voidDrawPlan, { id, reason: REASON })).envelope.success).toBe(false);
    const result = sql`
      insert into draw_record ("gameId", phase, result, "openTime", seed) values (${gameId}, '2000', '1', now(), 'x')`;
    await expect(result.execute(server.db)).rejects.toThrow('is void');
    await lookAt(1);
    expect(await phasesDrawn(gameId)).toEqual(['2001']);
    await expect(sql`delete from draw_void`.execute(server.db)).rejects.toMatchObject({ code: '42501' });
    const back = sql`update draw_plan set status = 'OPENING' where id = ${id}`;
    await expect(back.execute(server.db)).rejects.toThrow('is void');
  });

  it('is refused before the draw, with a result, without a promise, and while the promise can be kept', async () => {
    const gameId = await drawingGame(2, 4);
    await lookAt(0);
    await lookAt(0);
    const refusal = async (place: number) =>
      (await admin.call(voidDrawPlan, { id: await idOf(gameId, place), reason: REASON })).envelope.msg;
    const never = '只有已到开奖时间、尚无结果的本地开奖期次可以作废';
    expect(await refusal(0)).toBe(never);
    expect(await refusal(3)).toBe(never);
    await sql`update draw_plan set status = 'OPENING', "endTime" = now() where "gameId" = ${gameId} and phase = '2002'`.execute(
      server.db,
    );
    expect(await refusal(2)).toBe('这一期的承诺可以兑现，会自动开奖，不能作废');
    const collected = await buildGame(server.db, { openRate: 60, status: false });
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${collected}, '1', now() - interval '1 hour', now(), 'OPENING')`.execute(server.db);
    const id = await idOf(collected, 0);
    expect((await admin.call(voidDrawPlan, { id, reason: REASON })).envelope.msg).toBe(never);
    expect((await admin.call(voidDrawPlan, { id: 2 ** 40, reason: REASON })).envelope.msg).toBe('记录不存在');
  });

  it('is never done beside a result: whichever comes first', async () => {
    for (let round = 0; round < 10; round++) {
      const gameId = await drawingGame(2, 1);
      await loseSeed(gameId, '2000');
      await lookAt(0);
      const id = await idOf(gameId, 0);
      const result = sql`
      insert into draw_record ("gameId", phase, result, "openTime", seed) values (${gameId}, '2000', '1', now(), 'x')`;
      const [stored, voided] = await Promise.all([
        result.execute(server.db).then(
          () => true,
          () => false,
        ),
        admin.call(voidDrawPlan, { id, reason: REASON }).then(({ envelope }) => envelope.success),
      ]);
      expect([stored, voided].filter(Boolean)).toHaveLength(1);
    }
  });
});
