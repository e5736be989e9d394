import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exportFormats, PROGRESS_HEADER } from '#contract/export-formats.ts';
import { pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { requestFor } from '#contract/request.ts';
import { given } from '#server/given.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let categoryId: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  categoryId = given((await admin.call(addNewsCategory, { name: '长' })).envelope.data);
  await sql`insert into news ("categoryId", title, content)
    select ${categoryId}::bigint, 'n' || i, repeat(md5(i::text), 250) from generate_series(1, 1200) i`.execute(
    server.db,
  );
});
afterAll(() => server.close());

/** Asks for all news as a file; until somebody reads it, nothing of it is taken. */
function exported({ token }: Pick<TestClient, 'token'>): {
  asked: ClientRequest;
  head: Promise<IncomingMessage>;
} {
  const { method, url, contentType, body } = requestFor(pageNews, { categoryId });
  const asked = request(server.origin + url, {
    method,
    agent: false,
    headers: {
      accept: exportFormats.csv,
      authorization: `Bearer ${token}`,
      // In frames nothing is packed, so that the file outgrows every buffer on the way.
      [PROGRESS_HEADER]: '1',
      ...(contentType ? { 'content-type': contentType } : {}),
    },
  });
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
  });
  open.push(asked);
  asked.end(body);
  return { asked, head };
}

const open: ClientRequest[] = [];
afterEach(() => {
  for (const asked of open.splice(0)) asked.destroy();
});

it('an operator who takes all places but one leaves that to others', async () => {
  const held = [exported(admin), exported(admin)];
  for (const { head } of held) expect((await head).statusCode).toBe(200);
  const own = exported(admin);
  expect(await Promise.race([own.head, sleep(500, 'waits')])).toBe('waits');
  const { username } = await buildOperator(server.db, { grants: ['/main/news/news'] });
  const other = exported(await server.as(username, PASSWORD));
  expect((await other.head).statusCode).toBe(200);
  for (const { asked } of held) asked.destroy();
  expect((await own.head).statusCode).toBe(200);
});
