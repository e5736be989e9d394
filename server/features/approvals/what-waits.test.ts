import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getApprovalState, listApprovalNames, pageApprovals, withdrawApproval } from '#contract/approvals.ts';
import { listBetLatitudesByPlayWayCategory, updateBetLatitude } from '#contract/bet-latitudes.ts';
import { addGamePreset } from '#contract/games.ts';
import { listMenus, updateMenu } from '#contract/menus.ts';
import { addOdds, deleteOdds } from '#contract/odds.ts';
import {
  addOperator,
  bindOperatorRoles,
  cleanGoogleKey,
  deleteOperator,
  disableOperator,
  enableOperator,
  listOperators,
  resetGoogleKey,
  resetOperatorPassword,
} from '#contract/operators.ts';
import { getOverview } from '#contract/overview.ts';
import { listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { pagePlayWays, updatePlayWay } from '#contract/play-ways.ts';
import { addRole, bindRoleMenus } from '#contract/roles.ts';
import { login } from '#contract/sign-in.ts';
import { markWithdrawal, pageWithdrawals } from '#contract/withdrawals.ts';
import { post } from '#server/features/ledger/ledger-store.ts';
import { insertWithdrawal } from '#server/features/withdrawals/withdrawal-store.ts';
import { setParam, startApproving, waiting } from '#server/testing/approving.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { flatMenus } from '#server/testing/flat-menus.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';

const { server, admin, second, release, whyOf } = await startApproving();
afterAll(() => server.close());

const menuNamed = async (path: string) => {
  const menu = flatMenus((await admin.call(listMenus, {})).envelope.data ?? []).find(
    (each) => each.path === path,
  );
  if (!menu) throw new Error(`no menu ${path}`);
  return menu;
};

async function placed(amount: string) {
  const { userId } = await buildUser(server.db, { balance: '100000' });
  const id = await server.db.transaction().execute(async (tx) => {
    const bankOrderNo = `w-${userId}`;
    const order = await insertWithdrawal(tx, {
      userId,
      amount,
      bankOrderNo,
      receiveAccount: { accountNo: '1' },
    });
    await post(tx, { userId, changeType: 'FREEZE', amount, bizOrderNo: bankOrderNo, desc: null });
    return order ?? 0;
  });
  return { id, userId };
}

it('a payout above the parameter waits; one below it, and a rejection, do not', async () => {
  await setParam(server.db, 'approval.withdrawalAbove', '500');
  const [small, large, rejected] = [await placed('500'), await placed('500.01'), await placed('9000')];
  expect((await admin.call(markWithdrawal, { id: small.id, action: 'PAID' })).envelope.data).toBe(true);
  const reject = { id: rejected.id, action: 'REJECT', remark: '资料不符' } as const;
  expect((await admin.call(markWithdrawal, reject)).envelope.data).toBe(true);
  const id = waiting(await admin.call(markWithdrawal, { id: large.id, action: 'PAID', fromName: '出纳' }));
  expect(await whyOf(id)).toBe('提现打款超过 500.00');
  expect(await balanceOf(server.db, large.userId)).toMatchObject({ totalAmount: '100000.00' });
  expect((await release(id)).data).toBe(true);
  expect(await balanceOf(server.db, large.userId)).toMatchObject({
    totalAmount: '99499.99',
    freezeAmount: '0.00',
  });
});

it('a payout that waits is decided by nobody until it is released, rejected or withdrawn', async () => {
  await setParam(server.db, 'approval.withdrawalAbove', '500');
  const { id, userId } = await placed('600');
  const mark = async (client: TestClient, action: 'PAID' | 'REJECT') =>
    client.call(markWithdrawal, { id, action, ...(action === 'REJECT' ? { remark: '资料不符' } : {}) });
  const isSubmitted = async () =>
    (await second.client.call(pageWithdrawals, { id })).envelope.data?.data.map((row) => row.submitted);
  expect(await isSubmitted()).toEqual([false]);
  const paid = waiting(await mark(admin, 'PAID'));
  expect(await isSubmitted()).toEqual([true]);
  for (const client of [admin, second.client])
    for (const action of ['PAID', 'REJECT'] as const)
      expect((await mark(client, action)).envelope.msg).toBe(
        '该订单已提交打款，正待复核；驳回或撤回之后才能另作处理',
      );
  expect((await admin.call(withdrawApproval, { id: paid })).envelope.data).toBe(true);
  expect(await isSubmitted()).toEqual([false]);
  const again = waiting(await mark(admin, 'PAID'));
  // What two of them handed in at once stands in the way of neither.
  await sql`
    insert into approval (call, summary, release, why, input, digest, "targetId", "makerId", maker, "makerSession", "makerAddress",
      "makerAgent", "expireTime")
    select call, summary, release, why, input, digest, "targetId", "makerId", maker, "makerSession", "makerAddress", "makerAgent",
      "expireTime" from approval where id = ${again}`.execute(server.db);
  expect((await release(again)).data).toBe(true);
  expect(await balanceOf(server.db, userId)).toMatchObject({ totalAmount: '99400.00', freezeAmount: '0.00' });
  expect((await mark(second.client, 'REJECT')).envelope.msg).toBe('该订单已处理');
});

describe('odds by which players win on average', () => {
  let gameId = 0;
  const playWays = async () =>
    (await admin.call(pagePlayWays, { gameId, currentPage: 1, pageSize: 500 })).envelope.data?.data ?? [];
  beforeAll(async () => {
    // What a preset brings returns less than 1 throughout, and waits for nobody.
    gameId = (await admin.call(addGamePreset, { key: 'jsk3', name: '复核快三' })).envelope.data ?? 0;
    expect(gameId).toBeTypeOf('number');
  });

  it('wait when they are added, and others are taken at once', async () => {
    const playWay = (await playWays()).find(({ odds, selection }) => !selection && odds.length > 1);
    const [row] = playWay?.odds ?? [];
    if (!playWay || !row) throw new Error('no play way with odds');
    await admin.call(deleteOdds, { id: row.id });
    const add = (odds: string) =>
      admin.call(addOdds, { playWayId: playWay.id, numberIds: [row.numberId], odds });
    const high = new Decimal(row.odds)
      .div(row.returnRate ?? 1)
      .mul(1.2)
      .toFixed(2);
    const id = waiting(await add(high));
    expect(await whyOf(id)).toMatch(
      new RegExp(`玩法“${playWay.name}”的“${row.number}”返还率 1\\.[0-9]+，高于 1`),
    );
    const names = (await second.client.call(listApprovalNames, { id })).envelope.data ?? [];
    expect(names).toContainEqual(expect.objectContaining({ noun: 'playWay', name: playWay.name }));
    expect((await release(id)).data).toBe(true);
    const now = (await playWays()).find((each) => each.id === playWay.id);
    expect(now?.odds.find((each) => each.number === row.number)?.odds).toBe(high);
    await admin.call(deleteOdds, { id: now?.odds.find((each) => each.number === row.number)?.id ?? 0 });
    expect((await add(row.odds)).envelope.data).toBe(true);
  });

  it('wait when they come with an edit of a play way, or with another rule of what wins', async () => {
    const outcome = (await playWays()).find(({ outcomes }) => outcomes.length > 0);
    if (!outcome) throw new Error('no play way with outcomes');
    const { id: playWayId, version, name, betLatitudeId, outcomes } = outcome;
    const edit = { id: playWayId, version, name, betLatitudeId };
    const raised = outcomes.map((each) => ({
      name: each.name,
      odds: new Decimal(each.odds).mul(9).toFixed(2),
    }));
    expect(await whyOf(waiting(await admin.call(updatePlayWay, { ...edit, outcomes: raised })))).toMatch(
      /高于 1$/,
    );
    expect((await admin.call(updatePlayWay, { ...edit, showRate: '9' })).envelope.data).toBe(playWayId);

    const sums = (await playWays()).find((each) => each.name === '和值大小');
    const { data: latitudes } = (
      await admin.call(listBetLatitudesByPlayWayCategory, { id: sums?.subCategoryId ?? 0 })
    ).envelope;
    const latitude = latitudes?.find(({ id }) => id === sums?.betLatitudeId);
    if (!latitude) throw new Error('no latitude');
    const wider = { ...latitude, handlerOptions: '{"from":9,"tripleLoses":false}' };
    expect(await whyOf(waiting(await admin.call(updateBetLatitude, wider)))).toMatch(
      /^玩法“和值大小”的“大”返还率 1\.[0-9]+，高于 1$/,
    );
    expect((await admin.call(updateBetLatitude, { ...latitude, name: '和值大小二' })).envelope.data).toBe(
      latitude.id,
    );
  });
});

describe('operators', () => {
  const named = async (userName: string) =>
    (await admin.call(listOperators, { userName })).envelope.data?.find((each) => each.userName === userName);

  it('are added at once, and get their rights when somebody else agrees', async () => {
    const userName = 'newcomer';
    const oid = (await admin.call(addOperator, { userName, password: PASSWORD })).envelope.data ?? 0;
    expect(oid).toBeTypeOf('number');
    const role = (await admin.call(addRole, { desc: '客服', name: 'support' })).envelope.data ?? 0;
    const screen = await menuNamed('/main/user/user');
    expect((await admin.call(bindRoleMenus, { rid: role, menuIds: [screen.id] })).envelope.data).toBe(true);
    const id = waiting(await admin.call(bindOperatorRoles, { oid, roleIds: [role] }));
    expect(await whyOf(id)).toBe('“newcomer”将有更多权限');
    expect((await named(userName))?.hasRoles).toEqual([]);
    expect((await release(id)).data).toBe(true);
    expect((await named(userName))?.hasRoles).toHaveLength(1);
    const more = [screen.id, (await menuNamed('/main/user/account')).id];
    expect(await whyOf(waiting(await admin.call(bindRoleMenus, { rid: role, menuIds: more })))).toBe(
      '“newcomer”将有更多权限',
    );
    const wider = { ...screen, urlExpression: `${screen.urlExpression},/user/account/**` };
    expect(await whyOf(waiting(await admin.call(updateMenu, wider)))).toBe('“newcomer”将有更多权限');
    const releasing = (await admin.call(addRole, { desc: '复核员', name: 'checker' })).envelope.data ?? 0;
    const rights = [await menuNamed('/main/system/approval'), await menuNamed('approval:release:money')];
    await admin.call(bindRoleMenus, { rid: releasing, menuIds: rights.map((menu) => menu.id) });
    expect(
      await whyOf(waiting(await admin.call(bindOperatorRoles, { oid, roleIds: [role, releasing] }))),
    ).toBe('“newcomer”将有复核权限');
    // What is given while an account is disabled is not given unseen.
    expect((await admin.call(disableOperator, { id: oid })).envelope.data).toBe(true);
    waiting(await admin.call(bindRoleMenus, { rid: role, menuIds: more }));
    expect((await admin.call(enableOperator, { id: oid })).envelope.data).toBe(true);
    expect((await admin.call(bindOperatorRoles, { oid, roleIds: [] })).envelope.data).toBe(true);
    expect(
      (await admin.call(resetOperatorPassword, { id: oid, password: 'another of theirs' })).envelope.data,
    ).toBe(true);
    expect((await admin.call(deleteOperator, { id: oid })).envelope.data).toBe(true);
  });

  it('who may release are not stripped, disabled, deleted or reset by one alone', async () => {
    const grants = ['/main/system/approval', 'approval:release:money'];
    const { id: oid, username, roleId } = await buildOperator(server.db, { grants });
    const lost = `“${username}”将失去复核权限`;
    const screen = await menuNamed('/main/system/approval');
    expect(await whyOf(waiting(await admin.call(bindOperatorRoles, { oid, roleIds: [] })))).toBe(lost);
    expect(await whyOf(waiting(await admin.call(bindRoleMenus, { rid: roleId, menuIds: [screen.id] })))).toBe(
      lost,
    );
    expect(await whyOf(waiting(await admin.call(deleteOperator, { id: oid })))).toBe(lost);
    const narrowed = { ...(await menuNamed('approval:release:money')), urlExpression: '/nothing/here' };
    expect(await whyOf(waiting(await admin.call(updateMenu, narrowed)))).toMatch(/将失去复核权限$/);
    const has = `“${username}”有复核权限`;
    expect(await whyOf(waiting(await admin.call(cleanGoogleKey, { id: oid })))).toBe(has);
    const password = 'canary temporary word';
    const reset = waiting(await admin.call(resetOperatorPassword, { id: oid, password }));
    expect(await whyOf(reset)).toBe(has);
    const rows = await server.db.selectFrom('approval').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('canary');
    expect((await server.anonymous.call(login, { username, password })).envelope.success).toBe(false);
    expect((await release(reset)).data).toBe(true);
    const left = await server.db.selectFrom('approval').select('sealed').where('id', '=', reset).execute();
    expect(left).toEqual([{ sealed: null }]);
    expect((await server.anonymous.call(login, { username, password })).envelope.success).toBe(true);
    const key = await release(waiting(await admin.call(resetGoogleKey, { id: oid })));
    expect(key.data).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]+$/) });
    const disabling = waiting(await admin.call(disableOperator, { id: oid }));
    expect(await whyOf(disabling)).toBe(lost);
    expect((await release(disabling)).data).toBe(true);
    // Once it is enabled it opens by what it was given meanwhile.
    expect(await whyOf(waiting(await admin.call(resetOperatorPassword, { id: oid, password })))).toBe(has);
    expect(await whyOf(waiting(await admin.call(resetGoogleKey, { id: oid })))).toBe(has);
    const enabling = waiting(await admin.call(enableOperator, { id: oid }));
    expect(await whyOf(enabling)).toMatch(
      new RegExp(`^“${username}”将有复核权限；重置谷歌密钥“${username}”：由“admin”于 `),
    );
  });
});

