import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent } from '#contract/agents.ts';
import { pageChangeRecords as pageOfChanges } from '#contract/change-records.ts';
import { placeWithdrawal } from '#contract/platform.ts';
import {
  addUserNote,
  deleteUserNote,
  pageUserNotes,
  pinUserNote,
  updateUserNote,
} from '#contract/user-notes.ts';
import { getUserPage } from '#contract/user-pages.ts';
import { addUser, freezeUser } from '#contract/users.ts';
import { markWithdrawal, pageWithdrawals } from '#contract/withdrawals.ts';
import { nobody } from '#server/access/signed-in.ts';
import type { Db } from '#server/db/database.ts';
import { fullOperator, setParam, waiting } from '#server/testing/approving.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { rowsRead } from '#server/testing/rows-read.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { pageChangeRecords } from '../change-records/change-record-store.ts';
import { postAll } from '../ledger/ledger-store.ts';
import { pinnedNotes } from '../user-notes/user-note-store.ts';
import { findPlayer } from './user-page-store.ts';
import { waitingWithdrawals } from './waiting-withdrawals.ts';

const PAGE = '/main/user/user-page';
let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

/** Somebody who holds these menus and no other. */
async function holding(...grants: string[]): Promise<TestClient> {
  const { username, password } = await buildOperator(server.db, { grants });
  return server.as(username, password);
}

const pageOf = async (id: number, client = admin) => {
  const answer = await client.call(getUserPage, { id });
  if (!answer.envelope.data) throw new Error(JSON.stringify(answer.envelope));
  return answer.envelope.data;
};

const withdraw = async (userId: number, amount: string) =>
  given(
    (
      await site.call(placeWithdrawal, {
        ...{ userId, amount, bankOrderNo: randomUUID(), receiveAccount: { accountNo: '6222' } },
      })
    ).envelope.data,
  );

describe('the page of a player', () => {
  it('tells in one call who they are, what they have, who invited them, whom they invited and the agents above', async () => {
    const owner = await buildUser(server.db);
    const rate = { rate: '0.01', validFrom: '2020-01-01' };
    const above = given(
      (await admin.call(addAgent, { name: '总代', userId: owner.userId, ...rate })).envelope.data,
    );
    const own = given(
      (await admin.call(addAgent, { name: '一代', parentId: above, userId: owner.userId, ...rate })).envelope
        .data,
    );
    const inviter = await buildUser(server.db, { nickName: '邀请人' });
    const { userId, username, accountId } = await buildUser(server.db, {
      ...{ nickName: '玩家七', agentId: own, parentId: inviter.userId, balance: '70.5', level: 3 },
    });
    for (const nickName of ['甲', '乙']) await admin.call(addUser, { nickName, parentId: userId });
    const client = await holding(PAGE);
    expect(await pageOf(userId, client)).toMatchObject({
      user: { id: userId, username, nickName: '玩家七', level: 3, frozen: false, testAccount: false },
      account: { id: accountId, userId, totalAmount: '70.50', availableAmount: '70.50', debt: '0.00' },
      parent: { userId: inviter.userId, nickName: '邀请人' },
      agents: [
        { agentId: own, name: '一代' },
        { agentId: above, name: '总代' },
      ],
      ...{ invited: 2, invitedMore: false, pinned: [], barred: [], withdrawals: [], withdrawalsMore: false },
    });
    // A number that the players' site gave, and that is no agent here.
    const foreign = await buildUser(server.db, { agentId: 987_654 });
    expect((await pageOf(foreign.userId)).agents).toEqual([{ agentId: 987_654, name: null }]);
    // Its right opens the page and none of the lists on it.
    expect((await client.call(pageWithdrawals, { userId })).status).toBe(403);
  });

  it('says at its field that there is no such player', async () => {
    expect((await admin.call(getUserPage, { id: 99_999_999 })).envelope).toMatchObject({
      ...{ success: false, code: 400, msg: '用户不存在', data: { errors: { id: '用户不存在' } } },
    });
  });
});

