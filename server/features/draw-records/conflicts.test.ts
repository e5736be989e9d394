import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageDrawRecords, resolveDrawRecord } from '#contract/draw-records.ts';
import { addSpider, dryRunSpider } from '#contract/spiders.ts';
import { connect, type Db } from '#server/db/database.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { given } from '#server/testing/given.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { correctRecord } from './draw-record-store.ts';
import { keepResults } from './keep-results.ts';

let source: Server;
let body = '';
let url: string;
let server: TestServer;
let other: Db;
let admin: TestClient;
beforeAll(async () => {
  source = createServer((_request, response) => response.end(body));
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(source.address() as AddressInfo).port}`;
  url = `http://${host}/feed.json`;
  server = await startTestServer({ spiderAllowedHosts: [host] });
  other = connect(server.database.url, { timeZone: 'Asia/Shanghai', max: 4 });
  admin = await server.admin();
});
afterAll(async () => {
  source.close();
  await other.destroy();
  await server.close();
});

const PHASE = '900';
const LONG_AGO = Date.UTC(2020, 0, 1) / 1000;
type Word = readonly [result: string, phase?: string];
const reading = (gameId: number, name: string, words: readonly Word[]) => ({
  ...{ gameId, source: name, now: new Date() },
  results: words.map(([result, phase = PHASE]) => ({ phase, result, openTime: LONG_AGO })),
});
const keep = (gameId: number, name: string, words: readonly Word[], db: Db = server.db) =>
  db.transaction().execute((tx) => keepResults(tx, reading(gameId, name, words)));
const recordOf = async (gameId: number, phase = PHASE) => {
  const page = await admin.call(pageDrawRecords, { gameId, phase });
  const [record] = page.envelope.data?.data ?? [];
  if (!record) throw new Error('no record');
  return record;
};
const wordsOf = ({ result, conflicts }: Awaited<ReturnType<typeof recordOf>>) =>
  [result, ...conflicts.map((claim) => claim.result)].toSorted();

describe('a source that contradicts itself', () => {
  const eight = Array.from({ length: 8 }, (_, n) => `${n},${n},${n}`);

  it('raises the conflict, and every word of it is kept', async () => {
    const gameId = await buildGame(server.db);
    const judged = await keep(
      gameId,
      '甲',
      [...eight, '0,0,0', '00,0,0'].map((result): Word => [result]),
    );
    expect(judged.map(({ outcome }) => outcome)).toEqual(['NEW', ...Array(7).fill('CONFLICT')]);
    const record = await recordOf(gameId);
    expect(record).toMatchObject({ result: '0,0,0', source: '甲', conflict: true });
    expect(record.conflicts.map(({ source: name, result }) => [name, result])).toEqual(
      eight.slice(1).map((result) => ['甲', result]),
    );
    // Nothing new in it: nothing changes.
    await keep(
      gameId,
      '甲',
      eight.map((result): Word => [result]),
    );
    expect(await recordOf(gameId)).toEqual(record);
  });

  it('is told so by a dry run as by the run itself', async () => {
    const gameId = await buildGame(server.db);
    const words = { gameId, name: '甲', url, spiderServiceName: 'OpenCodeSpider', enabled: false };
    const id = given((await admin.call(addSpider, words)).envelope.data);
    const data = eight.map((opencode) => ({ expect: PHASE, opencode, opentime: '2020-01-01 00:00:00' }));
    body = JSON.stringify({ data });
    const dry = (await admin.call(dryRunSpider, { id })).envelope.data ?? [];
    const judged = await keep(
      gameId,
      '甲',
      eight.map((result): Word => [result]),
    );
    const said = ({ result, outcome }: { result: string; outcome: string }) => [result, outcome];
    expect(dry.map(said)).toEqual(judged.map(said));
    expect(dry.filter(({ outcome }) => outcome === 'CONFLICT')).toHaveLength(7);
  });
});

