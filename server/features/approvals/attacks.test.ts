import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addBalance } from '#contract/accounts.ts';
import { rejectApproval, releaseApproval, withdrawApproval } from '#contract/approvals.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import { beginGoogleKey, confirmGoogleKey, confirmStepUp } from '#contract/google-keys.ts';
import { listOperators } from '#contract/operators.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import { nobody } from '#server/access/signed-in.ts';
import { changeOperator, replaceRoles } from '#server/features/operators/operator-store.ts';
import { approvalSeenBy, fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { type BuiltUser, balanceOf, buildUser } from '#server/testing/build-user.ts';
import { codeOf } from '#server/testing/google-code.ts';
import { inParallel } from '#server/testing/parallel.ts';
import { programEnvironment } from '#server/testing/program.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { decide } from './approval-store.ts';

const setDisabled = (id: number, disabled: boolean) =>
  server.db.transaction().execute((tx) => changeOperator(tx, { id }, () => ({ disabled })));

let server: TestServer;
let other: TestServer;
let maker: Awaited<ReturnType<typeof fullOperator>>;
let checker: Awaited<ReturnType<typeof fullOperator>>;
let player: BuiltUser;
const tried: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  other = await startTestServer({}, server.database);
  maker = await fullOperator(server);
  checker = await fullOperator(server);
  player = await buildUser(server.db);
  await setParam(server.db, 'approval.enabled', 'true');
});
afterAll(async () => {
  console.log(['what was tried, on two servers:', ...tried].join('\n  '));
  await other.close();
  await server.close();
});

let amount = 0;
/** A credit that waits, made by an operator; each of an amount of its own. */
const prepare = async (by: TestClient = maker.client) => {
  amount += 1;
  const { accountId: id } = player;
  return { id: waiting(await by.call(addBalance, { id, balance: String(amount) })), amount };
};
const total = async () => Number((await balanceOf(server.db, player.userId)).totalAmount);
const there = (client: TestClient) => other.withToken(client.token);

/** Nobody gained anything by it: the money stands where it stood, and what was tried is told. */
async function expectNothing(what: string, attempt: () => Promise<string | null | undefined>) {
  const before = await total();
  const said = await attempt();
  expect(await total(), what).toBe(before);
  tried.push(`${what}: ${said ?? ''}`);
  return said;
}
const released = async (by: TestClient, id: number) =>
  (await by.call(releaseApproval, { id, reason: '试' })).envelope.msg;

it('one’s own, in whatever session and on whichever server', async () => {
  const { id } = await prepare();
  const again = await server.as(maker.username, PASSWORD);
  for (const [where, by] of [
    ['in the same session', maker.client],
    ['in another session', again],
    ['on another server', there(maker.client)],
  ] as const)
    await expectNothing(`releasing one’s own ${where}`, () => released(by, id));
  await expectNothing('rejecting one’s own', async () => {
    return (await maker.client.call(rejectApproval, { id, reason: '试' })).envelope.msg;
  });
  await expect(
    sql`update approval set status = 'RELEASED', "checkerId" = "makerId", "decideTime" = now() where id = ${id}`.execute(
      server.db,
    ),
  ).rejects.toThrow(/check/);
  tried.push('releasing one’s own by hand in the database: the table refuses it');
});

it('one’s own by a second account: without the right not; with it, the record shows both came from one place', async () => {
  const { id } = await prepare();
  const screenOnly = await buildOperator(server.db, { grants: ['/main/system/approval'] });
  const spare = await server.as(screenOnly.username, PASSWORD);
  await expectNothing('releasing by an account with the screen alone', async () => {
    const { status, envelope } = await spare.call(releaseApproval, { id });
    expect(status).toBe(403);
    expect(envelope.data).toEqual({ call: 'releaseApproval', needs: ['系统管理 / 待复核 / 复核资金'] });
    return envelope.msg;
  });
  const foreign = await buildOperator(server.db, {
    grants: ['/main/system/approval', 'approval:release:odds'],
  });
  await expectNothing('releasing by an account with the right for another kind', async () =>
    released(await server.as(foreign.username, PASSWORD), id),
  );
  await checker.client.call(releaseApproval, { id });
  const seen = await approvalSeenBy(maker.client, id);
  expect(seen.checkerAddress).toBe(seen.makerAddress);
  tried.push(
    'releasing by a second account with the right: not to be told from another person; both addresses are shown',
  );
});

