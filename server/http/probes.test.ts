import { afterAll, beforeAll, expect, it } from 'vitest';
import { onStatement } from '#server/db/driver/statements.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const CALLERS = 100;

// Nobody signs in for these, and a balancer that waits for its answer behind a crowd of them takes the server for a dead one.
it.each([
  ['/readyz', /schema_migration/],
  ['/metrics', /draw_alarm|bets_proof/],
])('%s asks the database for all who ask at the same moment, not for each', async (path, own) => {
  let statements = 0;
  const end = onStatement(({ text }) => {
    if (own.test(text)) statements++;
  });
  const asked = await Promise.all(Array.from({ length: CALLERS }, () => fetch(server.origin + path)));
  end();
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  expect(statements).toBeGreaterThan(0);
  expect(statements).toBeLessThan(CALLERS / 2);
});
