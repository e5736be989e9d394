import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import iconv from 'iconv-lite';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateDrawPlans, pageDrawPlans } from '#contract/draw-plans.ts';
import { pageDrawRecords } from '#contract/draw-records.ts';
import {
  addSpider,
  deleteSpider,
  dryRunSpider,
  listSpiderServices,
  pageSpiders,
  updateSpider,
} from '#contract/spiders.ts';
import { lookAtPlans } from '#server/jobs/draw-timer.ts';
import { buildGame } from '#server/testing/build-game.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { createVault } from '#server/vault.ts';
import { runSpider, takeDueSpiders } from './spider-run.ts';

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
async function run(time = new Date(), hostIsFree = true): Promise<number> {
  if (hostIsFree) await sql`delete from outbound_host`.execute(server.db);
  const services = { db: server.db, config: server.config, clock: () => time, chance: () => 0.5 };
  const due = await takeDueSpiders(server.db, time, 10);
  for (const each of due) await runSpider(services, each);
  return due.length;
}
const recordsOf = async (gameId: number) =>
  (await admin.call(pageDrawRecords, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];

describe('spiders', () => {
  it('are added, listed with their game, changed and deleted', async () => {
    const gameId = await buildGame(server.db, { name: '采集的游戏' });
    const id = await added(gameId, { remark: '备注' });
    expect(await shown(id)).toMatchObject({
      game: { name: '采集的游戏' },
      name: '甲',
      enabled: true,
      options: null,
      lastRunTime: null,
      consecutiveFailures: 0,
    });
    const twice = await admin.call(addSpider, spider(gameId));
    expect(twice.envelope).toMatchObject({ success: false, msg: '采集名称已存在' });
    await admin.call(updateSpider, { id, ...spider(gameId, { name: '乙', enabled: false }) });
    expect(await shown(id)).toMatchObject({ name: '乙', enabled: false, remark: null });
    await admin.call(deleteSpider, { id });
    expect(await shown(id)).toBeUndefined();
    expect((await admin.call(deleteSpider, { id })).envelope.msg).toBe('记录不存在');
  });

  it('name collectors that exist', async () => {
    const names = (await admin.call(listSpiderServices, {})).envelope.data?.map(({ name }) => name);
    expect(names).toEqual([
      'WelfareLotterySpider',
      'SportsLotterySpider',
      'OpenCodeSpider',
      'PreDrawSpider',
      'FiveHundredXmlSpider',
      'JsonPathSpider',
      'LocalDrawSpider',
    ]);
  });

  it.each([
    [{ spiderServiceName: 'NoSuchSpider' }, '没有名为 NoSuchSpider 的采集器'],
    [{ url: undefined }, '采集地址不能为空'],
    [{ url: 'ftp://example.com/' }, '须以 http:// 或 https:// 开头'],
    [{ url: 'http://a:b@example.com/' }, '不能带有账号或密码'],
    [{ spiderServiceName: 'JsonPathSpider' }, 'JSONPath'],
    [{ spiderServiceName: 'LocalDrawSpider', options: '{}' }, '采集选项须为'],
    [{ gameId: 999_999 }, '记录不存在'],
  ])('are refused with %j', async (overrides, msg) => {
    const gameId = await buildGame(server.db);
    const { envelope } = await admin.call(addSpider, spider(gameId, overrides));
    expect(envelope).toMatchObject({ success: false, code: 400 });
    expect(envelope.msg).toContain(msg);
  });
});

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
    expect((await Promise.all([run(later), run(later)])).toSorted()).toEqual([0, 1]);
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
    const body = iconv.encode(JSON.stringify({ data: [null, row, { ...row, opencode: null }] }), 'gb18030');
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

describe('a host', () => {
  it('is asked once, whichever spiders are due; the others come back when it is free again', async () => {
    const gameId = await buildGame(server.db);
    const ids = [
      await added(gameId),
      await added(gameId, { name: '乙' }),
      await added(gameId, { name: '丙' }),
    ];
    feed(['8', '1,2', '2020-01-01 00:00:00']);
    const time = new Date();
    expect(await run(time, false)).toBe(3);
    expect(fetches).toBe(1);
    const { rows } = await sql<{ after: number }>`
      select extract(epoch from "nextRunTime" - ${time}::timestamptz)::float8 as after from spider
      where id = any(${ids}) and "lastRunTime" is null`.execute(server.db);
    expect(rows).toHaveLength(2);
    for (const { after } of rows) expect(after).toBeGreaterThan(2);
    for (const { after } of rows) expect(after).toBeLessThan(4);
  });

  it('sees three seconds between two who ask at once, and a third is told to come later', async () => {
    const id = await added(await buildGame(server.db));
    const arrivals: number[] = [];
    answer = (_request, response) => {
      arrivals.push(performance.now());
      response.end('{"data": []}');
    };
    const answers = await Promise.all([1, 2, 3].map(() => admin.call(dryRunSpider, { id })));
    expect(answers.map(({ envelope }) => envelope.success).toSorted()).toEqual([false, true, true]);
    expect(arrivals).toHaveLength(2);
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(2_950);
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
    await sql`delete from outbound_host`.execute(server.db);
    answer = (_request, response) => response.end('nonsense');
    expect((await admin.call(dryRunSpider, { id })).envelope).toMatchObject({
      success: false,
      code: 400,
      msg: '来源返回的不是有效的 JSON',
    });
  });
});