it('through a changed role: the right taken or given a moment ago counts, on both servers', async () => {
  const { id } = await prepare();
  const turncoat = await fullOperator(server);
  const at = there(turncoat.client);
  await released(at, -1);
  await replaceRoles(server.db, turncoat.id, []);
  // The server has not looked again yet; what counts is read with the release itself.
  await expectNothing('releasing with a right taken a moment ago, unseen by the server', () =>
    released(at, id),
  );
  const later = await fullOperator(server);
  const second = await prepare(later.client);
  await replaceRoles(server.db, later.id, []);
  await bumpEpoch(server.db, 'everyone');
  await expectNothing('releasing for a maker whose right was taken', () =>
    released(checker.client, second.id),
  );
  expect(await approvalSeenBy(checker.client, second.id)).toMatchObject({
    ...{ status: 'PENDING', releasable: true, barred: '提交人已停用或没有此操作的权限，不能放行' },
  });
});

it('after one’s disabling: neither makers nor checkers count any more', async () => {
  const gone = await fullOperator(server);
  const { id } = await prepare(gone.client);
  const mine = await prepare();
  await setDisabled(gone.id, true);
  await expectNothing('releasing for a disabled maker', () => released(checker.client, id));
  await expectNothing('releasing after one’s own disabling', () => released(there(gone.client), mine.id));
});

it('with a stale preview, after its expiry by the database’s clock, or once it was decided', async () => {
  const { id } = await prepare();
  await setParam(server.db, 'approval.moneyAbove', '1000000');
  await maker.client.call(addBalance, { id: player.accountId, balance: '1' });
  await setParam(server.db, 'approval.moneyAbove', '0');
  await expectNothing('releasing what no longer is what was shown', () => released(checker.client, id));
  const late = await prepare();
  await sql`update approval set "expireTime" = clock_timestamp() - interval '1 millisecond' where id = ${late.id}`.execute(
    server.db,
  );
  await expectNothing('releasing after its expiry', () => released(checker.client, late.id));
  expect((await approvalSeenBy(checker.client, late.id)).status).toBe('EXPIRED');
  // What was typed was forgotten while the clock was ahead, and the clock was set back since.
  const forgotten = await prepare();
  await sql`update approval set sealed = null where id = ${forgotten.id}`.execute(server.db);
  await expectNothing('releasing what is forgotten', () => released(checker.client, forgotten.id));
  expect((await approvalSeenBy(checker.client, forgotten.id)).status).toBe('EXPIRED');
  const taken = await prepare();
  await maker.client.call(withdrawApproval, { id: taken.id });
  await expectNothing('releasing what was withdrawn', () => released(checker.client, taken.id));
  await expectNothing('withdrawing somebody else’s', async () => {
    return (await checker.client.call(withdrawApproval, { id })).envelope.msg;
  });
  await expectNothing('asking again under the same key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => maker.client.call(addBalance, { id: player.accountId, balance: '77' }, { headers });
    const [first, repeat] = [waiting(await ask()), waiting(await ask())];
    expect(repeat).toBe(first);
    return '同一编号';
  });
});

it('64 releases at once from two servers, and withdrawals that race them: one effect each', {
  retry: 0,
}, async () => {
  const before = await total();
  const { id, amount: credited } = await prepare();
  const all = Array.from({ length: 64 }, (_, n) => () => {
    const by = n % 2 === 0 ? checker.client : there(checker.client);
    return by.call(releaseApproval, { id });
  });
  const answers = await inParallel(all, 64);
  expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1);
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await total()).toBe(before + credited);
  tried.push('64 releases at once on two servers: one effect');
  let effects = 0;
  for (let round = 0; round < 15; round++) {
    const held = await total();
    const next = await prepare();
    const [out, back] = await Promise.all([
      there(checker.client).call(releaseApproval, { id: next.id }),
      maker.client.call(withdrawApproval, { id: next.id }),
    ]);
    expect([out.envelope.success, back.envelope.success].filter(Boolean)).toHaveLength(1);
    expect(await total()).toBe(held + (out.envelope.success ? next.amount : 0));
    effects += out.envelope.success ? 1 : 0;
  }
  tried.push(`withdrawing while it is released, 15 times: released ${effects}, withdrawn ${15 - effects}`);
});

