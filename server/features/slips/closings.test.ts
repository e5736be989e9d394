import { afterAll, beforeAll, expect, it } from 'vitest';
import { proveClosings } from '#server/testing/closings.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

const KEY = 'platform-key-of-the-tests-of-closings';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ platformApiKey: KEY });
});
afterAll(() => server.close());

it('slips that are held before COMMIT across closing and draw are settled or refused, never left behind', async () => {
  const { slips, held } = await proveClosings(server.db, server.withToken(KEY), {
    ...{ games: 10, closings: 1, clients: 64 },
  });
  console.log(`${slips} slips across 10 closings, ${held} of them held`);
  expect(slips).toBeGreaterThan(20);
  expect(held).toBeGreaterThan(0);
}, 60_000);
