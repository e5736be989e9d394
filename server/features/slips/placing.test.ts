import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getBet, getBetByBizNo, pageUserBets, placeBet } from '#contract/platform-bets.ts';
import { buildBetting, slipOn, slipsOf, type WantedBet } from '#server/testing/build-betting.ts';
import { balanceOf } from '#server/testing/build-user.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
});
afterAll(() => server.close());

const place = async (wanted: WantedBet) => (await site.call(placeBet, wanted)).envelope;

describe('a slip', () => {
  it('is placed with its money, lines, odds and rules, and read by id, number and player', async () => {
    const betting = await buildBetting(server.db);
    const { userId, gameId, phase, bigSmall, threeStars } = betting;
    const bizNo = `site-${randomUUID()}`;
    const lines = [
      { playWayId: bigSmall, selection: '大,小', unitStake: '10', odds: '1.98' },
      {
        playWayId: threeStars,
        selection: '1,2|3|4,5',
        unitStake: 2.5,
        odds: [{ number: '前三直选', odds: '900.0' }],
      },
    ];
    const { data, msg } = await place(slipOn(betting, { bizNo, lines }));
    expect(msg).toBe('操作成功');
    expect(data).toEqual({
      slipId: expect.any(Number),
      stake: '30.00',
      lines: [
        { id: expect.any(Number), units: 2, stake: '20.00', odds: '1.98', maxPayout: '19.80' },
        { id: expect.any(Number), units: 4, stake: '10.00', odds: '900', maxPayout: '2250.00' },
      ],
    });
    const slipId = data?.slipId ?? 0;
    const slip = (await site.call(getBet, { slipId })).envelope.data;
    expect(slip).toMatchObject({
      slipId,
      bizNo,
      userId,
      gameId,
      phase,
      status: 'PENDING',
      stake: '30.00',
      payout: '0.00',
    });
    expect(slip).toMatchObject({ refund: '0.00', settleTime: null });
    expect(slip?.lines[1]).toEqual({
      ...{
        id: data?.lines[1]?.id,
        playWayId: threeStars,
        playWayName: '前三直选',
        selection: '1,2|3|4,5',
        units: 4,
      },
      ...{
        unitStake: '2.50',
        stake: '10.00',
        odds: '900',
        status: 'PENDING',
        winningUnits: 0,
        pushedUnits: 0,
      },
      ...{ payout: '0.00', refund: '0.00' },
    });
    expect((await site.call(getBetByBizNo, { bizNo })).envelope.data).toEqual(slip);
    const page = (await site.call(pageUserBets, { id: userId, gameId, phase, status: 'PENDING' })).envelope
      .data;
    expect(page).toEqual({ totalCount: 1, data: [slip] });
    expect((await site.call(pageUserBets, { id: userId, status: 'WON' })).envelope.data?.totalCount).toBe(0);
    expect((await balanceOf(server.db, userId)).availableAmount).toBe('970.00');
    const { rows } = await sql`
      select "bizOrderNo", amount, "changeType" from account_history where "userId" = ${userId} order by id desc limit 1`.execute(
      server.db,
    );
    expect(rows).toEqual([{ bizOrderNo: `B${slipId}`, amount: '30.00', changeType: 'BET' }]);
    const { rows: kept } = await sql<{ rules: unknown; played: string }>`
      select r.rules, r."categoryName" as played from slip_line l join slip_rules r on r.id = l."rulesId"
      where l."slipId" = ${slipId} order by l.id`.execute(server.db);
    expect(kept[1]?.rules).toMatchObject({
      ...{
        handler: 'ValueHandler',
        version: 1,
        oddsFrom: 'OUTCOME',
        odds: [{ number: '前三直选', odds: '900' }],
      },
      ...{ latitude: { name: '前三', resultIndex: '0,1,2' }, selection: { kind: 'PLACES', places: 3 } },
    });
    expect(kept[0]?.played).toBe('总和大小类');
    await expectProven(server.db);
  });

  it('tells and keeps number and odds of its rows and nothing else, and so of slips that kept more', async () => {
    const betting = await buildBetting(server.db);
    const { bigSmall } = betting;
    await sql`
      update odds set odds = 1.985 where "playWayId" = ${bigSmall} and "numberId" = (select id from game_number where "gameId" = ${betting.gameId} and number = '大')`.execute(
      server.db,
    );
    const line = { playWayId: bigSmall, selection: '大,小', unitStake: '10' };
    const odds = [
      { number: '大', odds: '1.985' },
      { number: '小', odds: '1.98' },
    ];
    const refused = await place(slipOn(betting, { lines: [{ ...line, odds: '1.98' }] }));
    expect(refused).toMatchObject({ success: false, data: { lines: [{ odds }] } });
    expect(JSON.stringify(refused)).not.toContain('stopped');
    const wanted = slipOn(betting, { bizNo: randomUUID(), lines: [{ ...line, odds }] });
    const { data } = await place(wanted);
    expect(data?.lines[0]?.odds).toEqual(odds);
    const slipId = data?.slipId ?? 0;
    const { rows } = await sql`select odds from slip_line where "slipId" = ${slipId}`.execute(server.db);
    expect(rows).toEqual([{ odds }]);
    await server.database.owner.transaction().execute(async (tx) => {
      await sql`alter table slip_line disable trigger user`.execute(tx);
      await sql`update slip_line set odds = ${JSON.stringify(odds.map((row) => ({ ...row, stopped: false })))}::jsonb
        where "slipId" = ${slipId}`.execute(tx);
      await sql`alter table slip_line enable trigger user`.execute(tx);
    });
    expect((await site.call(getBet, { slipId })).envelope.data?.lines[0]?.odds).toEqual(odds);
    expect((await place(wanted)).data).toEqual(data);
  });

  it('keeps names and rules when its play way goes, and keeps what decides it from everybody', async () => {
    const betting = await buildBetting(server.db);
    const slipId = (await place(slipOn(betting))).data?.slipId ?? 0;
    await sql`delete from play_way where id = ${betting.bigSmall}`.execute(server.db);
    const slip = (await site.call(getBet, { slipId })).envelope.data;
    expect(slip?.lines[0]).toMatchObject({ playWayName: '总和大小', odds: '1.98' });
    for (const act of [
      sql`update slip set stake = 1 where id = ${slipId}`,
      sql`update slip set "createTime" = now() where id = ${slipId}`,
      sql`update slip_line set odds = '"9"' where "slipId" = ${slipId}`,
      sql`delete from slip where id = ${slipId}`,
      sql`delete from slip_line where "slipId" = ${slipId}`,
      sql`update slip_rules set "playWayName" = ''`,
    ])
      await expect(act.execute(server.db)).rejects.toMatchObject({
        code: expect.stringMatching(/^(BE001|42501)$/),
      });
    const gone = await place(slipOn(betting));
    expect(gone).toMatchObject({
      msg: '第 1 个注项的玩法不存在或不属于该游戏',
      data: { errors: { lines: gone.msg } },
    });
  });

  it('sent again is answered by the first, whatever became of its play way; with other content it is refused', {
    retry: 0,
  }, async () => {
    const betting = await buildBetting(server.db);
    const wanted = slipOn(betting, { bizNo: randomUUID() });
    const staked = (unitStake: string) => [{ playWayId: betting.bigSmall, selection: '大', unitStake }];
    const answers = await Promise.all(Array.from({ length: 8 }, () => place(wanted)));
    const [first] = answers;
    expect(first?.success).toBe(true);
    expect(answers.map(({ data }) => data)).toEqual(answers.map(() => first?.data));
    expect(await slipsOf(server.db, betting)).toBe(1);
    expect((await balanceOf(server.db, betting.userId)).totalAmount).toBe('990.00');
    const same = await place({ ...wanted, lines: staked('10.00') });
    expect(same.data).toEqual(first?.data);
    const other = await place({ ...wanted, lines: staked('11') });
    expect(other).toMatchObject({ success: false, msg: '业务注单号已被内容不同的注单使用' });
    expect((await place({ ...wanted, acceptOdds: 'ANY' })).msg).toBe(other.msg);
    await sql`delete from play_way where id = ${betting.bigSmall}`.execute(server.db);
    expect((await place(wanted)).data).toEqual(first?.data);
  });

  it('counts on the day that ends as its phase is drawn', async () => {
    const { db } = server;
    const betting = await buildBetting(db);
    // A day of the report begins two full hours from now.
    const [moment] = (
      await sql<{
        begin: string;
      }>`select (date_trunc('hour', now()) + interval '2 hours')::text as begin`.execute(db)
    ).rows;
    const begin = sql`${moment?.begin}::timestamptz`;
    await sql`
      insert into draw_plan ("gameId", phase, "startTime", "endTime")
      values (${betting.gameId}, '1001', now() - interval '1 minute', ${begin})`.execute(db);
    await sql`update param_setting set value = to_char(${begin}, 'HH24:00') where key = 'report.dayStart'`.execute(
      db,
    );
    const { data } = await place(slipOn(betting, { phase: '1001' }));
    const { rows } = await sql`
      select report_day("drawTime") - day as before from slip where id = ${data?.slipId ?? 0}`.execute(db);
    expect(rows).toEqual([{ before: 1 }]);
  });
});
