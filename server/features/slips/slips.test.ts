import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAccountHistory } from '#contract/account-history.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { addParamSetting, listParamSettings, updateParamSetting } from '#contract/param-settings.ts';
import { postEntries } from '#contract/platform.ts';
import { cancelBet, getBet, placeBet } from '#contract/platform-bets.ts';
import { cancelSlip, pageSlips, sumSlips } from '#contract/slips.ts';
import { foldCounts } from '#server/db/counted-list.ts';
import { addPhase, type Betting, buildBetting, closeBefore } from '#server/testing/build-betting.ts';
import { balanceOf } from '#server/testing/build-user.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { ownerOf } from '#server/testing/owner-of.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { tenThousandths } from '../bets/decimal.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

type Line = { playWayId: number; selection: string; unitStake: string };
async function bet(
  { userId, gameId, phase, bigSmall }: Betting,
  lines?: Line[],
  bizNo = randomUUID(),
): Promise<number> {
  const all = lines ?? [{ playWayId: bigSmall, selection: '大', unitStake: '10' }];
  const { envelope } = await site.call(placeBet, { userId, gameId, phase, bizNo, lines: all });
  if (!envelope.data) throw new Error(String(envelope.msg));
  return envelope.data.slipId;
}
const ids = async (filter: WireInput<typeof pageSlips>) => {
  const page = (await admin.call(pageSlips, filter)).envelope.data;
  return [page?.totalCount, page?.data.map(({ id }) => id)];
};

