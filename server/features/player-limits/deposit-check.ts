import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { refusalOfPlayerLimit } from './limit-refusals.ts';

const told = z.looseObject({
  problem: z.enum(['ABSENT', 'FROZEN', 'EXCLUDED', 'LIMIT']),
  until: z.string().optional(),
});

/**
 * What a player's order to pay in is refused for; nothing where nothing is. Until the transaction ends no other order of the player is placed,
 * and no limit of theirs is changed.
 */
export async function refusalOfDeposit(tx: Db, userId: number, amount: string): Promise<Refusal | undefined> {
  const { rows } = await sql<{ told: unknown }>`
    select deposit_in_the_way(${userId}, ${amount}::numeric) as told`.execute(tx);
  if (!rows[0]?.told) return undefined;
  const { problem, until = '' } = told.parse(rows[0].told);
  if (problem === 'ABSENT') return new Refusal('recordNotFound', { field: 'userId' });
  if (problem === 'FROZEN') return new Refusal('depositorFrozen', { field: 'userId' });
  if (problem === 'EXCLUDED') return new Refusal('userExcluded', { field: 'userId', values: { until } });
  return refusalOfPlayerLimit('depositLimitExceeded', rows[0].told, 'amount');
}
