import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Found, findRows } from '#contract/finding.ts';
import { moneyText } from '#contract/money-text.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator, PASSWORD } from '#server/testing/build-operator.ts';
import { buildBettors, buildSlips } from '#server/testing/build-slips.ts';
import { buildUser } from '#server/testing/build-user.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
let userId: number;
let depositId: number;
let gameId: number;
const bankOrderNo = `bank-${randomUUID()}`;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
  ({ userId } = await buildUser(server.db, {
    username: 'findme_77',
    nickName: '王五',
    realName: '欧阳修远',
    phone: '13800138765',
  }));
  gameId = await buildGame(server.db, { name: '查找用的彩' });
  await sql`
    insert into draw_plan ("gameId", phase, "startTime", "endTime")
    values (${gameId}, '20990101001', '2099-01-01', '2099-01-02')`.execute(server.db);
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime") values (${gameId}, '20200101001', '1,2,3', '2020-01-01')`.execute(
    server.db,
  );
  const { rows } = await sql<{ id: number }>`
    insert into deposit ("userId", amount, "bankOrderNo", type)
    values (${userId}, 12345.5, ${bankOrderNo}, 'THIRD_PARTY') returning id`.execute(server.db);
  depositId = rows[0]?.id ?? 0;
  await sql`
    insert into player ("nickName", username, phone) select '路人' || n, 'passer' || n, '199' || n
    from generate_series(10000000, 10020000) n`.execute(server.db);
  await sql`analyze player`.execute(server.db);
});
afterAll(() => server.close());

const foundBy = async (client: TestClient, text: string): Promise<Found[]> => {
  const { envelope } = await client.call(findRows, { text });
  if (!envelope.data) throw new Error(envelope.msg ?? '');
  return envelope.data;
};
const idsOf = (rows: readonly Found[], noun: Found['noun']): number[] =>
  rows.filter((row) => row.noun === noun).map(({ id }) => id);

describe('finding', () => {
  it('takes a single digit for a number, and not for the beginning of every phone', async () => {
    await sql`
      insert into player (id, "nickName", username) overriding system value values (7, '七号', 'seventh')
      on conflict (id) do update set "nickName" = '七号'`.execute(server.db);
    const rows = await foundBy(admin, '7');
    expect(rows.filter(({ noun }) => noun === 'user')).toEqual([
      expect.objectContaining({ id: 7, title: '七号' }),
    ]);
    expect(idsOf(await foundBy(admin, '1'), 'user')).toEqual([userId]);
  });

  it.each(['8001387', '38765', 'findme', 'DME_77', '王五', '欧阳', '阳修', '阳修远'])(
    'finds a player by %s',
    async (text) => {
      expect(idsOf(await foundBy(admin, text), 'user')).toEqual([userId]);
    },
  );

  it('finds a player by number, and tells them from others', async () => {
    const [row] = await foundBy(admin, String(userId));
    expect(row).toMatchObject({ noun: 'user', id: userId, name: '王五', title: '王五' });
    expect(row?.detail).toContain('13800138765');
  });

  it('finds an order by its number and the bank’s, a phase, a result and a game', async () => {
    const byNumber = await foundBy(admin, String(depositId));
    expect(idsOf(byNumber, 'deposit')).toEqual([depositId]);
    expect(await foundBy(admin, bankOrderNo)).toEqual([
      expect.objectContaining({
        noun: 'deposit',
        id: depositId,
        detail: expect.stringContaining(' · 金额 12,345.50 · '),
      }),
    ]);
    expect(await foundBy(admin, '20990101001')).toEqual([
      expect.objectContaining({
        noun: 'drawPlan',
        gameId,
        phase: '20990101001',
        detail: '查找用的彩 · 待开奖',
      }),
    ]);
    expect(await foundBy(admin, '20200101001')).toEqual([
      expect.objectContaining({ noun: 'drawRecord', gameId, detail: '查找用的彩 · 1,2,3' }),
    ]);
    expect(await foundBy(admin, '找用的')).toEqual([
      expect.objectContaining({ noun: 'game', id: gameId, name: '查找用的彩' }),
    ]);
  });

  it.each(['200', '0.5', '0.1234', '1234567.125', '99999999999999'])('writes %s as money', async (amount) => {
    const orderNo = randomUUID();
    await sql`
      insert into deposit ("userId", amount, "bankOrderNo", type)
      values (${userId}, ${amount}, ${orderNo}, 'THIRD_PARTY')`.execute(server.db);
    const [row] = await foundBy(admin, orderNo);
    expect(row?.detail).toContain(` · 金额 ${moneyText(amount)} · `);
  });

  it('finds a slip by its number and by what the players’ site calls it', async () => {
    const [bettor = 0] = await buildBettors(server.db, 1);
    const lines = [{ rules: 'first', selection: '1', unitStake: '20' }] as const;
    const [slipId] = await buildSlips(server.db, { gameId, phase: '20990101001' }, [
      { userId: bettor, lines },
    ]);
    const { rows } = await sql<{ bizNo: string }>`select "bizNo" from slip where id = ${slipId}`.execute(
      server.db,
    );
    for (const text of [String(slipId).padStart(2, '0'), rows[0]?.bizNo ?? ''])
      expect(idsOf(await foundBy(admin, text), 'slip')).toEqual([slipId]);
  });

  it('finds what looks like a pattern literally, and few of many', async () => {
    expect(await foundBy(admin, '%%%')).toEqual([]);
    expect(await foundBy(admin, '___')).toEqual([]);
    expect(await foundBy(admin, "'; drop table player; --")).toEqual([]);
    expect(await foundBy(admin, '9'.repeat(40))).toEqual([]);
    expect((await foundBy(admin, 'passer')).length).toBe(6);
    const { envelope } = await admin.call(findRows, { text: '' });
    expect(envelope.data).toHaveProperty('errors.text');
  });

  it('finds for each only what they may list', async () => {
    const as = async (grants: readonly string[]) => {
      const { username } = await buildOperator(server.db, { grants });
      return server.as(username, PASSWORD);
    };
    const cashier = await as(['/main/user/deposit-record']);
    expect(await foundBy(cashier, '13800138765')).toEqual([]);
    expect(idsOf(await foundBy(cashier, bankOrderNo), 'deposit')).toEqual([depositId]);
    expect(await foundBy(await as([]), bankOrderNo)).toEqual([]);
  });

  it('reads no table through, whatever is asked', async () => {
    const tables = ['player', 'deposit', 'withdrawal', 'slip', 'draw_plan', 'draw_record'];
    const scans = async () => {
      const { rows } = await sql<{ relname: string; seq: number; idx: number }>`
        select relname, seq_scan as seq, coalesce(idx_scan, 0) as idx from pg_stat_user_tables
        where relname = any(${tables}::text[]) order by 1`.execute(server.db);
      return rows;
    };
    // What earlier statements counted is told a little later.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const before = await scans();
    for (const text of ['8765', '王五', 'passer', '12345', bankOrderNo, '20990101001'])
      await foundBy(admin, text);
    await expect
      .poll(
        async () => {
          await foundBy(admin, '8765');
          return (await scans()).every(({ idx }, place) => idx > (before[place]?.idx ?? 0));
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    expect((await scans()).map(({ relname, seq }) => [relname, seq])).toEqual(
      before.map(({ relname, seq }) => [relname, seq]),
    );
  });
});
