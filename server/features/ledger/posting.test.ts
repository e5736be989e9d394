import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { outgoingChanges } from '#contract/named-fields.ts';
import { Refusal } from '#server/refusal.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { type Entry, postAll } from './ledger-store.ts';

const PLAYERS = 5;
const LIMIT = 10n ** 16n;
const UNKNOWN = 99_999_999;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** The rules of posting said once more, in whole ten-thousandths and without any database. */
interface Purse {
  available: bigint;
  frozen: bigint;
  debt: bigint;
  /** The ledger: what moved, how much, and the total after it. */
  rows: [type: string, amount: bigint, total: bigint][];
}
interface Outcome {
  problem: string | null;
  total: bigint;
  owed: bigint;
}
type Plan = Pick<Entry, 'changeType' | 'source'> & { player: number; units: bigint };

const totalOf = ({ available, frozen }: Purse): bigint => available + frozen;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** What becomes of a purse, or why nothing does. */
function apply(purse: Purse, { changeType, source, units }: Plan): { problem: string } | { owed: bigint } {
  const isOut = (outgoingChanges as readonly string[]).includes(changeType);
  if (purse.debt > 0n && (changeType === 'FREEZE' || changeType === 'WITHDRAW')) return { problem: 'MN005' };
  const owed = isOut && source === 'OWING' && units > purse.available ? units - purse.available : 0n;
  const moved = units - owed;
  const toAvailable =
    { FREEZE: -moved, UNFREEZE: moved }[changeType as 'FREEZE'] ??
    (isOut ? (source === 'FROZEN' ? 0n : -moved) : moved);
  const toFrozen =
    { FREEZE: moved, UNFREEZE: -moved }[changeType as 'FREEZE'] ??
    (isOut && source === 'FROZEN' ? -moved : 0n);
  if (purse.available + toAvailable < 0n || purse.frozen + toFrozen < 0n) return { problem: 'MN001' };
  if (totalOf(purse) + toAvailable + toFrozen >= LIMIT) return { problem: 'MN003' };
  purse.available += toAvailable;
  purse.frozen += toFrozen;
  if (changeType !== 'FREEZE' && changeType !== 'UNFREEZE' && moved > 0n)
    purse.rows.push([changeType, moved, totalOf(purse)]);
  purse.debt += owed;
  const repaid = owed > 0n ? 0n : least(purse.debt, purse.available);
  if (repaid > 0n) {
    purse.available -= repaid;
    purse.debt -= repaid;
    purse.rows.push(['DEBT_REPAYMENT', repaid, totalOf(purse)]);
  }
  return { owed };
}

function outcomeOf(purse: Purse | undefined, plan: Plan): Outcome {
  if (!purse) return { problem: 'MN002', total: -1n, owed: -1n };
  const done = apply(purse, plan);
  if ('problem' in done) return { problem: done.problem, total: totalOf(purse), owed: -1n };
  return { problem: null, total: totalOf(purse), owed: done.owed };
}

