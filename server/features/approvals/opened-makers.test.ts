import { afterAll, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { pageApprovals } from '#contract/approvals.ts';
import { resetOperatorPassword } from '#contract/operators.ts';
import { changePassword } from '#contract/security.ts';
import { approvalSeenBy, startApproving, waiting } from '#server/testing/approving.ts';
import { allGrants, buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';

const { server, admin, second, release } = await startApproving();
afterAll(() => server.close());

/** Somebody who may do everything but release. */
async function preparer() {
  const grants = (await allGrants(server.db)).filter((path) => !path.startsWith('approval:release:'));
  return buildOperator(server.db, { grants });
}

const ONE_OF_THEIR_OWN = 'a word of their own';
/** Makes an account one's own with the password it has. */
async function takeOver(username: string, password: string): Promise<TestClient> {
  const client = await server.as(username, password);
  const changing = { oldPassword: password, newPassword: ONE_OF_THEIR_OWN, newConfirm: ONE_OF_THEIR_OWN };
  expect((await client.call(changePassword, changing)).envelope.success).toBe(true);
  return client;
}

async function prepare(client: TestClient): Promise<number> {
  const { accountId } = await buildUser(server.db);
  return waiting(await client.call(addBalance, { id: accountId, balance: '5' }));
}

const password = 'a word that two know';
const seconds = '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}';

it('whoever opened an account and releases what was prepared with it is marked for it, for all to see', async () => {
  const { id, username } = await preparer();
  expect((await second.client.call(resetOperatorPassword, { id, password })).envelope.data).toBe(true);
  const approval = await prepare(await takeOver(username, password));
  const makerReset = expect.stringMatching(
    new RegExp(`^重置操作员密码“${username}”：由“${second.username}”于 ${seconds}$`),
  );
  expect(await approvalSeenBy(admin, approval)).toMatchObject({ makerReset, resetByChecker: false });
  expect((await release(approval)).success).toBe(true);
  const { data } = given((await admin.call(pageApprovals, { maker: username })).envelope.data);
  expect(data).toMatchObject([
    { checker: second.username, status: 'RELEASED', makerReset, resetByChecker: true },
  ]);
});

it('whoever releases what somebody prepared whose account another had opened reads of it, and is not marked', async () => {
  const { id, username } = await preparer();
  expect((await admin.call(resetOperatorPassword, { id, password })).envelope.data).toBe(true);
  const approval = await prepare(await takeOver(username, password));
  expect((await release(approval)).success).toBe(true);
  expect(await approvalSeenBy(admin, approval)).toMatchObject({
    makerReset: expect.stringContaining('由“admin”于'),
    resetByChecker: false,
  });
});

it('nothing is told of a password that its owner changed, nor of a reset after it was prepared', async () => {
  const { id, username } = await preparer();
  const approval = await prepare(await takeOver(username, PASSWORD));
  expect((await second.client.call(resetOperatorPassword, { id, password })).envelope.data).toBe(true);
  expect(await approvalSeenBy(admin, approval)).toMatchObject({ makerReset: null, resetByChecker: false });
});