it.each([
  ['releases it too', (id: number) => [releaseApproval, { id }] as const],
  ['rejects it', (id: number) => [rejectApproval, { id, reason: '不符' }] as const],
])(
  'one releases while another checker, on another server, %s: one of them decides',
  { retry: 0 },
  async (what, act) => {
    const another = await fullOperator(server);
    let released = 0;
    for (let round = 0; round < 20; round++) {
      const held = await total();
      const { id, amount } = await prepare();
      const [call, input] = act(id);
      const [out, beside] = await Promise.all([
        checker.client.call(releaseApproval, { id }),
        there(another.client).call<typeof releaseApproval | typeof rejectApproval>(call, input),
      ]);
      const [first, second] = [out.envelope.success, beside.envelope.success];
      expect([first, second].filter(Boolean)).toHaveLength(1);
      const isReleased = first || what === 'releases it too';
      expect(await total()).toBe(held + (isReleased ? amount : 0));
      expect(await approvalSeenBy(maker.client, id)).toMatchObject({
        status: isReleased ? 'RELEASED' : 'REJECTED',
        checker: first ? checker.username : another.username,
      });
      released += first ? 1 : 0;
    }
    tried.push(`another checker ${what} at once, 20 times: the first came first ${released} times`);
  },
);

it('its maker withdraws while a checker, on another server, rejects it: one of them decides', {
  retry: 0,
}, async () => {
  const held = await total();
  let withdrawn = 0;
  for (let round = 0; round < 15; round++) {
    const { id } = await prepare();
    const [back, out] = await Promise.all([
      maker.client.call(withdrawApproval, { id }),
      there(checker.client).call(rejectApproval, { id, reason: '不符' }),
    ]);
    expect([back.envelope.success, out.envelope.success].filter(Boolean)).toHaveLength(1);
    expect(await approvalSeenBy(maker.client, id)).toMatchObject(
      back.envelope.success
        ? { status: 'WITHDRAWN', checker: maker.username }
        : { status: 'REJECTED', checker: checker.username },
    );
    withdrawn += back.envelope.success ? 1 : 0;
  }
  expect(await total()).toBe(held);
  tried.push(`withdrawing while it is rejected, 15 times: withdrawn ${withdrawn}`);
});

it('withdrawing while it is released waits for that, and comes too late', { retry: 0 }, async () => {
  const { id } = await prepare();
  const withdrawn = await server.db.transaction().execute(async (tx) => {
    const { client, ...operator } = checker;
    await decide(tx, {
      id,
      status: 'RELEASED',
      operator: { ...nobody, id: operator.id, userName: operator.username },
      address: 'a',
      reason: 'x',
    });
    const answer = maker.client.call(withdrawApproval, { id });
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
              server.db,
            )
          ).rows.length,
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    return { answer };
  });
  expect((await withdrawn.answer).envelope.msg).toBe('该复核已放行，不能再处理');
  expect(await approvalSeenBy(maker.client, id)).toMatchObject({ status: 'RELEASED' });
});

it('with a code given before: each counts once, whoever asks and for what', async () => {
  const keyed = await fullOperator(server);
  const begun = await keyed.client.call(beginGoogleKey, { password: PASSWORD });
  const secret = begun.envelope.data?.secret ?? '';
  const code = (step: number) => codeOf(secret, step);
  const used = code(0);
  await keyed.client.call(confirmGoogleKey, { googleCode: used });
  const forget = () =>
    sql`update session set "stepUpTime" = null where "operatorId" = ${keyed.id}`.execute(server.db);
  await forget();
  const { id } = await prepare();
  await expectNothing('releasing without a fresh code', () => released(keyed.client, id));
  await expectNothing('releasing with a replayed code', async () => {
    expect((await there(keyed.client).call(confirmStepUp, { googleCode: used })).envelope.success).toBe(
      false,
    );
    return released(keyed.client, id);
  });
  const { data: params } = (await keyed.client.call(listParamSettings, {})).envelope;
  const off = params?.find(({ key }) => key === 'approval.enabled');
  await expectNothing('turning approvals off without a fresh code', async () => {
    if (!off) throw new Error('no parameter');
    return (await keyed.client.call(updateParamSetting, { ...off, value: 'false' })).envelope.msg;
  });
  await keyed.client.call(confirmStepUp, { googleCode: code(1) });
  expect((await keyed.client.call(releaseApproval, { id })).envelope.success).toBe(true);
});