describe('a withdrawal that waits', () => {
  it('says why: undecided, then sent for release, and what stands in the way of the player', async () => {
    const { userId } = await buildUser(server.db, { balance: '100' });
    const first = await withdraw(userId, '20');
    const second = await withdraw(userId, '30');
    const undecided = '等待审核，尚未处理';
    expect(await pageOf(userId)).toMatchObject({
      barred: [],
      withdrawals: [
        { withdrawalId: first, amount: '20.00', reasons: [undecided] },
        { withdrawalId: second, amount: '30.00', reasons: [undecided] },
      ],
    });

    await admin.call(freezeUser, { userId, reason: '核实身份' });
    // What a corrected draw takes back of a win.
    await server.db.transaction().execute((tx) =>
      postAll(tx, [
        {
          ...{ userId, amount: '500', bizOrderNo: 'B1/1', desc: null },
          changeType: 'WIN_REVERSAL',
          source: 'OWING',
        },
      ]),
    );
    await sql`
      insert into turnover_requirement ("userId", "historyId", kind, amount, times, required, "createTime")
      select ${userId}, min(id), 'RECHARGE', 100, 2, 200, now() from account_history where "userId" = ${userId}`.execute(
      server.db,
    );
    const barred = [
      ...['用户已冻结：核实身份', '该用户有未还清的欠款，不能提现', '还须完成流水 200.00 才能提现'],
    ];
    expect(await pageOf(userId)).toMatchObject({
      barred,
      withdrawals: [{ reasons: [undecided, ...barred] }, { reasons: [undecided, ...barred] }],
    });
    // Those are the words that whoever acts is told.
    expect((await admin.call(markWithdrawal, { id: second, action: 'PAID' })).envelope.msg).toBe(barred[1]);
    await admin.call(markWithdrawal, { id: second, action: 'REJECT', remark: '重新提交' });
    expect((await pageOf(userId)).withdrawals.map((each) => each.withdrawalId)).toEqual([first]);
  });

  it('names who prepared it while a second operator is to release it', async () => {
    const { db } = server;
    const { userId } = await buildUser(db, { balance: '100' });
    const id = await withdraw(userId, '60');
    const maker = await fullOperator(server);
    await fullOperator(server);
    await setParam(db, 'approval.withdrawalAbove', '50');
    await setParam(db, 'approval.enabled', 'true');
    const approvalId = waiting(await maker.client.call(markWithdrawal, { id, action: 'PAID' }));
    await setParam(db, 'approval.enabled', 'false');
    const told = `“${maker.username}”已提交打款，等待复核（复核编号 ${approvalId}）`;
    expect((await pageOf(userId)).withdrawals).toMatchObject([{ withdrawalId: id, reasons: [told] }]);
    await sql`update approval set "expireTime" = now() - interval '1 second' where id = ${approvalId}`.execute(
      db,
    );
    expect((await pageOf(userId)).withdrawals).toMatchObject([{ reasons: ['等待审核，尚未处理'] }]);
  });
});

describe('among many', () => {
  it('the page and the record of a player read what they show, however much was decided and recorded before', async () => {
    const { db } = server;
    const { userId } = await buildUser(db, { balance: '10' });
    const [operator] = await db.selectFrom('operator').selectAll().execute();
    await withdraw(userId, '4');
    await sql`
      insert into withdrawal ("userId", amount, "receiveAccountNo", "bankOrderNo", status, "reviewTime", "successTime")
      select ${userId}, 1, '6222', 'many' || n, 'SUCCESS', now(), now() from generate_series(1, 20000) n`.execute(
      db,
    );
    await sql`
      insert into player ("nickName", "parentId") select 'many' || n, ${userId} from generate_series(1, 20000) n`.execute(
      db,
    );
    await sql`
      insert into user_note ("userId", note, author) select p.id, '备注', '甲' from player p where "parentId" = ${userId}`.execute(
      db,
    );
    await sql`
      insert into change_record ("userName", call, summary, "targetId", input, after, address, outcome)
      select '甲', c.call, c.call, n::text, '{}', jsonb_build_object('userId', n), '127.0.0.1', 'SUCCESS'
      from generate_series(1000000, 1010000) n, (values ('freezeUser'), ('addBalance'), ('addUserNote')) c (call)`.execute(
      db,
    );
    await sql`analyze withdrawal, player, user_note, change_record`.execute(db);

    const readBy = (work: (tx: Db) => Promise<unknown>) => rowsRead(db, [], work);
    const page = await pageOf(userId);
    expect(page).toMatchObject({ invited: 10_000, invitedMore: true, withdrawals: [{ amount: '4.00' }] });
    const waits = await readBy((tx) => waitingWithdrawals(tx, page.user, page.account));
    expect(waits).toBeGreaterThan(0);
    expect(waits).toBeLessThan(20);
    const admin = { ...nobody, id: given(operator).id };
    expect(await readBy((tx) => pinnedNotes(tx, admin, userId))).toBeLessThan(20);
    expect(await readBy((tx) => findPlayer(tx, userId))).toBeLessThan(10_050);
    const changes = { userId: 1_005_000, currentPage: 1, pageSize: 20 };
    expect(await readBy((tx) => pageChangeRecords(tx, changes))).toBeLessThan(50);
  });
});

