import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

/** The console gives a call up after so long. */
const GIVEN_UP_MS = 15_000;
const ROWS = 9_999;

let server: TestServer;
let userId: number;
beforeAll(async () => {
  server = await startTestServer();
  ({ userId } = await buildUser(server.db));
  // One more than a page, so that the page has to end.
  await sql`
    select count(*) from (
      select array_agg(${userId}::bigint) as users, array_agg('WIN'::text) as types, array_agg(n * 0.0001 order by n) as amounts,
        array_agg('L' || n order by n) as orders, array_agg(null::text) as descs
      from generate_series(1, ${ROWS + 1}::integer) as n
    ) as said, post_entries(users, types, amounts, orders, descs)`.execute(server.db);
});
afterAll(() => server.close());

it('a page of 9,999 rows is answered whole and exact before the console gives up', async () => {
  const admin = await server.admin();
  const began = performance.now();
  const { envelope } = await admin.call(pageAccountHistory, { pageSize: ROWS });
  const took = performance.now() - began;
  console.log(`a page of ${ROWS} rows: ${Math.round(took)} ms`);
  expect(took).toBeLessThan(GIVEN_UP_MS);
  const { totalCount, data = [] } = envelope.data ?? {};
  expect(totalCount).toBe(ROWS + 1);
  // In units of 0.0001, exactly: the nth amount is n, and the balance after it the sum of 1 to n.
  const money = (units: number) => {
    const [, whole, places = ''] = /^(\d+)(\d{4})$/.exec(String(units).padStart(5, '0')) ?? [];
    return `${whole}.${places.replace(/0{1,2}$/, '')}`;
  };
  const expected = Array.from({ length: ROWS }, (_, place) => {
    const n = ROWS + 1 - place;
    return [userId, `L${n}`, money(n), money((n * (n - 1)) / 2), money((n * (n + 1)) / 2)];
  });
  expect(
    data.map((row) => [
      ...[row.account.userId, row.bizOrderNo],
      ...[row.amount, row.originAmount, row.newAmount],
    ]),
  ).toEqual(expected);
});
