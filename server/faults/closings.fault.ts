import { afterAll, beforeAll, expect, it } from 'vitest';
import { proveClosings } from '#server/testing/closings.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('64 clients across 200 closings of five-second games leave no slip behind, and all sums agree', async () => {
  const { slips, held } = await proveClosings(server.db, server.site(), {
    ...{ games: 20, closings: 10, clients: 64 },
  });
  console.log(`${slips} slips across 200 closings, ${held} of them held before COMMIT`);
  expect(slips).toBeGreaterThan(1_000);
  expect(held).toBeGreaterThan(20);
}, 600_000);
