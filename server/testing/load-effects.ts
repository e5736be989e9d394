import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import { countRows } from '#server/db/counted-list.ts';
import type { Db } from '#server/db/database.ts';
import { proveBets } from '#server/features/bets-proof/prove-bets.ts';
import { proveSeals } from '#server/features/seals/prove-seals.ts';
import { createVault } from '#server/vault.ts';
import type { BuiltUser } from './build-user.ts';
import type { DrawingGame } from './drawing-game.ts';
import { expectProven } from './ledger-proof.ts';
import type { Done } from './load.ts';
import { programEnvironment } from './program.ts';

const PATIENCE = { timeout: 60_000, interval: 500 };
const vault = createVault(Buffer.from(programEnvironment.APP_SECRET, 'base64'));

type Kind = Done['kind'];
const calls: Readonly<Record<string, readonly Kind[]>> = {
  addBalance: ['credit'],
  subtractBalance: ['debit'],
  reviewDeposit: ['pass', 'turnDown'],
  markWithdrawal: ['pay', 'giveBack'],
  addRole: ['role'],
};

const slipIdOf = ({ answer }: Done): number => (answer as { slipId: number }).slipId;

/** What of a load is in the database, told as the load tells what it did. */
async function readEffects(db: Db, players: readonly BuiltUser[], gameId: number) {
  const users = players.map(({ userId }) => userId);
  const pairs = async (query: RawBuilder<{ key: string; is: unknown }>) => {
    const { rows } = await query.execute(db);
    expect(new Set(rows.map(({ key }) => key)).size, 'each under one number').toBe(rows.length);
    return new Map(rows.map(({ key, is }) => [key, is]));
  };
  const orders = (table: 'deposit' | 'withdrawal') =>
    pairs(
      sql`select "bankOrderNo" as key, id || ' ' || status as is from ${sql.table(table)} where "userId" = any(${users}::bigint[])`,
    );
  return {
    entries: await pairs(sql`
      select "changeType" as key, count(*) as is from account_history where "userId" = any(${users}::bigint[])
        and "changeType" in ('MANUAL_ADDITION', 'MANUAL_DEDUCTION', 'RECHARGE', 'WITHDRAW', 'BET', 'BET_REFUND') group by 1`),
    gifts: await pairs(sql`
      select "bizOrderNo" as key, "userId" as is from account_history where "userId" = any(${users}::bigint[])
        and "changeType" = 'RECHARGE_GIVE'`),
    slips: await pairs(sql`
      select "bizNo" as key, id || case when status = 'CANCELLED' then ' cancelled' else '' end as is from slip
      where "gameId" = ${gameId}`),
    deposits: await orders('deposit'),
    withdrawals: await orders('withdrawal'),
    changes: await pairs(sql`
      select call as key, count(*) as is from change_record
      where call = any(${Object.keys(calls)}::text[]) and outcome = 'SUCCESS' group by 1`),
  };
}

/** The same as it should be. */
function effectsOf(done: readonly Done[], players: readonly BuiltUser[]) {
  const of = (...kinds: Kind[]) => done.filter(({ kind }) => kinds.includes(kind));
  const about = (kind: Kind) => new Set(of(kind).map((one) => one.of));
  const counted = (counts: Readonly<Record<string, number>>) =>
    new Map(Object.entries(counts).filter(([, count]) => count > 0));
  const orders = (kind: Kind, taken: Kind, refused: Kind) => {
    const [ended, failed] = [about(taken), about(refused)];
    const statusOf = (id: number) => (ended.has(id) ? 'SUCCESS' : failed.has(id) ? 'FAIL' : 'PROCESSING');
    return new Map(of(kind).map(({ key, answer }) => [key, `${answer} ${statusOf(Number(answer))}`]));
  };
  const cancelled = about('cancel');
  return {
    entries: counted({
      ...{ MANUAL_ADDITION: of('credit').length + players.length, MANUAL_DEDUCTION: of('debit').length },
      ...{ RECHARGE: of('pass').length, WITHDRAW: of('pay').length },
      ...{ BET: of('slip').length, BET_REFUND: of('cancel').length },
    }),
    gifts: new Map(of('entry').map(({ key, userId }) => [key, userId])),
    slips: new Map(
      of('slip').map((one) => [
        one.key,
        `${slipIdOf(one)}${cancelled.has(slipIdOf(one)) ? ' cancelled' : ''}`,
      ]),
    ),
    deposits: orders('deposit', 'pass', 'turnDown'),
    withdrawals: orders('withdrawal', 'pay', 'giveBack'),
    changes: counted(
      Object.fromEntries(Object.entries(calls).map(([call, kinds]) => [call, of(...kinds).length])),
    ),
  };
}

/** Totals of lists, which triggers count, beside the rows themselves, in one look. */
const miscounted = (db: Db): Promise<string[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const wrong: string[] = [];
      for (const table of ['account_history', 'deposit', 'withdrawal', 'slip', 'change_record']) {
        const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(tx);
        const told = await countRows(tx, { table }, {});
        if (told !== rows[0]?.n) wrong.push(`${table}: ${told} told of ${rows[0]?.n}`);
      }
      return wrong;
    });

/**
 * Everything a load was answered is there exactly once, with its line in the change record, and nothing else; sums, hashes, slips, limits,
 * exposure, totals of lists and seals prove.
 */
export async function expectEffects(
  db: Db,
  { players, game }: { readonly players: readonly BuiltUser[]; readonly game: DrawingGame },
  done: readonly Done[],
): Promise<void> {
  expect(await readEffects(db, players, game.gameId)).toEqual(effectsOf(done, players));
  await expectProven(db);
  expect((await proveBets(db)).breaks).toEqual([]);
  expect(await miscounted(db)).toEqual([]);
  let proof = await proveSeals(db, vault, { timeZone: 'Asia/Shanghai' });
  const unsealed = async () => {
    if (proof.unsealed > 0) proof = await proveSeals(db, vault, { timeZone: 'Asia/Shanghai' });
    return proof.unsealed;
  };
  await expect.poll(unsealed, PATIENCE).toBe(0);
  expect(proof.problems).toEqual([]);
}
