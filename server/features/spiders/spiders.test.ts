import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import { addSpider, deleteSpider, dryRunSpider, pageSpiders, updateSpider } from '#contract/spiders.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { allowEarlyDraws } from '#server/testing/draw-permits.ts';
import { gb18030 } from '#server/testing/gb18030.ts';
import { given } from '#server/testing/given.ts';
import { lookAtPlans } from '#server/testing/look-at-plans.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { takeDueSources } from './due-sources.ts';
import { hurrySpiders, runSource } from './spider-run.ts';

let source: Server;
let answer: RequestListener;
let fetches = 0;
let url: string;
let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  source = createServer((request, response) => {
    fetches++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(source.address() as AddressInfo).port}`;
  url = `http://${host}/feed.json`;
  server = await startTestServer({ spiderAllowedHosts: [host] });
  await allowEarlyDraws(server.db);
  admin = await server.admin();
});
afterAll(async () => {
  source.close();
  await server.close();
});
beforeEach(async () => {
  fetches = 0;
  await sql`delete from outbound_host`.execute(server.db);
  await sql`update spider set enabled = false`.execute(server.db);
});

const feed = (...rows: [phase: string, code: string, time: string][]) => {
  const data = rows.map(([expect, opencode, opentime]) => ({ expect, opencode, opentime }));
  answer = (_request, response) => response.end(JSON.stringify({ data }));
};
const spider = (gameId: number, overrides: object = {}) => ({
  gameId,
  name: '甲',
  url,
  spiderServiceName: 'OpenCodeSpider',
  ...overrides,
});
async function added(gameId: number, overrides: object = {}): Promise<number> {
  const { envelope } = await admin.call(addSpider, spider(gameId, overrides));
  if (!envelope.data) throw new Error(`not added: ${envelope.msg}`);
  return envelope.data;
}
const shown = async (id: number) =>
  (await admin.call(pageSpiders, { pageSize: 9999 })).envelope.data?.data.find((each) => each.id === id);
