import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageDrawPlans, voidDrawPlan } from '#contract/draw-plans.ts';
import { pageDrawRecords, verifyDraw } from '#contract/draw-records.ts';
import { addSpider } from '#contract/spiders.ts';
import { drawBeacons } from '#server/jobs/draw-beacons.ts';
import type { JobServices } from '#server/jobs/part.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { commitmentOf, drawnNumbers } from '../draw-plans/commitment.ts';
import type { DrawRules } from '../draw-plans/draw-rules.ts';

const PERIOD = 3;
const WAIT_MINUTES = 5;

/** A public beacon as drand speaks: `/public/<round>` answers once the round's time has come, and 425 before. */
let beacon: Server;
let host: string;
let genesis: number;
let isSilent = false;
const asked: number[] = [];
const randomnessOf = (round: number) => Buffer.from(`randomness of round ${round}`).toString('hex');

let server: TestServer;
let admin: TestClient;
let services: JobServices;
beforeAll(async () => {
  genesis = Math.floor(Date.now() / 1_000) - 3_600;
  beacon = createServer(({ url = '' }, response) => {
    // Leads nowhere but to itself.
    if (url.startsWith('/loop/')) return void response.writeHead(302, { location: url }).end();
    const round = Number(url.replace('/public/', ''));
    asked.push(round);
    const isOut = genesis + (round - 1) * PERIOD <= Date.now() / 1_000;
    response.statusCode = isSilent ? 503 : isOut ? 200 : 425;
    response.end(
      isSilent || !isOut ? '' : JSON.stringify({ round, randomness: randomnessOf(round), broken: 'a\0b' }),
    );
  }).listen(0, '127.0.0.1');
  await once(beacon, 'listening');
  host = `127.0.0.1:${(beacon.address() as AddressInfo).port}`;
  server = await startTestServer({ spiderAllowedHosts: [host] });
  admin = await server.admin();
  services = {
    db: server.db,
    config: server.config,
    vault: createVault(server.config.secret),
    clock: () => new Date(),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  };
});
afterAll(async () => {
  await server.close();
  beacon.close();
});
beforeEach(() => {
  isSilent = false;
  asked.length = 0;
});

const optionsWith = (changes: object = {}) => ({
  count: 5,
  pool: [...'0123456789'],
  repeat: true,
  beacon: {
    ...{ url: `http://${host}/public/{round}`, value: '$.randomness', genesis, period: PERIOD },
    ...{ waitMinutes: WAIT_MINUTES, ...changes },
  },
});
const spiderOf = (gameId: number, changes?: object) => ({
  ...{ gameId, name: '本地', spiderServiceName: 'LocalDrawSpider' },
  options: JSON.stringify(optionsWith(changes)),
});

