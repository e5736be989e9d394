import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract/all.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Envelope } from '#contract/envelope.ts';
import { addGameNumber } from '#contract/game-numbers.ts';
import { addNewsCategory, updateNewsCategory } from '#contract/news-categories.ts';
import { listRoles } from '#contract/roles.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { documented } from '#server/testing/documented.ts';
import { given } from '#server/testing/given.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
import { sendTable } from '#server/testing/send-table.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('the document at /api/openapi.json is valid OpenAPI 3.1 and holds every call', async () => {
  const { text } = await rawRequest(server.origin, { path: '/api/openapi.json' });
  const document = JSON.parse(text);
  expect(await new Validator().validate(document)).toMatchObject({ valid: true });
  expect(document.openapi).toMatch(/^3\.1/);
  const operations = Object.values<Record<string, unknown>>(document.paths).flatMap((path) =>
    Object.keys(path),
  );
  expect(operations.filter((key) => ['get', 'post'].includes(key))).toHaveLength(
    Object.keys(contract).length,
  );
});

describe('what is answered is what the document says', () => {
  const fits = (endpoint: AnyEndpoint, { status, envelope }: { status: number; envelope: Envelope }) => {
    const { success, error } = documented(endpoint, status).safeParse(envelope);
    expect(success, `${JSON.stringify(envelope)}\n${error && z.prettifyError(error)}`).toBe(true);
  };

  it('where a right is missing', async () => {
    const { username } = await buildOperator(server.db);
    const answer = await (await server.as(username, PASSWORD)).call(listRoles, {});
    expect(answer).toMatchObject({ status: 403, envelope: { data: { call: 'listRoles' } } });
    fits(listRoles, answer);
  });

  it('where a field is wrong, and where a row was changed meanwhile', async () => {
    const admin = await server.admin();
    const wrong = await admin.call(addNewsCategory, { name: '' });
    expect(wrong.envelope.data).toEqual({ errors: { name: expect.any(String) } });
    fits(addNewsCategory, wrong);
    const id = given((await admin.call(addNewsCategory, { name: '公告' })).envelope.data);
    await admin.call(updateNewsCategory, { id, version: 1, name: '通知' });
    const stale = await admin.call(updateNewsCategory, { id, version: 1, name: '消息' });
    expect(stale.envelope.data).toMatchObject({ current: { name: '通知' } });
    fits(updateNewsCategory, stale);
  });

  it('where a table is checked, asked for, refused and kept', async () => {
    const gameId = await buildGame(server.db, { numbers: [] });
    const caller = { origin: server.origin, token: (await server.admin()).token };
    for (const [mode, table, success] of [
      ['check', '号码\n01\n01\n', true],
      ['template', '', true],
      ['keep', '号码\n01\n01\n', false],
      ['keep', '号码\n01\n02\n', true],
    ] as const) {
      const answer = await sendTable(caller, addGameNumber, table, { mode, given: { gameId } });
      expect(answer.envelope.success, mode).toBe(success);
      expect(answer.envelope.data, mode).toBeTypeOf('object');
      fits(addGameNumber, answer);
    }
  });

  it('where a change is recorded that named no row', async () => {
    const admin = await server.admin();
    await rawRequest(server.origin, {
      path: '/api/pms/role/deleteById/',
      headers: { authorization: `Bearer ${admin.token}` },
    });
    const answer = await admin.call(pageChangeRecords, { summary: '删除角色' });
    expect(answer.envelope.data?.data).toMatchObject([{ call: 'deleteRole', targetId: null }]);
    fits(pageChangeRecords, answer);
  });
});

it('the document says which answers can be asked for anew, streamed or had as a file, and of which version it is', async () => {
  const { text } = await rawRequest(server.origin, { path: '/api/openapi.json' });
  const { info, paths } = JSON.parse(text);
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(info.version).toBe(version);
  const { responses, parameters } = paths['/open/v1/games'].get;
  expect(responses[304].headers).toHaveProperty('ETag');
  expect(responses[200].headers).toHaveProperty('ETag');
  expect(parameters).toEqual([{ $ref: '#/components/parameters/IfNoneMatch' }]);
  expect(paths['/api/live/happenings'].get.responses[200].content).toHaveProperty('text/event-stream');
  expect(Object.keys(paths['/api/pms/role/list'].post.responses[200].content)).toContain('text/csv');
});

it('health, readiness and metrics stand outside of /api', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics'])
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await fetch(server.origin + path, { method });
      expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        ...[200, 'no-store', 'nosniff'],
      ]);
      expect(headers.get('content-type')).not.toContain('html');
    }
  expect((await rawRequest(server.origin, { path: '/metrics' })).text).toContain(
    'http_request_duration_seconds_bucket',
  );
});