describe('two sources that disagree', () => {
  it('raise the conflict when both are heard for the first time at once, on two servers', {
    retry: 0,
  }, async () => {
    for (let round = 0; round < 20; round++) {
      const gameId = await buildGame(server.db);
      await Promise.all([keep(gameId, '甲', [['1,2,3']]), keep(gameId, '乙', [['3,2,1']], other)]);
      const record = await recordOf(gameId);
      expect(record.conflict).toBe(true);
      expect(wordsOf(record)).toEqual(['1,2,3', '3,2,1']);
    }
  });

  it.each([
    ['甲', '乙'],
    ['乙', '甲'],
  ])('raise it when %s comes first and is not committed yet as %s comes', async (first, second) => {
    const gameId = await buildGame(server.db);
    const phases = ['890', '891', '892'];
    const words = (result: string, order: readonly string[]) => order.map((phase): Word => [result, phase]);
    const late = await server.db.transaction().execute(async (tx) => {
      await keepResults(tx, reading(gameId, first, words('1,2,3', phases)));
      // The other order of phases, too: nobody waits for the other one in a circle.
      const started = keep(gameId, second, words('3,2,1', phases.toReversed()), other);
      for (let waiting = 0; waiting === 0; ) {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          server.db,
        );
        waiting = rows[0]?.n ?? 0;
      }
      return { started };
    });
    expect((await late.started).map(({ outcome }) => outcome)).toEqual(Array(3).fill('CONFLICT'));
    for (const phase of phases)
      expect(await recordOf(gameId, phase)).toMatchObject({ source: first, result: '1,2,3', conflict: true });
  });
});

describe('a settled conflict', () => {
  const settle = (id: number, result: string, reason = '核对过官网公告') =>
    admin.call(resolveDrawRecord, { id, result, reason });

  it('is not raised again by any source’s old word, and the replaced result can be chosen back', async () => {
    const gameId = await buildGame(server.db);
    await keep(gameId, '甲', [['1,2,3']]);
    await keep(gameId, '乙', [['3,2,1']]);
    const { id } = await recordOf(gameId);
    expect((await settle(id, '3,2,1')).envelope.success).toBe(true);
    await keep(gameId, '甲', [['1,2,3']]);
    await keep(gameId, '乙', [['3,2,1']]);
    const settled = await recordOf(gameId);
    expect(settled).toMatchObject({ result: '3,2,1', source: '乙', conflict: false });
    expect((await settle(id, '1,2,3')).envelope.success).toBe(true);
    expect(await recordOf(gameId)).toMatchObject({ result: '1,2,3', source: '甲', conflict: false });
    await keep(gameId, '乙', [['3,2,1']]);
    expect((await recordOf(gameId)).conflict).toBe(false);
    // A word that nobody gave before does raise it.
    await keep(gameId, '乙', [['2,2,2']]);
    expect((await recordOf(gameId)).conflict).toBe(true);
  });

  it('is not raised by whoever says what is chosen while it is being chosen', async () => {
    const gameId = await buildGame(server.db);
    await keep(gameId, '甲', [['1,2,3']]);
    await keep(gameId, '乙', [['3,2,1']]);
    const { id } = await recordOf(gameId);
    const said = await server.db.transaction().execute(async (tx) => {
      await correctRecord(tx, {
        ...{ recordId: id, oldResult: '1,2,3', newResult: '3,2,1', source: '乙', reason: '核对过官网公告' },
        ...{ operatorId: 1, userName: 'admin' },
      });
      const saying = keep(gameId, '丙', [['3,2,1']], other);
      while ((await waitForLocks(server.db)) < 1);
      return { saying };
    });
    expect((await said.saying).map(({ outcome }) => outcome)).toEqual(['SAME']);
    expect(await recordOf(gameId)).toMatchObject({ result: '3,2,1', source: '乙', conflict: false });
  });

  it.each([
    ['    ', '至少需要 4 个字符'],
    ['  看  ', '至少需要 4 个字符'],
    ['核对过', '至少需要 4 个字符'],
    ['\u200b\u200b\u200b\u200b\u200b', '至少需要 4 个字符'],
    ['', '不能为空'],
  ])('needs a reason that says something: %j does not', async (reason, msg) => {
    const gameId = await buildGame(server.db);
    await keep(gameId, '甲', [['1,2,3'], ['3,2,1']]);
    const { id } = await recordOf(gameId);
    const { envelope } = await settle(id, '3,2,1', reason);
    expect(envelope).toMatchObject({ success: false, code: 400 });
    expect(JSON.stringify(envelope)).toContain(msg);
    expect(await recordOf(gameId)).toMatchObject({ result: '1,2,3', conflict: true });
    expect((await settle(id, '3,2,1', ' 核对官网\n公告 ')).envelope.success).toBe(true);
    const { rows } = await sql<{
      reason: string;
    }>`select reason from draw_correction where "recordId" = ${id}`.execute(server.db);
    expect(rows).toEqual([{ reason: '核对官网\n公告' }]);
  });
});
