import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeGameBetStatus, changeGameStatus } from '#contract/games.ts';
import { placeDeposit } from '#contract/platform.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { stopPlayWay } from '#contract/play-ways.ts';
import { excludeOneself } from '#contract/player-limits.ts';
import { freezeUser } from '#contract/users.ts';
import { type Betting, buildBetting, slipOn, slipsOf } from '#server/testing/build-betting.ts';
import { balanceOf } from '#server/testing/build-user.ts';
import { waitForLocks } from '#server/testing/meeting.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  site = server.site();
  admin = await server.admin();
});
afterAll(() => server.close());

type Answer = Promise<{ envelope: { success: boolean; msg: string | null } }>;
type Act = (betting: Betting) => Answer;

const freeze: Act = ({ userId }) => admin.call(freezeUser, { userId, reason: '核实身份' });
const exclude: Act = ({ userId: id }) =>
  site.call(excludeOneself, { id, excludedUntil: '2999-01-01 00:00:00' });
const place: Act = (betting) => site.call(placeBet, slipOn(betting));

/** Begins this while somebody else holds what it needs, and goes on once it waits for that or is answered. */
async function begun<T>(work: () => Promise<T>, waiting: number): Promise<{ answer: Promise<T> }> {
  let isOver = false;
  const answer = work().finally(() => {
    isOver = true;
  });
  while (!isOver && (await waitForLocks(server.db)) < waiting);
  return { answer };
}

const holdAccount = ({ userId }: Betting) => sql`select from account where "userId" = ${userId} for update`;

/** What becomes of two acts of which the second begins while the first waits for what is held, and is then let go. */
async function oneAfterTheOther(betting: Betting, first: Act, second: Act, hold = holdAccount) {
  const tx = await server.db.startTransaction().execute();
  await hold(betting).execute(tx);
  const one = await begun(() => first(betting), 1);
  const other = await begun(async () => {
    const { envelope } = await second(betting);
    return { envelope, slips: await slipsOf(server.db, betting), deposits: await depositsOf(betting) };
  }, 2);
  await tx.rollback().execute();
  const [before, after] = await Promise.all([one.answer, other.answer]);
  const { envelope, slips: slipsThen, deposits: depositsThen } = after;
  return { one: before.envelope, other: envelope, slipsThen, depositsThen };
}

async function depositsOf({ userId }: Betting): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from deposit where "userId" = ${userId}`.execute(server.db);
  return rows[0]?.n ?? -1;
}

/** A game that the server knows already. */
async function knownBetting(): Promise<Betting> {
  const betting = await buildBetting(server.db);
  expect((await place(betting)).envelope.success).toBe(true);
  return betting;
}

// On a slow machine the second may have waited for longer than one may.
const CONTENDED = '同一数据正被多处同时修改，请稍后再试';

describe('a bet that waits for its account', { retry: 0 }, () => {
  it.each([
    ['a freeze', freeze],
    ['an exclusion', exclude],
  ])('is placed before %s is answered, or not at all', async (_, act) => {
    const betting = await knownBetting();
    const { other, slipsThen } = await oneAfterTheOther(betting, place, act);
    if (other.success) expect(await slipsOf(server.db, betting)).toBe(slipsThen);
    else expect(other.msg).toBe(CONTENDED);
  });

  it.each([
    ['frozen', freeze, '该用户已被冻结，不能投注'],
    ['excluded', exclude, '该用户已自我禁投至 2999-01-01 00:00:00'],
  ])('is refused where its player came to be %s before its turn', async (_, act, message) => {
    const betting = await knownBetting();
    const { one, other } = await oneAfterTheOther(betting, act, place);
    expect(one.success).toBe(true);
    expect([message, CONTENDED]).toContain(other.msg);
    expect(await slipsOf(server.db, betting)).toBe(1);
    expect((await balanceOf(server.db, betting.userId)).totalAmount).toBe('990.00');
  });

  it.each<[string, Act, RegExp]>([
    [
      'betting on its game',
      ({ gameId: id }) => admin.call(changeGameBetStatus, { id, betStatus: false }),
      /投注/,
    ],
    ['its game', ({ gameId: id }) => admin.call(changeGameStatus, { id, status: false }), /游戏/],
    ['its play way', ({ bigSmall: id }) => admin.call(stopPlayWay, { id, stopped: true }), /停押/],
  ])('is refused where %s was stopped meanwhile', async (_, act, message) => {
    const betting = await knownBetting();
    const { one, other, slipsThen } = await oneAfterTheOther(betting, place, act);
    expect(other.success).toBe(true);
    expect(slipsThen).toBe(1);
    expect(one.success).toBe(false);
    if (one.msg !== CONTENDED) expect(one.msg).toMatch(message);
    expect(await slipsOf(server.db, betting)).toBe(1);
  });
});

describe('an order to pay in that waits for its number', { retry: 0 }, () => {
  it.each([
    ['a freeze', freeze],
    ['an exclusion', exclude],
  ])('is placed before %s is answered, or not at all', async (_, act) => {
    const betting = await buildBetting(server.db);
    const bankOrderNo = randomUUID();
    const pay: Act = ({ userId }) =>
      site.call(placeDeposit, { userId, amount: '10', type: 'BANK_TRANSFER', bankOrderNo });
    // Somebody else is about to place one under the same number, and does not.
    const hold = () => sql`
      insert into deposit ("userId", amount, type, "bankOrderNo") select min(id), 1, 'BANK_TRANSFER', ${bankOrderNo} from player`;
    const { one, other, depositsThen } = await oneAfterTheOther(betting, pay, act, hold);
    expect([one.success, other.success]).toEqual([true, true]);
    expect(await depositsOf(betting)).toBe(depositsThen);
  });
});