it('with fewer than two who could release nothing is executed, whatever is tried', async () => {
  const { id } = await prepare();
  const all = (await maker.client.call(listOperators, {})).envelope.data ?? [];
  const others = all.filter((each) => each.id !== checker.id);
  for (const each of others) if (each.id !== maker.id) await setDisabled(each.id, true);
  await expectNothing('taking a releaser’s right where two are left', async () => {
    return (await maker.client.call(addBalance, { id: player.accountId, balance: '5' })).envelope.msg;
  });
  const makerOnly = await buildOperator(server.db, { grants: ['/main/user/account'] });
  const alone = await server.as(makerOnly.username, PASSWORD);
  // Prepared while two were left, by somebody who may release nothing.
  const theirs = waiting(await alone.call(addBalance, { id: player.accountId, balance: '5' }));
  const prepared = async () =>
    (await alone.call(addBalance, { id: player.accountId, balance: '5' })).envelope.msg;
  const tooFew = expect.stringContaining('能复核此类操作的操作员不足两名');
  await setParam(server.db, 'security.secondFactorRequired', 'true');
  const keyless = 'preparing where two are left who could not sign in, for lack of a key';
  expect(await expectNothing(keyless, prepared)).toEqual(tooFew);
  await setParam(server.db, 'security.secondFactorRequired', 'false');
  await setDisabled(maker.id, true);
  await bumpEpoch(server.db, 'everyone');
  expect(await expectNothing('preparing where one is left', prepared)).toEqual(tooFew);
  const releasing = () => released(checker.client, theirs);
  expect(await expectNothing('releasing where one is left', releasing)).toEqual(tooFew);
  expect(await approvalSeenBy(checker.client, theirs)).toMatchObject({ status: 'PENDING' });
  await setDisabled(maker.id, false);
  await bumpEpoch(server.db, 'everyone');
  const back = await server.as(maker.username, PASSWORD);
  expect((await back.call(withdrawApproval, { id })).envelope.success).toBe(true);
});

it('the command on the server lets calls take effect by one again, and says so in the change record', async () => {
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, ['scripts/approvals.ts', ...words], {
      env: { ...programEnvironment, PATH: process.env.PATH, DATABASE_URL: server.database.url },
    });
  const maker = await fullOperator(server);
  await expect(run('on')).rejects.toMatchObject({ code: 1 });
  waiting(await maker.client.call(addBalance, { id: player.accountId, balance: '9' }));
  expect((await run('off')).stdout).toContain('复核已关闭');
  expect((await run('off')).stdout).toContain('本来就没有开启');
  expect((await maker.client.call(addBalance, { id: player.accountId, balance: '9' })).envelope.data).toBe(
    true,
  );
  const { data } = (await maker.client.call(pageChangeRecords, { userName: '服务器命令' })).envelope;
  expect(data?.data).toMatchObject([
    { summary: '编辑系统参数', outcome: 'SUCCESS', before: { value: 'true' }, after: { value: 'false' } },
  ]);
  // Whoever turns them on again while too few could release is told what that means.
  const all = (await maker.client.call(listOperators, {})).envelope.data ?? [];
  for (const { id } of all) if (id !== maker.id) await setDisabled(id, true);
  const params = (await maker.client.call(listParamSettings, {})).envelope.data ?? [];
  const param = params.find(({ key }) => key === 'approval.enabled');
  if (!param) throw new Error('no parameter');
  const on = await maker.client.call(updateParamSetting, { ...param, value: 'true' });
  expect(on.envelope.msg).toMatch(/^修改成功；复核资金、.*的操作员不足两名，这些操作将不会执行$/);
});
