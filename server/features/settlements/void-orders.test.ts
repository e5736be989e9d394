import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { unvoidPhase, voidPhase } from '#contract/settlements.ts';
import { buildPhase, playWays, recordResult } from '#server/testing/build-slips.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { correctResult, startSettling } from '#server/testing/settled-slips.ts';

const { server, admin, settle, threeSlips, end } = await startSettling();
afterAll(end);

/** What a slip of these lines comes to, worked out by hand: the first place, the second, big or small with 9 given back. */
function wanted(result: string | null, voids: ReadonlySet<string>): string[] {
  const [first = 0, second = 0] = (result ?? '').split(',').map(Number);
  const lineOf = (
    rules: 'first' | 'second' | 'size',
    stake: number,
    wins: boolean,
    odds: number,
    isPush = false,
  ) => {
    if (voids.has('all') || voids.has(rules)) return { payout: 0, refund: stake, status: 'VOID' };
    if (result === null) return { payout: 0, refund: 0, status: 'PENDING' };
    if (isPush) return { payout: 0, refund: stake, status: 'PUSHED' };
    return { payout: wins ? stake * odds : 0, refund: 0, status: wins ? 'WON' : 'LOST' };
  };
  const big = (stake: number, side: boolean) =>
    lineOf('size', stake, first >= 5 === side, 1.985, first === 9);
  const slips = [
    [lineOf('first', 2, first === 9, 9.79), big(3, true)],
    [big(3, false)],
    [lineOf('second', 2, second === 3, 9.73)],
  ];
  return slips.map((lines) => {
    const counting = lines.filter(({ status }) => status !== 'VOID').map(({ status }) => status);
    const status =
      counting.length === 0
        ? 'VOID'
        : (['PENDING', 'WON'].find((each) => counting.includes(each)) ??
          (counting.every((each) => each === 'PUSHED') ? 'PUSHED' : 'LOST'));
    const sum = (of: 'payout' | 'refund') => lines.reduce((total, each) => total + each[of], 0);
    return `${status} ${sum('payout').toFixed(4)} ${sum('refund').toFixed(4)}`;
  });
}

it('whatever order results, corrections, voids and their ways back come in, slips end where the last of them says', async () => {
  const acts = fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('result' as const),
        result: fc.constantFrom('9,3,5', '7,3,5', '1,1,1', '9,4,4'),
      }),
      fc.record({
        kind: fc.constant('void' as const),
        of: fc.constantFrom('all' as const, 'first' as const, 'size' as const),
      }),
      fc.record({ kind: fc.constant('unvoid' as const) }),
      fc.record({ kind: fc.constant('settle' as const) }),
    ),
    { minLength: 3, maxLength: 9 },
  );
  await fc.assert(
    fc.asyncProperty(acts, async (all) => {
      const phase = await buildPhase(server.db);
      const slips = await threeSlips(phase);
      let record: { id: number; result: string } | undefined;
      const voids = new Map<string, number>();
      for (const act of all) {
        if (act.kind === 'settle') await settle();
        else if (act.kind === 'result' && !record)
          record = { id: await recordResult(server.db, phase, act.result), result: act.result };
        else if (act.kind === 'result' && record && record.result !== act.result) {
          const { id, result } = record;
          await correctResult(server.db, id, result, act.result);
          record = { id, result: act.result };
        } else if (act.kind === 'void') {
          const playWayId = act.of === 'all' ? undefined : playWays[act.of];
          const { data, success } = (await admin.call(voidPhase, { ...phase, playWayId, reason: '作废注单' }))
            .envelope;
          if (success && typeof data === 'number') voids.set(act.of, data);
        } else if (act.kind === 'unvoid') {
          const [last] = [...voids].toReversed();
          if (!last) continue;
          const input = { settlementId: last[1], reason: '恢复注单' };
          expect((await admin.call(unvoidPhase, input)).envelope.success).toBe(true);
          voids.delete(last[0]);
        }
      }
      await settle();
      const { rows } = await sql<{ slip: string }>`
        select s.status || ' ' || round(s.payout, 4) || ' ' || round(s.refund, 4) as slip
        from unnest(${slips}::bigint[]) with ordinality as w (id, n) join slip s using (id) order by n`.execute(
        server.db,
      );
      expect(rows.map(({ slip }) => slip)).toEqual(wanted(record?.result ?? null, new Set(voids.keys())));
      // The ledger moved just that, payout and refund apart.
      const { rows: wrong } = await sql`
        select s.id from slip s, lateral (
          select coalesce(sum(case "changeType" when 'WIN' then amount when 'WIN_REVERSAL' then -amount end), 0) as payout,
            coalesce(sum(case "changeType" when 'BET_REFUND' then amount when 'REFUND_REVERSAL' then -amount end), 0) as refund
          from account_history h where h."bizOrderNo" = 'B' || s.id or h."bizOrderNo" like 'B' || s.id || '/%') as l
        where s.id = any(${slips}::bigint[]) and (s.payout <> l.payout or s.refund <> l.refund)`.execute(
        server.db,
      );
      expect(wrong).toEqual([]);
    }),
    { seed: randomSeed, numRuns: 15 },
  );
});