/** A game that waits for the beacon, with a plan that is drawn in so many seconds, promised already. */
async function promisedGame(seconds: number, changes?: object): Promise<number> {
  const gameId = await buildGame(server.db, { openRate: 60, status: false });
  expect((await admin.call(addSpider, spiderOf(gameId, changes))).envelope.success).toBe(true);
  await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime")
    values (${gameId}, '1', now() - interval '1 minute', now() + ${seconds}::float8 * interval '1 second')`.execute(
    server.db,
  );
  await lookAtPlans(services);
  return gameId;
}
const part = drawBeacons();
/** Begins a turn; ends with what it does beside it. */
async function collect(): Promise<void> {
  const begun: Promise<void>[] = [];
  const beside = (_name: string, work: () => Promise<void>) => {
    const working = work();
    begun.push(working);
    return working;
  };
  await part.run(services, { isStopping: () => false, beside });
  await Promise.all(begun);
}
const round = async () => {
  await collect();
  await lookAtPlans(services);
};
const planOf = async (gameId: number) => (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data[0];
const recordsOf = async (gameId: number) =>
  (await admin.call(pageDrawRecords, { gameId })).envelope.data?.data ?? [];
const shownOf = async (gameId: number) =>
  (await server.anonymous.call(verifyDraw, { gameId, phase: '1' })).envelope.data;

/** The rounds that these games wait for are published. */
async function untilOut(games: readonly number[]): Promise<void> {
  const promised = await Promise.all(games.map(shownOf));
  const lastOut = Math.max(...promised.map((shown) => shown?.rules.beacon?.time ?? 0));
  await expect.poll(() => Date.now() / 1_000, { timeout: 8_000 }).toBeGreaterThan(lastOut);
}

/** The same promise longer ago: its round and its wait began so many seconds earlier. */
async function age(gameId: number, seconds: number): Promise<void> {
  await sql`delete from draw_alarm where "gameId" = ${gameId}`.execute(server.db);
  const { rows } = await sql<{ rules: DrawRules; seed: Buffer }>`
    select rules, seed from draw_commitment where "gameId" = ${gameId}`.execute(server.db);
  const [promised] = rows;
  if (!promised?.rules.beacon) throw new Error('nothing promised');
  const { beacon } = promised.rules;
  const rules = { ...promised.rules, beacon: { ...beacon, time: beacon.time - seconds } };
  const seed = services.vault.open(promised.seed, `draw_commitment/${gameId}/1`);
  const commitment = commitmentOf({ gameId, phase: '1', rules, seed });
  await sql`alter table draw_commitment disable trigger draw_commitment_append_only`.execute(
    server.database.owner,
  );
  await sql`update draw_commitment set rules = ${JSON.stringify(rules)}::jsonb, commitment = ${commitment}
    where "gameId" = ${gameId}`.execute(server.database.owner);
  await sql`alter table draw_commitment enable trigger draw_commitment_append_only`.execute(
    server.database.owner,
  );
  await sql`update draw_plan set commitment = ${commitment} where "gameId" = ${gameId}`.execute(server.db);
}

describe('a draw that waits for a public value', () => {
  it('names its round beforehand, is drawn once that is out, and can be computed by anyone', {
    timeout: 30_000,
  }, async () => {
    const gameId = await promisedGame(4);
    const before = await shownOf(gameId);
    const promised = before?.rules.beacon;
    const drawTime = Date.parse(`${before?.endTime?.replace(' ', 'T')}+08:00`) / 1_000;
    expect(promised?.time).toBeGreaterThan(drawTime);
    expect(promised?.time).toBeLessThanOrEqual(drawTime + 1 + PERIOD);
    const number = ((promised?.time ?? 0) - genesis) / PERIOD + 1;
    expect(promised?.address).toBe(`http://${host}/public/${number}`);
    expect(before).toMatchObject({ seed: null, result: null, beaconValue: null });
    expect((await planOf(gameId))?.takesBets).toBe(true);
    // Its betting is over, and it is not drawn before the round is out.
    await expect.poll(() => Date.now() / 1_000, { timeout: 8_000 }).toBeGreaterThan(drawTime + 1);
    await lookAtPlans(services);
    expect((await planOf(gameId))?.status).toBe('OPENING');
    if (Date.now() / 1_000 < (promised?.time ?? 0)) {
      await round();
      expect(await recordsOf(gameId)).toEqual([]);
      expect(asked).toEqual([]);
    }
    const drawn = async () => {
      await round();
      return (await recordsOf(gameId)).length;
    };
    await expect.poll(drawn, { timeout: 12_000, interval: 200 }).toBe(1);
    const after = await shownOf(gameId);
    const { rules, seed, phase, beaconValue } = after ?? {};
    expect(beaconValue).toBe(randomnessOf(number));
    if (!rules || !seed || !phase || !beaconValue) throw new Error('nothing to verify');
    expect(commitmentOf({ gameId, phase, rules, seed })).toBe(before?.commitment);
    expect(after?.result).toBe(drawnNumbers({ rules, seed }, beaconValue).join());
    expect((await recordsOf(gameId))[0]?.result).toBe(after?.result);
    // Found once, it is asked for no more.
    const times = asked.length;
    await round();
    expect(asked).toHaveLength(times);
  });

  it('is asked for once for all games that wait for the same round', async () => {
    const games = [await promisedGame(-1), await promisedGame(-1), await promisedGame(-1)];
    const promised = await Promise.all(games.map(shownOf));
    const lastOut = Math.max(...promised.map((shown) => shown?.rules.beacon?.time ?? 0));
    await expect.poll(() => Date.now() / 1_000, { timeout: 2_000 + PERIOD * 1_000 }).toBeGreaterThan(lastOut);
    await round();
    await round();
    expect(asked).toHaveLength(new Set(promised.map((shown) => shown?.rules.beacon?.address)).size);
    for (const gameId of games) expect(await recordsOf(gameId)).toHaveLength(1);
  });

  it('is not drawn while the beacon is silent: it alarms, draws when it speaks, and is voided after the time told', async () => {
    isSilent = true;
    const [late, lost] = [await promisedGame(-1), await promisedGame(-1)];
    await untilOut([late, lost]);
    await age(late, 60);
    await age(lost, 60);
    await round();
    expect((await planOf(late))?.alarm).toBe('公开随机值没有取到：来源返回 HTTP 503');
    const voidIt = async (gameId: number) => {
      const id = given((await planOf(gameId))?.id);
      return (await admin.call(voidDrawPlan, { id, reason: '公开随机值一直没有公布' })).envelope;
    };
    // As long as it may come, nobody can choose to have no draw.
    expect(await voidIt(late)).toMatchObject({ success: false, code: 400 });
    isSilent = false;
    await age(late, 0);
    await age(lost, WAIT_MINUTES * 60);
    await round();
    expect(await recordsOf(late)).toHaveLength(1);
    expect((await planOf(late))?.alarm).toBeNull();
    // The beacon speaks, but too late for this one.
    expect(await recordsOf(lost)).toEqual([]);
    expect((await planOf(lost))?.alarm).toBe(
      `公开随机值在公布后 ${WAIT_MINUTES} 分钟内没有取到，按承诺不再开奖，请作废`,
    );
    expect(await voidIt(lost)).toMatchObject({ success: true });
    expect((await planOf(lost))?.status).toBe('VOID');
    expect((await shownOf(lost))?.voided?.reason).toBe('公开随机值一直没有公布');
  });

  it('is not held up by draws whose beacon does not answer, which is asked once a turn', {
    timeout: 30_000,
  }, async () => {
    const mute = createNetServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const muteHost = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    let reached = 0;
    mute.on('connection', (socket) => {
      reached++;
      socket.on('error', () => undefined);
    });
    const { config } = services;
    services = { ...services, config: { ...config, spiderAllowedHosts: [host, muteHost] } };
    try {
      const url = (name: string) => ({ url: `http://${muteHost}/${name}/{round}` });
      const silent = [await promisedGame(-1, url('a')), await promisedGame(-1, url('b'))];
      const spoken = await promisedGame(-1);
      await untilOut([...silent, spoken]);
      for (const gameId of silent) await age(gameId, 60);
      const turn = collect();
      const kept = async () => {
        await lookAtPlans(services);
        return (await recordsOf(spoken)).length;
      };
      await expect.poll(kept, { timeout: 4_000 }).toBe(1);
      expect(await recordsOf(given(silent[0]))).toEqual([]);
      await turn;
      expect(reached).toBe(1);
      for (const gameId of silent)
        expect((await planOf(gameId))?.alarm).toBe('公开随机值没有取到：来源在 5 秒内没有响应完毕');
    } finally {
      services = { ...services, config };
      mute.close();
    }
  });

  it('is not held up by another of its host that answers otherwise than with a value', async () => {
    const looping = await promisedGame(-2, { url: `http://${host}/loop/{round}` });
    const spoken = await promisedGame(-1);
    await untilOut([looping, spoken]);
    await collect();
    await lookAtPlans(services);
    expect(await recordsOf(spoken)).toHaveLength(1);
    expect(await recordsOf(looping)).toEqual([]);
  });

  it('is not held up by one whose value cannot be kept', async () => {
    const [broken, spoken] = [await promisedGame(-1, { value: '$.broken' }), await promisedGame(-1)];
    await untilOut([broken, spoken]);
    await age(broken, 60);
    await collect();
    await lookAtPlans(services);
    expect(await recordsOf(spoken)).toHaveLength(1);
    expect((await planOf(broken))?.alarm).toBe(
      '公开随机值没有取到：来源的 $.broken 处不是 1 到 1000 个字符的文本或整数',
    );
  });

  it('takes no bets once its value is out, wherever its plan was moved', async () => {
    const gameId = await promisedGame(3_000);
    expect((await planOf(gameId))?.takesBets).toBe(true);
    await age(gameId, 3_600);
    expect((await planOf(gameId))?.takesBets).toBe(false);
  });
});

