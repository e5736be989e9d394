import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import { changeType, outgoingChanges, postedChangeType } from '#contract/named-fields.ts';
import { postEntries } from '#contract/platform.ts';
import { balanceOf, buildUser } from '#server/testing/build-user.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { post } from './ledger-store.ts';
import { slipOrderNo } from './order-numbers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The four that settlements and corrections post, beside the ten of the specification. */
const added = {
  BET_REFUND: 'IN',
  WIN_REVERSAL: 'OUT',
  REFUND_REVERSAL: 'OUT',
  DEBT_REPAYMENT: 'OUT',
} as const;

describe('the types of movements', () => {
  it('go the same way in the contract and in the database, the new ones behind the ten of before', async () => {
    expect(changeType.options).toHaveLength(14);
    expect(changeType.options.slice(-4)).toEqual(Object.keys(added));
    const { rows } = await sql<{ type: string; direction: string }>`
      select type, ledger_direction(type) as direction from unnest(${[...changeType.options]}::text[]) as type`.execute(
      server.db,
    );
    const ours = changeType.options.map((type) => ({
      type,
      direction: outgoingChanges.includes(type) ? 'OUT' : 'IN',
    }));
    expect(rows).toEqual(ours);
    expect(ours).toEqual(
      expect.arrayContaining(Object.entries(added).map(([type, direction]) => ({ type, direction }))),
    );
  });

  it('of a refund and its reversal are posted, found by type and direction, and exported in words', async () => {
    const admin = await server.admin();
    const { userId } = await buildUser(server.db, { balance: '10' });
    const entry = { userId, amount: '4', bizOrderNo: 'B77', desc: null } as const;
    for (const type of ['BET_REFUND', 'REFUND_REVERSAL', 'WIN_REVERSAL'] as const)
      await server.db.transaction().execute((tx) => post(tx, { ...entry, changeType: type }));
    const found = async (filter: object) =>
      (await admin.call(pageAccountHistory, { userId, ...filter })).envelope.data?.data.map(
        (row) => row.changeType,
      );
    expect(await found({ changeType: 'BET_REFUND' })).toEqual(['BET_REFUND']);
    expect(await found({ direction: 'OUT' })).toEqual(['WIN_REVERSAL', 'REFUND_REVERSAL']);
    expect(await found({ direction: 'IN' })).toEqual(['BET_REFUND', 'MANUAL_ADDITION']);
    const file = await fetch(`${server.origin}/api/user/accountHistory/page`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, accept: 'text/csv' },
      body: new URLSearchParams({ userId: String(userId) }),
    });
    const text = await file.text();
    for (const word of ['投注退还', '中奖收回', '退还收回', '支出']) expect(text).toContain(word);
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('6.00');
    await expectProven(server.db);
  });

  it('are none of the site’s to post, and no order number of hers begins with B', async () => {
    const site = server.site();
    const { userId } = await buildUser(server.db);
    const entry = { userId, changeType: 'WIN', amount: '1', bizOrderNo: 'A-1' } as const;
    for (const type of Object.keys(added)) {
      expect(postedChangeType.options).not.toContain(type);
      const { envelope } = await site.call(postEntries, {
        entries: [{ ...entry, changeType: type as 'WIN' }],
      });
      expect(envelope).toMatchObject({ success: false, code: 400 });
    }
    for (const bizOrderNo of [slipOrderNo(1), slipOrderNo(7, 2), 'B', ' B7/2', 'Bonus'])
      expect(
        (await site.call(postEntries, { entries: [entry, { ...entry, bizOrderNo }] })).envelope,
      ).toMatchObject({
        success: false,
        data: { errors: { entries: expect.stringContaining('不能以 B 开头') } },
      });
    expect((await balanceOf(server.db, userId)).totalAmount).toBe('0.00');
    expect(
      (await site.call(postEntries, { entries: [{ ...entry, bizOrderNo: 'b1' }] })).envelope.success,
    ).toBe(true);
  });
});
