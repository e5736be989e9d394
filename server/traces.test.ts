import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { pageUsers } from '#contract/users.ts';
import { openConnections } from './db/connections.ts';
import { startDatabaseClock } from './db/database-clock.ts';
import { startJobs } from './jobs/start.ts';
import { buildUser } from './testing/build-user.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';
import { beginTrace, sendTraces } from './traces.ts';

/** A span as OTLP spells it in JSON. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const received: Span[] = [];
const requests: { url: string | undefined; type: string | undefined }[] = [];
const collector = createServer(async (request, response) => {
  requests.push({ url: request.url, type: request.headers['content-type'] });
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const { resourceSpans } = JSON.parse(Buffer.concat(pieces).toString()) as {
    resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
  };
  received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
  response.setHeader('content-type', 'application/json').end('{}');
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await server.close();
  collector.close();
});

const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
const of = ({ attributes }: Span, name: string) => attributes.find(({ key }) => key === name)?.value;

async function runPart(): Promise<void> {
  const { config, database } = server;
  const connections = openConnections(database.url, { timeZone: config.timeZone });
  const clock = await startDatabaseClock(connections.health);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const done = Promise.withResolvers<void>();
  const part = {
    ...{ name: 'a-part', what: '试验', everyMs: 60_000 },
    run: async () => {
      await connections.ofPart('a-part', 1).selectFrom('player').select('id').limit(1).execute();
      done.resolve();
    },
  };
  const jobs = startJobs({ connections, config, log, clock }, [part]);
  await done.promise;
  await jobs.stop();
  clock.stop();
  await connections.destroy();
}

it('a call and a turn of background work are sent with their statements, and no value of any', async () => {
  const admin = await server.admin();
  const stop = await sendTraces({ endpoint: endpoint(), ratio: 1 });
  await admin.call(pageUsers, { username: 'nobody-of-this-name', currentPage: 1, pageSize: 10 });
  await runPart();
  await stop();
  expect(requests[0]).toEqual({ url: '/v1/traces', type: 'application/json' });

  for (const [name, attribute, value] of [
    ['pageUsers', 'http.response.status_code', 200],
    ['a-part', 'part', undefined],
  ] as const) {
    const [span, ...others] = received.filter((each) => each.name === name);
    expect(others).toEqual([]);
    expect(span?.parentSpanId ?? '').toBe('');
    if (value !== undefined) expect(span && of(span, attribute)?.intValue).toBe(value);
    const statements = received.filter(({ parentSpanId }) => parentSpanId === span?.spanId);
    expect(statements.map((each) => of(each, 'db.query.text')?.stringValue).join('\n')).toContain('player');
    for (const each of statements) {
      expect(each.traceId).toBe(span?.traceId);
      expect(each.name).toMatch(/^[A-Z]+$/);
      expect(Number(each.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(each.startTimeUnixNano));
    }
  }
  expect(JSON.stringify(received)).not.toContain('nobody-of-this-name');
});

it('a statement that several calls share is in the trace of each', async () => {
  const admin = await server.admin();
  const players = await Promise.all(Array.from({ length: 12 }, () => buildUser(server.db)));
  const before = received.length;
  const stop = await sendTraces({ endpoint: endpoint(), ratio: 1 });
  await Promise.all(players.map(({ accountId: id }) => admin.call(addBalance, { id, balance: '1' })));
  await stop();
  const sent = received.slice(before);
  const calls = sent.filter(({ name }) => name === 'addBalance');
  expect(calls).toHaveLength(players.length);
  const posting = sent.filter((span) =>
    of(span, 'db.query.text')?.stringValue?.includes('from move_by_hand('),
  );
  for (const { traceId, spanId } of calls) {
    const own = posting.filter(({ parentSpanId }) => parentSpanId === spanId);
    expect(own.map((span) => span.traceId)).toEqual([traceId]);
  }
  const { rows } = await sql<{ n: number }>`
    select count(distinct xmin::text)::int as n from account_history
    where "userId" = any(${players.map(({ userId }) => userId)}::bigint[])`.execute(server.db);
  expect(rows[0]?.n).toBeLessThan(players.length);
});

it('with a ratio of 0, after the end, and where nobody takes them calls are answered all the same', async () => {
  const admin = await server.admin();
  const before = received.length;
  const none = await sendTraces({ endpoint: endpoint(), ratio: 0 });
  expect(beginTrace('x', {})).toBeUndefined();
  await none();
  const away = await sendTraces({ endpoint: 'http://127.0.0.1:1', ratio: 1 });
  const { envelope } = await admin.call(pageUsers, { currentPage: 1, pageSize: 10 });
  expect(envelope.success).toBe(true);
  await away();
  expect(beginTrace('x', {})).toBeUndefined();
  expect(received).toHaveLength(before);
});

it('a collector that takes and never answers holds up no stop', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const stop = await sendTraces({ endpoint: `http://127.0.0.1:${port}`, ratio: 1 });
  beginTrace('x', {})?.end({});
  const began = performance.now();
  await stop();
  expect(performance.now() - began).toBeLessThan(5_000);
  silent.closeAllConnections();
  silent.close();
});

it('nothing of the libraries is loaded by who sends none', () => {
  const files = globSync('server/**/*.ts', { cwd: new URL('..', import.meta.url) });
  const loading = files.filter((file) => {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    return /^import (?!type )[^;]*'@opentelemetry/m.test(text);
  });
  expect(loading).toEqual([]);
});