const unitsOf = (text: string): bigint => {
  const [whole = '', places = ''] = text.split('.');
  return BigInt(whole) * 10_000n + BigInt(places.padEnd(4, '0'));
};
const textOf = (units: bigint): string => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`;

const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 1n, max: 90_000n }) },
  { weight: 1, arbitrary: fc.constantFrom(1n, 5_000n, 9_999n * 10n ** 12n, LIMIT - 1n) },
);
const kind = fc.constantFrom<Pick<Entry, 'changeType' | 'source'>>(
  ...(['WIN', 'WIN', 'BET_REFUND', 'RECHARGE', 'MANUAL_ADDITION'] as const).map((changeType) => ({
    changeType,
  })),
  ...(['BET', 'MANUAL_DEDUCTION', 'WIN_REVERSAL', 'FREEZE', 'FREEZE', 'UNFREEZE'] as const).map(
    (changeType) => ({ changeType }),
  ),
  ...(['WIN_REVERSAL', 'REFUND_REVERSAL', 'WIN_REVERSAL'] as const).map((changeType) => ({
    changeType,
    source: 'OWING' as const,
  })),
  { changeType: 'WITHDRAW', source: 'FROZEN' },
);
const plan = fc
  .record({ player: fc.integer({ min: 0, max: PLAYERS }), units: amount, kind })
  .map(({ kind: what, ...rest }): Plan => ({ ...rest, ...what }));
const batches = fc.array(
  fc.record({ standAlone: fc.boolean(), plans: fc.array(plan, { minLength: 1, maxLength: 40 }) }),
  { minLength: 1, maxLength: 8 },
);

/** What the database has, in the model's terms. */
async function purseOf(userId: number): Promise<Purse> {
  const { db } = server;
  const account = await db
    .selectFrom('account')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('account_history')
    .select(['changeType', 'amount', 'newAmount'])
    .where('userId', '=', userId)
    .orderBy('accountSeq')
    .execute();
  return {
    available: unitsOf(account.availableAmount),
    frozen: unitsOf(account.freezeAmount),
    debt: unitsOf(account.debt),
    rows: rows.map((row) => [row.changeType, unitsOf(row.amount), unitsOf(row.newAmount)]),
  };
}

const copyOf = (purses: readonly Purse[]): Purse[] =>
  purses.map((purse) => ({ ...purse, rows: [...purse.rows] }));
const messages = {
  MN001: '可用余额不足',
  MN002: '记录不存在',
  MN003: '余额超出上限',
  MN005: '该用户有未还清的欠款，不能提现',
};

it('120 random sequences of batches, all-or-none or each alone: what an independent model says, to the last unit', {
  retry: 0,
}, async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (sequence) => {
      const players = await Promise.all(Array.from({ length: PLAYERS }, () => buildUser(server.db)));
      let purses: Purse[] = players.map(() => ({ available: 0n, frozen: 0n, debt: 0n, rows: [] }));
      for (const { standAlone, plans } of sequence) {
        const entries = plans.map(
          ({ player, units, ...what }): Entry => ({
            ...{
              userId: players[player]?.userId ?? UNKNOWN,
              amount: textOf(units),
              bizOrderNo: randomUUID(),
              desc: null,
              ...what,
            },
          }),
        );
        const tried = copyOf(purses);
        const outcomes = plans.map((each) => outcomeOf(tried[each.player], each));
        const posting = server.db.transaction().execute((tx) => postAll(tx, entries, { standAlone }));
        const first = outcomes.find(({ problem }) => problem !== null)?.problem;
        if (first && !standAlone) {
          const refusal: unknown = await posting.catch((error: unknown) => error);
          expect(refusal).toBeInstanceOf(Refusal);
          expect((refusal as Refusal).message).toBe(messages[first as keyof typeof messages]);
          continue;
        }
        const posted = await posting;
        const told = posted.map(
          ({ problem, totalAmount, owed }, place): Outcome => ({
            problem,
            total: problem === 'MN002' ? -1n : unitsOf(totalAmount),
            owed: problem ? -1n : unitsOf(owed),
            ...(entries[place]?.userId === posted[place]?.userId ? {} : { problem: 'out of order' }),
          }),
        );
        expect(told).toEqual(outcomes);
        purses = tried;
      }
      expect(await Promise.all(players.map(({ userId }) => purseOf(userId)))).toEqual(purses);
    }),
    { numRuns: 120, seed: randomSeed },
  );
  const proof = await expectProven(server.db);
  expect(proof.debts).toBeGreaterThan(100);
});

it('an order number that was posted before undoes the whole batch, in the same batch too', async () => {
  const players = await Promise.all(Array.from({ length: 3 }, () => buildUser(server.db)));
  const entry = (place: number, bizOrderNo: string): Entry => ({
    ...{ userId: given(players[place]?.userId), changeType: 'WIN', amount: '5', bizOrderNo, desc: null },
  });
  const post = (entries: Entry[]) =>
    server.db.transaction().execute((tx) => postAll(tx, entries, { standAlone: true }));
  await post([entry(0, 'B900')]);
  const refused = [
    [entry(1, 'B901'), entry(0, 'B900')],
    [entry(1, 'B901'), entry(2, 'B900')],
    [entry(1, 'B901'), entry(2, 'B901')],
    [entry(1, 'B901'), entry(1, 'B901')],
  ];
  for (const entries of refused) await expect(post(entries)).rejects.toThrow('订单号已被使用');
  expect(
    (await Promise.all(players.map(({ userId }) => purseOf(userId)))).map(({ rows }) => rows.length),
  ).toEqual([1, 0, 0]);
  await expectProven(server.db);
});

it('batches of the same accounts in opposite orders, and single entries between them, never wait in a circle', {
  retry: 0,
}, async () => {
  const players = await Promise.all(Array.from({ length: 30 }, () => buildUser(server.db)));
  const batch = (reverse: boolean): Entry[] => {
    const entries = players.map(
      ({ userId }): Entry => ({
        ...{ userId, changeType: 'WIN', amount: '1', bizOrderNo: randomUUID(), desc: null },
      }),
    );
    return reverse ? entries.toReversed() : entries;
  };
  const works = Array.from({ length: 24 }, (_, turn) =>
    turn % 3 === 2 ? batch(false).slice(turn, turn + 1) : batch(turn % 2 === 0),
  );
  await Promise.all(works.map((entries) => server.db.transaction().execute((tx) => postAll(tx, entries))));
  const totals = await Promise.all(players.map(async ({ userId }) => (await purseOf(userId)).available));
  expect(totals.reduce((sum, one) => sum + one, 0n)).toBe(10_000n * BigInt(works.flat().length));
  await expectProven(server.db);
});