describe('notes of a player', () => {
  it('are added, rewritten by their author alone, pinned, and deleted with a line in the record', async () => {
    const { userId, accountId } = await buildUser(server.db);
    const other = await buildUser(server.db);
    const [mine, theirs] = [
      await holding(PAGE, 'user:note:add'),
      await holding(PAGE, 'user:note:add', 'user:note:delete'),
    ];
    const listed = async (client: TestClient) =>
      given((await client.call(pageUserNotes, { userId })).envelope.data).data;
    await mine.call(addUserNote, { userId: other.userId, note: '别人的' });
    const first = given((await mine.call(addUserNote, { userId, note: '电话核实过\n语气急' })).envelope.data);
    await theirs.call(addUserNote, { userId, note: '第二条' });
    expect((await mine.call(addUserNote, { userId, note: '' })).envelope).toMatchObject({
      ...{ success: false, data: { errors: { note: '备注不能为空' } } },
    });
    expect((await mine.call(addUserNote, { userId: 99_999_999, note: '谁' })).envelope).toMatchObject({
      data: { errors: { userId: '用户不存在' } },
    });
    const noted = await listed(mine);
    expect(noted).toMatchObject([
      { note: '第二条', own: false },
      { id: first, note: '电话核实过\n语气急', own: true, pinned: false, editTime: null },
    ]);
    expect((await theirs.call(updateUserNote, { id: first, note: '改写' })).envelope.msg).toBe(
      '只有写下备注的操作员可以编辑',
    );
    expect(
      (await mine.call(updateUserNote, { id: first, version: 1, note: '已核实' })).envelope.success,
    ).toBe(true);
    expect((await mine.call(updateUserNote, { id: first, version: 1, note: '旧的' })).envelope).toMatchObject(
      {
        ...{ success: false, data: { current: { note: '已核实', own: true } } },
      },
    );
    expect((await theirs.call(pinUserNote, { id: first, pinned: true })).envelope.success).toBe(true);
    expect((await pageOf(userId)).pinned).toMatchObject([{ id: first, note: '已核实' }]);
    expect((await listed(theirs)).map(({ id }) => id)[0]).toBe(first);
    expect((await mine.call(deleteUserNote, { id: first })).status).toBe(403);
    expect((await theirs.call(deleteUserNote, { id: first })).envelope.success).toBe(true);
    expect((await theirs.call(deleteUserNote, { id: first })).envelope.msg).toBe('记录不存在');

    // The record of a player has it all, what was done to the account and to notes that are gone included, and nothing of others.
    await admin.call(freezeUser, { userId, reason: '核实身份' });
    await sql`
      insert into change_record ("userName", call, summary, "targetId", input, address, outcome)
      values ('甲', 'addBalance', '人工加款', ${String(accountId)}, '{}', '127.0.0.1', 'SUCCESS'),
        ('甲', 'addBalance', '人工加款', ${String(other.accountId)}, '{}', '127.0.0.1', 'SUCCESS'),
        ('甲', 'deleteGame', '删除游戏', ${String(userId)}, '{}', '127.0.0.1', 'SUCCESS')`.execute(server.db);
    const { data } = (await admin.call(pageOfChanges, { userId, outcome: 'SUCCESS' })).envelope;
    expect(given(data).data.map(({ summary }) => summary)).toEqual([
      ...[
        '人工加款',
        '冻结用户',
        '删除用户备注',
        '置顶用户备注',
        '编辑用户备注',
        '新增用户备注',
        '新增用户备注',
      ],
    ]);
    const gone = given(data).data.find(({ call }) => call === 'deleteUserNote');
    expect(gone).toMatchObject({ targetId: String(first), before: { note: '已核实', pinned: true } });
  });
});
