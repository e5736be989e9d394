import { sql } from 'kysely';
import type { WireInput } from '#contract/endpoint.ts';
import { pageSettlements } from '#contract/settlements.ts';
import type { Db } from '#server/db/database.ts';
import { correctRecord } from '#server/features/draw-records/draw-record-store.ts';
import { settleDue } from '#server/features/settlements/settle.ts';
import { type BuiltPhase, buildBettors, buildSlips, builtLine } from './build-slips.ts';
import { given } from './given.ts';
import { expectProven } from './ledger-proof.ts';
import { startTestServer } from './test-server.ts';

/** How slips stand, as in `WON 19.46 0.00`: status, payout and refund, in the order of the ids. */
export async function slipsTold(db: Db, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ told: string }>`
    select s.status || ' ' || s.payout || ' ' || s.refund as told
    from unnest(${[...ids]}::bigint[]) with ordinality as w (id, n) join slip s using (id) order by n`.execute(
    db,
  );
  return rows.map(({ told }) => told);
}

/** Slips of three players: 2 on 9 at the first place and 3 on 大, 3 on 小, 2 on 3 at the second place. */
async function buildThreeSlips(db: Db, phase: BuiltPhase): Promise<[number, number, number]> {
  const [anna = 0, berta = 0, clara = 0] = await buildBettors(db, 3);
  const [first = 0, second = 0, third = 0] = await buildSlips(db, phase, [
    { userId: anna, lines: [builtLine('first', '9'), builtLine('size', '大', '3')] },
    { userId: berta, lines: [builtLine('size', '小', '3')] },
    { userId: clara, lines: [builtLine('second', '3')] },
  ]);
  return [first, second, third];
}

/** Corrects a record as an operator does who was asked by nobody. */
export const correctResult = (db: Db, recordId: number, oldResult: string, newResult: string) =>
  db.transaction().execute((tx) =>
    correctRecord(tx, {
      ...{ recordId, oldResult, newResult, source: '另一来源', reason: '官方更正' },
      ...{ operatorId: 1, userName: 'admin' },
    }),
  );

/** A server on which slips are settled when `settle` is called, with its first operator. `end` proves the ledger first. */
export async function startSettling() {
  const server = await startTestServer();
  const admin = await server.admin();
  return {
    server,
    admin,
    settle: () => settleDue(server.db),
    slipsOf: (ids: readonly number[]) => slipsTold(server.db, ids),
    /** The settlements that an operator finds, the newest first. */
    told: async (search: WireInput<typeof pageSettlements>) =>
      given((await admin.call(pageSettlements, search)).envelope.data).data,
    threeSlips: (phase: BuiltPhase) => buildThreeSlips(server.db, phase),
    end: async () => {
      await expectProven(server.db);
      await server.close();
    },
  };
}