describe('the list of slips', () => {
  it('finds them by everything, before and after counts are folded, page by page', async () => {
    const betting = await buildBetting(server.db);
    const other = await buildBetting(server.db);
    const { userId, gameId, phase, bigSmall, threeStars } = betting;
    const bizNo = randomUUID();
    const first = await bet(betting, undefined, bizNo);
    const second = await bet(betting, [
      { playWayId: threeStars, selection: '1|2|3', unitStake: '1' },
      { playWayId: threeStars, selection: '4|5|6', unitStake: '1' },
    ]);
    const third = await bet(other);
    expect((await site.call(cancelBet, { slipId: first })).envelope.success).toBe(true);
    const [row] = (await admin.call(pageSlips, { slipId: second })).envelope.data?.data ?? [];
    expect(row).toMatchObject({
      ...{
        id: second,
        userId,
        gameId,
        phase,
        status: 'PENDING',
        stake: '2.00',
        result: null,
        acceptOdds: 'SAME',
      },
      lines: [
        {
          playWayId: threeStars,
          playWayName: '前三直选',
          selection: '1|2|3',
          categoryName: '前三直选类',
          maxPayout: '900.00',
        },
        { selection: '4|5|6' },
      ],
    });
    const range: [string, string] = ['2000-01-01 00:00:00', '2999-12-31 23:59:59'];
    const before: [string, string] = ['2000-01-01 00:00:00', '2000-12-31 23:59:59'];
    for (const _ of ['unfolded', 'folded']) {
      expect(await ids({ bizNo })).toEqual([1, [first]]);
      expect(await ids({ userId })).toEqual([2, [second, first]]);
      expect(await ids({ username: row?.username ?? '' })).toEqual([2, [second, first]]);
      expect(await ids({ gameId })).toEqual([2, [second, first]]);
      expect(await ids({ gameId, phase })).toEqual([2, [second, first]]);
      expect(await ids({ gameId, phase: '1' })).toEqual([0, []]);
      expect(await ids({ gameId, status: 'CANCELLED' })).toEqual([1, [first]]);
      expect(await ids({ gameId, status: 'PENDING', createTimeRange: range })).toEqual([1, [second]]);
      expect(await ids({ gameId, createTimeRange: before })).toEqual([0, []]);
      expect(await ids({ playWayId: threeStars })).toEqual([1, [second]]);
      expect(await ids({ playWayId: bigSmall, status: 'CANCELLED' })).toEqual([1, [first]]);
      expect(await ids({ playWayId: bigSmall, gameId: other.gameId })).toEqual([0, []]);
      expect(await ids({ playWayId: threeStars, gameId })).toEqual([1, [second]]);
      expect((await ids({ phase }))[1]).toEqual(expect.arrayContaining([third, second, first]));
      expect(await ids({ pageSize: 2 })).toEqual([3, [third, second]]);
      expect(await ids({ pageSize: 2, currentPage: 2 })).toEqual([3, [first]]);
      await foldCounts(server.db);
    }
  });

  it('are summed by any search, over all pages, with test accounts and those taken back', async () => {
    const betting = await buildBetting(server.db);
    const { userId, gameId, phase, bigSmall, threeStars } = betting;
    const ofBigSmall = (unitStake: string) => [{ playWayId: bigSmall, selection: '大', unitStake }];
    const slips = [
      await bet(betting, ofBigSmall('10.0001')),
      await bet(betting, ofBigSmall('0.1')),
      await bet(betting, [
        ...ofBigSmall('3'),
        { playWayId: threeStars, selection: '1|2|3', unitStake: '0.2' },
      ]),
    ];
    const tested = await buildBetting(server.db);
    await server.db
      .updateTable('player')
      .set({ testAccount: true })
      .where('id', '=', tested.userId)
      .execute();
    await bet(tested);
    await site.call(cancelBet, { slipId: slips[1] ?? 0 });
    const range: [string, string] = ['2000-01-01 00:00:00', '2999-12-31 23:59:59'];
    const searches: WireInput<typeof sumSlips>[] = [
      ...[{}, { userId }, { gameId }, { phase }, { gameId, phase }, { slipId: slips[2] ?? 0 }],
      ...[{ status: 'CANCELLED' as const }, { gameId, status: 'PENDING' as const, createTimeRange: range }],
      ...[
        { playWayId: threeStars },
        { playWayId: bigSmall, gameId },
        { playWayId: threeStars, gameId: tested.gameId },
      ],
      ...[{ testAccount: true }, { testAccount: false }, { userId: tested.userId }],
      { createTimeRange: ['2000-01-01 00:00:00', '2000-12-31 23:59:59'] },
    ];
    for (const search of searches) {
      const rows = (await admin.call(pageSlips, { ...search, pageSize: 9999 })).envelope.data?.data ?? [];
      // Apart from the database: in ten-thousandths, as whole numbers.
      const total = (field: 'stake' | 'payout' | 'refund') =>
        rows.reduce((sum, row) => sum + tenThousandths(row[field]), 0n);
      const said = (await admin.call(sumSlips, search)).envelope.data;
      const amounts = said && [said.stake, said.payout, said.refund].map(tenThousandths);
      expect(amounts, JSON.stringify(search)).toEqual([total('stake'), total('payout'), total('refund')]);
    }
    const ofUser = { stake: '13.3001', payout: '0.00', refund: '0.10' };
    expect((await admin.call(sumSlips, { userId })).envelope.data).toEqual(ofUser);
  });

  it('are sorted by time both ways round, over pages, also those of one play way', async () => {
    const betting = await buildBetting(server.db);
    const { gameId, bigSmall: playWayId } = betting;
    const placed = [await bet(betting), await bet(betting), await bet(betting)];
    const line = { playWayId: betting.threeStars, selection: '1|2|3', unitStake: '1' };
    const other = await bet(betting, [line]);
    // Placed in another order than their numbers: a slip that waited long for its turn.
    const times = [...placed, other].map((id, n) => [id, `2020-01-0${[2, 4, 1, 3][n]} 00:00:00+08`] as const);
    await ownerOf(server.db)
      .transaction()
      .execute(async (tx) => {
        await sql`alter table slip disable trigger slip_final`.execute(tx);
        for (const [id, time] of times)
          await sql`update slip set "createTime" = ${time}::timestamptz where id = ${id}`.execute(tx);
        await sql`alter table slip enable trigger slip_final`.execute(tx);
      });
    const [a, b, c] = placed;
    for (const _ of ['unfolded', 'folded']) {
      expect(await ids({ gameId, sort: 'createTime' })).toEqual([4, [c, a, other, b]]);
      expect(await ids({ gameId, status: 'PENDING', sort: '-createTime', pageSize: 3 })).toEqual([
        4,
        [b, other, a],
      ]);
      expect(await ids({ playWayId, sort: 'createTime' })).toEqual([3, [c, a, b]]);
      expect(await ids({ playWayId, sort: '-createTime' })).toEqual([3, [b, a, c]]);
      expect(await ids({ playWayId, sort: '-createTime', pageSize: 2, currentPage: 2 })).toEqual([3, [c]]);
      expect(await ids({ playWayId, gameId, sort: '-createTime' })).toEqual([3, [b, a, c]]);
      expect(await ids({ playWayId, sort: 'id', pageSize: 2 })).toEqual([3, [a, b]]);
      await foldCounts(server.db);
    }
  });
});

