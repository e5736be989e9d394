import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { writeOffDebt } from '#contract/accounts.ts';
import { releaseApproval } from '#contract/approvals.ts';
import {
  bindOperatorRoles,
  cleanGoogleKey,
  deleteOperator,
  disableOperator,
  resetGoogleKey,
  resetOperatorPassword,
} from '#contract/operators.ts';
import { addSpider } from '#contract/spiders.ts';
import { post } from '#server/features/ledger/ledger-store.ts';
import { approvalSeenBy, fullOperator, startApproving, waiting } from '#server/testing/approving.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';

const { server, admin, second } = await startApproving();
const third = await fullOperator(server);
const gameId = await buildGame(server.db, { status: false });
afterAll(() => server.close());

const CHANGED = '提交之后情况已变化，与预览不符，不能放行，请驳回后重新提交';

type Ask = (by: TestClient) => Promise<Parameters<typeof waiting>[0]>;

/** Somebody who may release, so that nobody alone changes their account; it was edited before this second, which is what tells two resets of a key apart. */
async function releaser() {
  const grants = ['/main/system/approval', 'approval:release:money'];
  const operator = await buildOperator(server.db, { grants });
  await sql`update operator set "editDate" = now() - interval '1 day' where id = ${operator.id}`.execute(
    server.db,
  );
  return operator;
}
async function debtor() {
  const { userId, accountId } = await buildUser(server.db);
  const taken = { userId, changeType: 'WIN_REVERSAL', amount: '70', bizOrderNo: `B1/${userId}` } as const;
  await post(server.db, { ...taken, desc: null, source: 'OWING' });
  return accountId;
}

/** Asks for something to be done to somebody who may release. */
const toReleaser = (ask: (by: TestClient, id: number) => ReturnType<Ask>) => async (): Promise<Ask> => {
  const { id } = await releaser();
  return (by) => ask(by, id);
};

/** All that a call of these could have changed. */
async function everything() {
  const { rows } = await sql<{ all: string }>`
    select concat((select jsonb_agg(o order by id) from (select id, "userName", "passwordHash", disabled, "googleSecret" from operator) o),
      (select jsonb_agg(g order by "operatorId", "roleId") from operator_role g),
      (select jsonb_agg(s order by id) from spider s),
      (select jsonb_agg(d order by "userId", "debtSeq") from account_debt d)) as all`.execute(server.db);
  return rows[0]?.all;
}

it.each<[string, string, () => Promise<Ask>]>([
  [
    'part of one debt given up',
    CHANGED,
    async () => {
      const id = await debtor();
      return (by) => by.call(writeOffDebt, { id, amount: '30', reason: '无法追回' });
    },
  ],
  [
    'an operator disabled',
    '该操作现在不能执行：该操作员已停用',
    toReleaser((by, id) => by.call(disableOperator, { id })),
  ],
  [
    'an operator deleted',
    '该操作现在不能执行：记录不存在',
    toReleaser((by, id) => by.call(deleteOperator, { id })),
  ],
  ['roles taken', CHANGED, toReleaser((by, id) => by.call(bindOperatorRoles, { oid: id, roleIds: [] }))],
  [
    'a password reset',
    CHANGED,
    toReleaser((by, id) => by.call(resetOperatorPassword, { id, password: 'a temporary word' })),
  ],
  ['a key reset', CHANGED, toReleaser((by, id) => by.call(resetGoogleKey, { id }))],
  ['a key cleared', CHANGED, toReleaser((by, id) => by.call(cleanGoogleKey, { id }))],
  [
    'a source added',
    '该操作现在不能执行：采集名称已存在',
    async () => {
      const source = { gameId, name: '甲', spiderServiceName: 'OpenCodeSpider', url: 'http://a.example/' };
      return (by) => by.call(addSpider, source);
    },
  ],
])('%s twice while both wait: once', async (_, msg, prepare) => {
  const ask = await prepare();
  const first = waiting(await ask(admin));
  const twin = waiting(await ask(third.client));
  const release = async (id: number) => (await second.client.call(releaseApproval, { id })).envelope;
  expect((await release(first)).success).toBe(true);
  const then = await everything();
  const answer = await release(twin);
  expect(answer).toMatchObject({ success: false, msg });
  expect(await everything()).toBe(then);
  expect((await approvalSeenBy(second.client, twin)).status).toBe('PENDING');
});

it('two that wait on one debt are released at the same moment by two: once', { retry: 0 }, async () => {
  const fourth = await fullOperator(server);
  for (let round = 0; round < 15; round++) {
    const id = await debtor();
    const ask = async (by: TestClient) =>
      waiting(await by.call(writeOffDebt, { id, amount: '30', reason: '无法追回' }));
    const [one, other] = [await ask(admin), await ask(third.client)];
    const answers = await Promise.all([
      second.client.call(releaseApproval, { id: one }),
      fourth.client.call(releaseApproval, { id: other }),
    ]);
    const said = answers.map(({ envelope }) => envelope.msg);
    expect(said.toSorted()).toEqual(['已放行并执行', CHANGED].toSorted());
    const { debt } = await server.db
      .selectFrom('account')
      .select('debt')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(debt).toBe('40.00');
  }
});
