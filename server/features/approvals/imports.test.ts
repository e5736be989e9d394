import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { beginGoogleKey, confirmGoogleKey } from '#contract/google-keys.ts';
import { addRebateRate, pageRebateRates } from '#contract/rebates.ts';
import { nobody } from '#server/access/signed-in.ts';
import { fullOperator } from '#server/testing/approving.ts';
import { buildBetting } from '#server/testing/build-betting.ts';
import { PASSWORD } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { sendTable } from '#server/testing/send-table.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { approvalRules } from './rules.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('a table of rates asks for a fresh code when one of them is above what the house keeps', async () => {
  // Of each 100 staked on 大 or 小 99 come back: the house keeps 0.01.
  const { gameId } = await buildBetting(server.db);
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from game_category where id = (select "categoryId" from game where id = ${gameId})`.execute(
    server.db,
  );
  const category = given(rows[0]);
  const { client } = await fullOperator(server);
  const begun = await client.call(beginGoogleKey, { password: PASSWORD });
  const { secret } = given(begun.envelope.data);
  await client.call(confirmGoogleKey, { googleCode: codeOf(secret) });
  const codeGiven = (ago: string) =>
    sql`update session set "stepUpTime" = clock_timestamp() - ${ago}::interval where "stepUpTime" is not null`.execute(
      server.db,
    );
  await codeGiven('1 hour');
  const send = async (...rates: string[]) => {
    const lines = rates.map((rate, level) => `${level + 1},${category.name},${rate},2030-01-01\r\n`);
    const body = `等级,游戏分类,返水比例,生效日\r\n${lines.join('')}`;
    const caller = { origin: server.origin, token: client.token };
    return (await sendTable(caller, addRebateRate, body, { mode: 'keep' })).envelope;
  };
  const kept = async () =>
    (await client.call(pageRebateRates, { categoryId: category.id })).envelope.data?.totalCount;
  expect(await send('0.01', '0.0101')).toMatchObject({ success: false, code: 428 });
  expect(await kept()).toBe(0);
  expect(await send('0.01', '0.002')).toMatchObject({ success: true, msg: '已导入 2 行' });
  await sql`delete from rebate_rate`.execute(server.db);
  await codeGiven('0 seconds');
  expect(await send('0.01', '0.0101')).toMatchObject({ success: true, msg: '已导入 2 行' });
});

it('no call that takes tables is judged by its input, which of a table is what all rows have in common', async () => {
  const importing = Object.values<AnyEndpoint>(contract).filter(({ imports }) => imports);
  for (const { approval, stepUp, path } of importing) {
    expect(stepUp, path).not.toBeTypeOf('object');
    if (!approval) continue;
    const told = await approvalRules[approval.when](server.db, undefined as never, nobody);
    expect(told, path).toBeTypeOf('function');
  }
});
