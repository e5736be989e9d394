import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeBet } from '#contract/platform-bets.ts';
import { buildBetting, slipOn, slipsOf, type WantedBet } from '#server/testing/build-betting.ts';
import { buildBettors } from '#server/testing/build-slips.ts';
import { balanceOf } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
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

describe('slips that wait at the same moment', { retry: 0 }, () => {
  it('share transactions, each with its money and lines, and fail each alone', async () => {
    const [betting, other] = await Promise.all([buildBetting(server.db), buildBetting(server.db)]);
    const users = await buildBettors(server.db, 40, '100');
    const [frozen, poor, twice] = users;
    await sql`update player set frozen = true, "freezeReason" = '核查' where id = ${frozen}`.execute(
      server.db,
    );
    // The first of a game and its phase lets the server get to know them.
    for (const each of [betting, other]) expect((await place(slipOn(each))).success).toBe(true);
    const staked = (game: typeof betting, userId: number, unitStake: string, more: Partial<WantedBet> = {}) =>
      slipOn(
        { ...game, userId },
        {
          lines: ['大', '大,小'].map((selection) => ({ playWayId: game.bigSmall, selection, unitStake })),
          ...more,
        },
      );
    const bizNo = randomUUID();
    const sends: [WantedBet, string][] = [
      [staked(betting, given(frozen), '1'), '该用户已被冻结，不能投注'],
      [staked(betting, given(poor), '50'), '可用余额不足'],
      [staked(betting, 99_999_999, '1'), '记录不存在'],
      [staked(betting, given(users[3]), '1', { phase: 'none' }), '期号 none 不存在'],
      [staked(betting, given(twice), '1', { bizNo }), '操作成功'],
      [staked(betting, given(twice), '1', { bizNo }), '操作成功'],
      ...users
        .slice(4)
        .map((user, index): [WantedBet, string] => [
          staked(index % 2 ? other : betting, user, '1.5'),
          '操作成功',
        ]),
    ];
    const answers = await Promise.all(sends.map(([wanted]) => place(wanted)));
    expect(answers.map(({ msg }) => msg)).toEqual(sends.map(([, msg]) => msg));
    expect(answers[4]?.data).toEqual(answers[5]?.data);
    expect(answers[7]?.data).toMatchObject({
      ...{ stake: '4.50' },
      lines: [
        { units: 1, stake: '1.50' },
        { units: 2, stake: '3.00' },
      ],
    });
    const balances = await Promise.all(
      users.map(async (user) => (await balanceOf(server.db, user)).totalAmount),
    );
    expect(balances).toEqual(
      users.map((_, index) => (index === 2 ? '97.00' : index < 4 ? '100.00' : '95.50')),
    );
    const { rows } = await sql<{ slips: number; lines: number }>`
      select count(distinct s.id)::int as slips, count(*)::int as lines
      from slip s join slip_line l on l."slipId" = s.id and l.xmin = s.xmin where s."userId" = any(${users}::bigint[])`.execute(
      server.db,
    );
    expect(rows[0]).toEqual({ slips: 37, lines: 74 });
    expect((await slipsOf(server.db, betting)) + (await slipsOf(server.db, other))).toBe(39);
    // How many of so many wait at the same moment is up to the machine: they are sent again until some did.
    const shared = async () => {
      const { rows: found } = await sql`select from slip where "userId" = any(${users}::bigint[])
        group by xmin::text having count(*) > 1`.execute(server.db);
      if (found.length === 0)
        await Promise.all(users.slice(4).map((user) => place(staked(betting, user, '0.1'))));
      return found.length;
    };
    await expect.poll(shared).toBeGreaterThan(0);
    await expectProven(server.db);
  });

  it('under one key are one slip, and all of them are answered with it', async () => {
    const betting = await buildBetting(server.db);
    const bet = slipOn(betting);
    const under = { headers: { 'idempotency-key': randomUUID() } };
    const sent = await Promise.all(Array.from({ length: 20 }, () => site.call(placeBet, bet, under)));
    const [first] = sent.map(({ envelope }) => envelope);
    expect(first).toMatchObject({ success: true, data: { stake: '10.00' } });
    expect(sent.map(({ envelope }) => envelope)).toEqual(sent.map(() => first));
    expect(await slipsOf(server.db, betting)).toBe(1);
  });

  it('do not wait for an account that somebody else holds: only its own slip does', async () => {
    const betting = await buildBetting(server.db);
    expect((await place(slipOn(betting))).success).toBe(true);
    const [held, ...free] = await buildBettors(server.db, 9, '100');
    const slipOf = (userId: number) => place(slipOn({ ...betting, userId }));
    let slow: ReturnType<typeof place> | undefined;
    let over = false;
    await server.db.transaction().execute(async (tx) => {
      await sql`select from account where "userId" = ${held} for update`.execute(tx);
      slow = slipOf(given(held)).finally(() => {
        over = true;
      });
      const others = await Promise.all(free.map(slipOf));
      expect(others.map(({ msg }) => msg)).toEqual(free.map(() => '操作成功'));
      expect(over).toBe(false);
    });
    // On a slow machine it may have waited for longer than a bet may, and is told so.
    expect(['操作成功', '同一数据正被多处同时修改，请稍后再试']).toContain((await slow)?.msg);
  });
});