describe('taking a slip back', () => {
  const cancel = async (id: number, reason = '玩家误投') =>
    (await admin.call(cancelSlip, { id, reason })).envelope;

  it('gives the stake back once, by an operator with a reason', { retry: 0 }, async () => {
    const betting = await buildBetting(server.db);
    const id = await bet(betting);
    expect((await admin.call(cancelSlip, { id, reason: '误' })).envelope.success).toBe(false);
    const both = await Promise.all([cancel(id), cancel(id)]);
    expect(both.map(({ success }) => success).toSorted()).toEqual([false, true]);
    expect((await cancel(id)).msg).toBe('注单的状态是“已撤单”，不能撤单');
    expect((await cancel(999_999_999)).msg).toContain('不存在');
    const [row] = (await admin.call(pageSlips, { slipId: id })).envelope.data?.data ?? [];
    expect(row).toMatchObject({
      status: 'CANCELLED',
      refund: '10.00',
      payout: '0.00',
      cancelReason: '玩家误投',
      cancelledBy: 'admin',
    });
    expect(row?.lines).toMatchObject([{ status: 'CANCELLED', refund: '10.00' }]);
    expect((await balanceOf(server.db, betting.userId)).availableAmount).toBe('1000.00');
    await expectProven(server.db);
  });

  it('by the site answers the first again when it is asked for again, and nothing else', {
    retry: 0,
  }, async () => {
    const betting = await buildBetting(server.db);
    const [slipId, other] = [await bet(betting), await bet(betting)];
    const ask = async (reason?: string) => (await site.call(cancelBet, { slipId, reason })).envelope;
    const [first, same] = await Promise.all([ask('误投'), ask('误投')]);
    expect(first).toMatchObject({ success: true, data: { slipId, status: 'CANCELLED', refund: '10.00' } });
    expect([same, await ask('误投')]).toEqual([first, first]);
    expect((await ask()).msg).toBe('注单的状态是“已撤单”，不能撤单');
    expect((await ask('别的原因')).msg).toBe('注单的状态是“已撤单”，不能撤单');
    expect((await cancel(other, '玩家误投')).success).toBe(true);
    const again = { slipId: other, reason: '玩家误投' };
    expect((await site.call(cancelBet, again)).envelope.msg).toBe('注单的状态是“已撤单”，不能撤单');
    expect((await balanceOf(server.db, betting.userId)).availableAmount).toBe('1000.00');
  });

  it('is open to the site only while the parameter says so', async () => {
    const betting = await buildBetting(server.db);
    const [slipId, other] = [await bet(betting), await bet(betting)];
    const { data } = (await site.call(cancelBet, { slipId, reason: '误投' })).envelope;
    expect(data).toMatchObject({ slipId, status: 'CANCELLED', refund: '10.00' });
    expect((await site.call(getBet, { slipId })).envelope.data).toEqual(data);
    const setting = { title: '封盘前允许玩家站撤单', key: 'bet.siteCancel', value: 'false' };
    const known = (await admin.call(listParamSettings, {})).envelope.data?.find(
      ({ key }) => key === setting.key,
    );
    await (known
      ? admin.call(updateParamSetting, { ...setting, id: known.id })
      : admin.call(addParamSetting, setting));
    expect((await site.call(cancelBet, { slipId: other })).envelope.msg).toBe('系统参数不允许玩家站撤单');
    expect((await cancel(other)).success).toBe(true);
  });

  it('ends at the closing, and what is cancelled never changes', async () => {
    const betting = await buildBetting(server.db);
    const { gameId } = betting;
    await addPhase(server.db, gameId, '3000', -30, 30);
    const id = await bet({ ...betting, phase: '3000' });
    await closeBefore(server.db, gameId, 40);
    expect((await cancel(id)).msg).toBe('期号 3000 已封盘');
    await closeBefore(server.db, gameId, 2);
    expect((await cancel(id)).success).toBe(true);
    for (const act of [
      sql`update slip set status = 'WON', payout = 5 where id = ${id}`,
      sql`update slip_line set payout = 5 where "slipId" = ${id}`,
    ])
      await expect(act.execute(server.db)).rejects.toMatchObject({ code: 'BE001' });
  });
});

it('a stake that only the players’ site vouches for is marked in the ledger, and takes no number of ours', async () => {
  const betting = await buildBetting(server.db);
  const { userId } = betting;
  const slipId = await bet(betting);
  const entry = { userId, changeType: 'BET', amount: '3', bizOrderNo: randomUUID() } as const;
  expect((await site.call(postEntries, { entries: [entry] })).envelope.success).toBe(true);
  const ours = (await site.call(postEntries, { entries: [{ ...entry, bizOrderNo: `B${slipId}/9` }] }))
    .envelope;
  expect(ours.success).toBe(false);
  const rows = (await admin.call(pageAccountHistory, { userId })).envelope.data?.data ?? [];
  expect(rows.map(({ changeType, bizOrderNo, external }) => [changeType, bizOrderNo, external])).toEqual([
    ['BET', entry.bizOrderNo, true],
    ['BET', `B${slipId}`, false],
    ['MANUAL_ADDITION', null, false],
  ]);
});