describe('the rules themselves', () => {
  const param = async (key: string) =>
    (await admin.call(listParamSettings, {})).envelope.data?.find((each) => each.key === key);
  const set = async (key: string, value: string) => {
    const found = await param(key);
    if (!found) throw new Error(`no parameter ${key}`);
    return admin.call(updateParamSetting, { ...found, value });
  };

  it('are turned on by one, and loosened or turned off by two', async () => {
    expect((await set('draw.autoGenerate', 'true')).envelope.success).toBe(true);
    expect(await whyOf(waiting(await set('approval.moneyAbove', '999999')))).toBe('复核的参数一律须复核');
    waiting(await set('approval.expireHours', '720'));
    const off = waiting(await set('approval.enabled', 'false'));
    expect((await param('approval.enabled'))?.value).toBe('true');
    expect((await release(off)).success).toBe(true);
    expect((await param('approval.enabled'))?.value).toBe('false');
    expect((await set('approval.expireHours', '0')).envelope.msg).toContain('不能小于 1');
    expect((await set('approval.enabled', 'true')).envelope).toMatchObject({
      success: true,
      msg: '修改成功',
    });
  });

  it('tell on the overview and on the screen whether they are in force, and what waits for whom', async () => {
    const { data } = (await admin.call(getApprovalState, {})).envelope;
    expect(data).toMatchObject({ enabled: true, short: [] });
    expect(data?.pending).toBeGreaterThan(3);
    expect(data?.releasable).toBe(0);
    const seen = (await second.client.call(getOverview, {})).envelope.data?.approvals;
    expect(seen?.releasable).toBe(data?.pending);
    // One whose time has passed waits for nobody.
    await sql`
      update approval set "expireTime" = now() where id = (select min(id) from approval where status = 'PENDING' and "expireTime" > now())`.execute(
      server.db,
    );
    const left = (await second.client.call(getApprovalState, {})).envelope.data;
    expect(left?.pending).toBe(given(data).pending - 1);
    expect(left?.releasable).toBe(left?.pending);
    const { username } = await buildOperator(server.db, { grants: ['/main/user/user'] });
    const { envelope } = await (await server.as(username, PASSWORD)).call(getOverview, {});
    expect(envelope.data?.approvals).toBeNull();
    const page = await second.client.call(pageApprovals, { status: 'PENDING', summary: '操作员' });
    expect(page.envelope.data?.totalCount).toBeGreaterThan(0);
  });
});
