import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getBet, placeBet } from '#contract/platform-bets.ts';
import { pageSlips } from '#contract/slips.ts';
import { type Betting, buildBetting, slipOn } from '#server/testing/build-betting.ts';
import { recordResult } from '#server/testing/build-slips.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { findResultHandler, formerHandlers } from '../result-handlers/registry.ts';
import { settleDue } from '../settlements/settle.ts';

let server: TestServer;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  // Phases are drawn here while they still take bets.
  await sql`alter table draw_record disable trigger draw_record_checked`.execute(server.database.owner);
  site = server.site();
});
afterAll(() => server.close());

const place = async (betting: Betting, at = site) =>
  given((await at.call(placeBet, slipOn(betting))).envelope.data).slipId;
const slipOf = async (slipId: number) => given((await site.call(getBet, { slipId })).envelope.data);
const judgedBy = async (slipId: number) => {
  const { data } = given((await (await server.admin()).call(pageSlips, { id: slipId })).envelope.data);
  return data[0]?.lines.map(({ handlerTitle, handlerVersion }) => `${handlerTitle} ${handlerVersion}`);
};
const versionOf = async (slipId: number) => {
  const { rows } = await sql<{ version: number }>`
    select (r.rules ->> 'version')::int as version from slip_line l join slip_rules r on r.id = l."rulesId"
    where l."slipId" = ${slipId}`.execute(server.db);
  return rows[0]?.version;
};

async function draw({ gameId, phase }: Betting, result: string): Promise<void> {
  await recordResult(server.db, { gameId, phase }, result);
  await settleDue(server.db);
}

it('a handler that says something else from a version on leaves slips to the version they were placed at', async () => {
  const handler = given(findResultHandler('SumBigSmallHandler'));
  const [kept, held] = [await buildBetting(server.db), await buildBetting(server.db)];
  const former = { ...handler };
  const before = await place(kept);
  const orphan = await place(held);
  expect(await versionOf(before)).toBe(1);
  // The next version calls everything small; no slip that was placed before is judged by it.
  Object.assign(handler, { version: 2, prepare: () => () => ({ winners: ['小'], pushes: [] }) });
  try {
    // As after an upgrade: a server that starts anew.
    const upgraded = await startTestServer({}, server.database);
    const after = await place(kept, upgraded.site()).finally(() => upgraded.close());
    expect(await versionOf(after)).toBe(2);
    expect(await versionOf(before)).toBe(1);
    // Named as the catalogue names it, also where that version is gone.
    expect([await judgedBy(before), await judgedBy(after)]).toEqual([['和值大小 1'], ['和值大小 2']]);

    await draw(held, '9,9,9,9,9');
    expect((await slipOf(orphan)).status).toBe('HELD');
    const { rows } = await sql`select problem from slip_hold where "slipId" = ${orphan}`.execute(server.db);
    expect(JSON.stringify(rows)).toContain('第 1 版已不存在');

    Object.assign(formerHandlers, [former]);
    await draw(kept, '9,9,9,9,9');
    expect(await slipOf(before)).toMatchObject({ status: 'WON', payout: '19.80' });
    expect(await slipOf(after)).toMatchObject({ status: 'LOST', payout: '0.00' });
  } finally {
    Object.assign(handler, former);
    Object.assign(formerHandlers, { length: 0 });
  }
});