/** Runs what is due; tells how many sources were asked. */
async function run(time = new Date()): Promise<number> {
  await sql`delete from outbound_host`.execute(server.db);
  return runDue(time);
}
async function runDue(time: Date): Promise<number> {
  const services = { db: server.db, config: server.config, clock: () => time, chance: () => 0.5 };
  const due = await takeDueSources(server.db, time, { room: 10 });
  await Promise.all(due.map((source) => runSource(services, source)));
  return due.length;
}
const recordsOf = async (gameId: number) =>
  (await admin.call(pageDrawRecords, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];

describe('a run', () => {
  it('keeps what the source says, once over two servers, and ends the plan', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600, numbers: ['01', '02', '03'] });
    const day = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10);
    await admin.call(generateDrawPlans, { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 23:59:59` });
    const plan = (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data[0];
    const drawTime = new Date(`${plan?.endTime.replace(' ', 'T')}+08:00`);
    const id = await added(gameId);
    feed([plan?.phase ?? '', '1 2+3', plan?.endTime ?? ''], ['55', '3,2,1', '2020-01-01 00:00:00']);
    const silent = { info: () => {}, warn: () => {}, error: () => {} };
    const services = { db: server.db, config: server.config, log: silent, clock: () => drawTime };
    await lookAtPlans({ ...services, vault: createVault(server.config.secret) });
    const later = new Date(drawTime.getTime() + 10_000);
    expect((await Promise.all([runDue(later), runDue(later)])).toSorted()).toEqual([0, 1]);
    expect(fetches).toBe(1);
    expect(await recordsOf(gameId)).toMatchObject([
      { phase: plan?.phase, result: '01,02,03', source: '甲', openTime: plan?.endTime },
      { phase: '55', result: '03,02,01', openTime: '2020-01-01 00:00:00' },
    ]);
    expect((await admin.call(pageDrawPlans, { gameId, status: 'OPENED' })).envelope.data?.totalCount).toBe(1);
    expect(await shown(id)).toMatchObject({ lastError: null, consecutiveFailures: 0 });
    expect((await shown(id))?.lastSuccessTime).toBe((await shown(id))?.lastRunTime);
  });

  it('that hears the last draw again, in GB18030 under a wrong name, changes nothing and waits on', async () => {
    const gameId = await buildGame(server.db, { openRate: 3600 });
    const day = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10);
    await admin.call(generateDrawPlans, { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 01:00:00` });
    const [second, first] = (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data ?? [];
    const open = async (time: string | undefined) => {
      await sql`update draw_plan set status = 'OPENING' where "gameId" = ${gameId} and "endTime" <= ${time}::timestamptz`.execute(
        server.db,
      );
      return new Date(`${time?.replace(' ', 'T')}+08:00`);
    };
    const id = await added(gameId);
    const row = { expect: `第${first?.phase}期`, opencode: '1，2，3', opentime: first?.endTime };
    const body = gb18030(JSON.stringify({ data: [null, row, { ...row, opencode: null }] }));
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json; charset=ISO-8859-1' }).end(body);
    const firstDraw = await open(first?.endTime);
    await run(new Date(firstDraw.getTime() + 5_000));
    expect(await recordsOf(gameId)).toMatchObject([{ phase: first?.phase, result: '1,2,3' }]);
    const secondDraw = await open(second?.endTime);
    await run(new Date(secondDraw.getTime() + 5_000));
    expect(await recordsOf(gameId)).toHaveLength(1);
    const statuses = (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data.map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(['OPENING', 'OPENED']);
    expect(await shown(id)).toMatchObject({ lastError: null, consecutiveFailures: 0 });
    // It asks again within seconds, since a draw still waits.
    expect(await run(new Date(secondDraw.getTime() + 12_000))).toBe(1);
  });

  it('that hears of no draw yet is asked again within seconds, and hurried at the next draw', async () => {
    const gameId = await buildGame(server.db);
    const list = await added(gameId);
    const one = await added(gameId, { name: '乙', url: `${url}?issue={phase}` });
    const now = new Date();
    const soon = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, '7', ${soon(-60)}::timestamptz, ${now}::timestamptz, 'OPENING')`.execute(server.db);
    answer = (_request, response) => response.end('{"data": []}');
    for (let turn = 0; turn < 8; turn++) expect(await run(soon(turn * 7))).toBe(1);
    // Asked for one phase, it may well have nothing yet; a list without a draw is a mistake.
    expect(await shown(one)).toMatchObject({ lastError: '来源没有给出任何开奖结果', consecutiveFailures: 0 });
    expect(await shown(list)).toMatchObject({ lastError: '来源没有给出任何开奖结果' });
    expect((await shown(list))?.consecutiveFailures).toBeGreaterThan(2);
    feed(['7', '1,2', '2020-01-01 00:00:00']);
    for (let turn = 8; turn < 10; turn++) expect(await run(soon(turn * 7))).toBe(1);
    expect(await recordsOf(gameId)).toHaveLength(1);
    await hurrySpiders(server.db, [gameId], soon(100), () => 0);
    expect(await run(soon(103))).toBe(1);
  });

  it.each([
    ['moved to another game', 503],
    ['moved to another game', 200],
    ['switched off', 200],
    ['deleted', 200],
  ])(
    'whose spider was %s while its source thought about it (%i) leaves nothing behind',
    async (what, status) => {
      const [gameId, other] = [await buildGame(server.db), await buildGame(server.db)];
      const id = await added(gameId);
      const data = [{ expect: '999', opencode: '1,2,3', opentime: '2026-01-01 10:00:00' }];
      answer = (_request, response) => {
        const edit = {
          id,
          ...spider(what === 'switched off' ? gameId : other),
          enabled: what !== 'switched off',
        };
        const acting = what === 'deleted' ? admin.call(deleteSpider, { id }) : admin.call(updateSpider, edit);
        response.statusCode = status;
        void acting.then(() => response.end(JSON.stringify({ data })));
      };
      expect(await run()).toBe(1);
      expect([...(await recordsOf(gameId)), ...(await recordsOf(other))]).toEqual([]);
      const now = await shown(id);
      if (what !== 'deleted')
        expect(now).toMatchObject({ lastRunTime: null, lastError: null, consecutiveFailures: 0 });
      // What was edited is asked anew at once, and not when the run before would have been.
      if (what !== 'moved to another game') return;
      feed(['999', '1,2,3', '2026-01-01 10:00:00']);
      expect(await run()).toBe(1);
      expect(await recordsOf(other)).toMatchObject([{ phase: '999' }]);
    },
  );

  it('that fails is shown, backs off, and stops no other', async () => {
    const gameId = await buildGame(server.db);
    const bad = await added(gameId);
    answer = (_request, response) => response.end('<html><title>302 Found</title></html>');
    let time = new Date();
    await run(time);
    expect(await shown(bad)).toMatchObject({
      lastError: '来源返回的是网页而不是 JSON（302 Found）',
      consecutiveFailures: 1,
      lastSuccessTime: null,
    });
    expect(await run(new Date(time.getTime() + 9_000))).toBe(0);
    answer = (_request, response) => response.writeHead(500).end();
    time = new Date(time.getTime() + 11_000);
    expect(await run(time)).toBe(1);
    expect(await shown(bad)).toMatchObject({ lastError: '来源返回 HTTP 500', consecutiveFailures: 2 });
    await sql`update spider set url = 'http://10.0.0.1/' where id = ${bad}`.execute(server.db);
    const good = await added(gameId, { name: '好' });
    feed(['7', '1,2', '2020-01-01 00:00:00']);
    await run(new Date(time.getTime() + 60_000));
    expect(await shown(bad)).toMatchObject({
      lastError: '不允许访问内部地址：10.0.0.1',
      consecutiveFailures: 3,
    });
    expect(await shown(good)).toMatchObject({ lastError: null, consecutiveFailures: 0 });
    expect(await recordsOf(gameId)).toHaveLength(1);
  });
});

describe('a source', () => {
  it('is asked once for all spiders of one address, and each is told how it went', async () => {
    const games = [await buildGame(server.db), await buildGame(server.db), await buildGame(server.db)];
    const ids: number[] = [];
    for (const gameId of games) ids.push(await added(gameId));
    const options = '{"list": "$.data", "phase": "$[0].nothing", "result": "$[0].opencode"}';
    const reader = await added(given(games[0]), { name: '乙', spiderServiceName: 'JsonPathSpider', options });
    feed(['8', '1,2', '2020-01-01 00:00:00']);
    expect(await run()).toBe(1);
    expect(fetches).toBe(1);
    for (const gameId of games)
      expect(await recordsOf(gameId)).toMatchObject([{ phase: '8', result: '1,2' }]);
    for (const id of ids) expect(await shown(id)).toMatchObject({ lastError: null, consecutiveFailures: 0 });
    expect(await shown(reader)).toMatchObject({
      lastError: '来源没有给出任何开奖结果',
      consecutiveFailures: 1,
    });
  });

  it('is sent the headers and the filled address, and what fails fails for all who asked', async () => {
    const gameId = await buildGame(server.db);
    const seen: unknown[] = [];
    answer = ({ url: path, headers }, response) => {
      seen.push([path, headers['x-key'], headers['user-agent'], headers.host]);
      response.writeHead(302, { location: `http://localhost:${new URL(url).port}/` }).end();
    };
    const headers = 'X-Key: secret\nUser-Agent: back-office';
    const address = `${url}?day={date:yyyyMMdd}`;
    const ids = [
      await added(gameId, { url: address, headers }),
      await added(gameId, { url: address, headers, name: '乙' }),
    ];
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, '5', '2026-01-20 11:59:00', '2026-01-20 12:00:00', 'OPENED')`.execute(server.db);
    await run();
    const { host } = new URL(url);
    expect(seen).toEqual([['/feed.json?day=20260120', 'secret', 'back-office', host]]);
    const lastError = expect.stringContaining('不允许访问');
    for (const id of ids) expect(await shown(id)).toMatchObject({ lastError, consecutiveFailures: 1 });
  });

  it('that wants a phase of a game without plans is not asked, and the spider says so', async () => {
    const id = await added(await buildGame(server.db), { url: `${url}?issue={phase}` });
    await run();
    expect(fetches).toBe(0);
    const lastError = '游戏还没有开始开奖的期次，采集地址中的 {phase} 没有期号可用';
    expect(await shown(id)).toMatchObject({ lastError, consecutiveFailures: 1 });
    expect((await admin.call(dryRunSpider, { id })).envelope.msg).toBe(lastError);
    // It is not the source that failed: the first draw is asked for at once.
    const gameId = given((await shown(id))?.gameId);
    await sql`insert into draw_plan ("gameId", phase, "startTime", "endTime", status)
      values (${gameId}, '5', now() - interval '1 minute', now(), 'OPENING')`.execute(server.db);
    feed(['5', '1,2', '2020-01-01 00:00:00']);
    await hurrySpiders(server.db, [gameId], new Date(), () => 0);
    expect(await run(new Date(Date.now() + 3_000))).toBe(1);
    expect(await recordsOf(gameId)).toMatchObject([{ phase: '5' }]);
  });

  it('sees three seconds between two who ask at once, and a third is told to come later', async () => {
    const id = await added(await buildGame(server.db));
    const arrivals: number[] = [];
    answer = (_request, response) => {
      arrivals.push(performance.now());
      response.end('{"data": []}');
    };
    const answers = await Promise.all([1, 2, 3].map(() => admin.call(dryRunSpider, { id })));
    const words = answers.map(({ envelope }) => envelope.msg).toSorted();
    const none = '来源没有给出任何开奖结果';
    expect(words).toEqual([none, none, expect.stringMatching(/^该来源正在被采集，请 \d 秒后再试$/)]);
    expect(arrivals).toHaveLength(2);
    // The first may have been longer on its way.
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(2_500);
  });
});

describe('试运行', () => {
  it('fetches now, says what would be stored, and stores nothing', async () => {
    const gameId = await buildGame(server.db);
    const id = await added(gameId);
    feed(['9', '1,2', '2020-01-01 08:00:00'], ['10', '3,4', '']);
    const { envelope } = await admin.call(dryRunSpider, { id });
    expect(envelope.data).toEqual([
      { phase: '9', result: '1,2', openTime: '2020-01-01 08:00:00', outcome: 'NEW' },
      { phase: '10', result: '3,4', openTime: null, outcome: 'UNKNOWN' },
    ]);
    expect(await recordsOf(gameId)).toEqual([]);
    expect(await shown(id)).toMatchObject({ lastRunTime: null });
    // A run says of a result that comes too early what the dry run says of it.
    const day = new Date(Date.now() + 32 * 3_600_000).toISOString().slice(0, 10);
    await admin.call(generateDrawPlans, { gameId, beginDate: `${day} 00:00:00`, endDate: `${day} 00:04:59` });
    const phase = (await admin.call(pageDrawPlans, { gameId })).envelope.data?.data[0]?.phase ?? '';
    feed([phase, '1,2', '2020-01-01 08:00:00']);
    await sql`delete from outbound_host`.execute(server.db);
    const early = (await admin.call(dryRunSpider, { id })).envelope.data?.map(({ outcome }) => outcome);
    expect(early).toEqual(['EARLY']);
    await run();
    const words = dryRunSpider.output.element.shape.outcome.meta()?.choices;
    expect((await shown(id))?.lastError).toBe(`期号 ${phase} ${words?.EARLY}`);
    await sql`delete from outbound_host`.execute(server.db);
    // A body of others is a failure, in the words of a run.
    for (const body of ['{"code": 0, "rows": []}', '[]', '{"data": [{"issue": "1", "code": "2"}]}']) {
      answer = (_request, response) => response.end(body);
      const words = { success: false, code: 400, msg: '来源没有给出任何开奖结果' };
      expect((await admin.call(dryRunSpider, { id })).envelope).toMatchObject(words);
      await run(new Date(Date.now() + 86_400_000));
      expect(await shown(id)).toMatchObject({ lastError: words.msg });
      await sql`delete from outbound_host`.execute(server.db);
    }
    answer = (_request, response) => response.end('nonsense');
    expect((await admin.call(dryRunSpider, { id })).envelope).toMatchObject({
      success: false,
      code: 400,
      msg: '来源返回的不是有效的 JSON',
    });
  });
});
