import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pageNews } from '#contract/news.ts';
import { addNewsCategory, listNewsCategories } from '#contract/news-categories.ts';
import { requestFor } from '#contract/request.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { demandReader, noteUnread } from './unread-answers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await sql`
    with c as (insert into news_category (name) values ('长') returning id)
    insert into news ("categoryId", title, content) select c.id, '长', repeat('汉', 20000) from c, generate_series(1, 500)`.execute(
    server.db,
  );
});
afterAll(() => server.close());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const BUSY = 'HTTP/1.1 503';

/** Asks for 30 MB of news and reads nothing of them but their beginning, which it gives; again where the machine is too busy to answer. */
async function askUnread(token: string): Promise<string> {
  const { hostname, port } = new URL(server.origin);
  const { url, body, contentType } = requestFor(pageNews, { pageSize: 500 });
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  sockets.push(socket);
  socket.write(
    `POST ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${contentType}\r\n` +
      `Content-Length: ${Buffer.byteLength(String(body))}\r\n\r\n${body}`,
  );
  const [piece] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  const head = piece.toString('latin1').slice(0, BUSY.length);
  return head === BUSY ? askUnread(token) : head;
}

it('a caller who takes none of its long answers is given no more of them until it does', async () => {
  const admin = await server.admin();
  const heads: string[] = [];
  for (let n = 0; n < 6; n++) heads.push(await askUnread(admin.token));
  const OK = 'HTTP/1.1 200';
  expect(heads).toEqual([OK, OK, OK, OK, OK, 'HTTP/1.1 429']);
  // Another session is no other caller. Changes are made all the same, and others are answered.
  const again = await server.as(server.config.adminUsername, server.config.adminPassword ?? '');
  expect((await again.call(listNewsCategories, {})).status).toBe(429);
  expect((await again.call(addNewsCategory, { name: '另一类' })).status).toBe(200);
  const { username, password } = await buildOperator(server.db, { grants: ['/main/news/category'] });
  expect((await (await server.as(username, password)).call(listNewsCategories, {})).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(async () => (await admin.call(listNewsCategories, {})).status).toBe(200);
});

it('an answer whose reader left before it was ready is not counted for ever', async () => {
  const app = Fastify();
  const { promise: counted, resolve } = Promise.withResolvers<() => void>();
  app.get('/', async (_request, reply) => {
    await once(reply.raw, 'close');
    noteUnread(reply, 2 ** 30);
    resolve(() => demandReader(reply));
    return reply.send('');
  });
  const { hostname, port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const socket = connect(Number(port), hostname);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n', () => setTimeout(() => socket.destroy(), 100));
  expect(await counted).not.toThrow();
  await app.close();
});
