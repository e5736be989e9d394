import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import { rawRequest } from '#server/testing/raw-request.ts';
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