describe('the database', () => {
  const keep = (gameId: number) =>
    sql`insert into draw_beacon ("gameId", phase, value) values (${gameId}, '1', 'x')`.execute(server.db);
  const draw = (gameId: number) =>
    sql`insert into draw_record ("gameId", phase, result, "openTime", seed)
      values (${gameId}, '1', '1,2,3,4,5', now(), 'x')`.execute(server.db);

  it('takes a value neither early nor late, one only, and no result without it', async () => {
    const gameId = await promisedGame(-1);
    await age(gameId, -60);
    await expect(keep(gameId)).rejects.toMatchObject({ code: 'DR011' });
    await age(gameId, 60 + 10 + WAIT_MINUTES * 60);
    await expect(keep(gameId)).rejects.toMatchObject({ code: 'DR011' });
    await expect(draw(gameId)).rejects.toMatchObject({ code: 'DR012' });
    await age(gameId, -WAIT_MINUTES * 60);
    await keep(gameId);
    await expect(keep(gameId)).rejects.toMatchObject({ code: '23505' });
    await expect(sql`update draw_beacon set value = 'y'`.execute(server.db)).rejects.toMatchObject({
      code: '42501',
    });
    await draw(gameId);
  });
});

describe('the options of a beacon', () => {
  it.each([
    ['a path to many places', { value: '$..*' }, 'beacon 的 value 须只指向一处，例如 $.randomness'],
    ['a path that is none', { value: '$.[' }, 'beacon 的 value 不是有效的 JSONPath'],
    [
      'an internal address',
      { url: 'ftp://beacon.example/{round}' },
      '不允许访问该地址：只能使用 http 或 https',
    ],
    ['an address of no round', { url: 'https://beacon.example/latest' }, '采集选项须为'],
    ['a period of nothing', { period: 0 }, '采集选项须为'],
  ])('are refused at their field: %s', async (_, changes, message) => {
    const gameId = await buildGame(server.db);
    const { envelope } = await admin.call(addSpider, spiderOf(gameId, changes));
    expect(envelope).toMatchObject({
      success: false,
      data: { errors: { options: expect.stringContaining(message) } },
    });
  });
});
