import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Phase } from './phase.ts';

/** A void of a phase that is in force for a settlement: begun before it, and not undone by then. */
export interface VoidInForce {
  readonly id: number;
  readonly playWayId: number | null;
}

/** From which voids (as `v`) are read that are in force for a settlement of a phase. */
export const voidsInForce = (
  settlementId: RawBuilder<unknown>,
  gameId: RawBuilder<unknown>,
  phase: RawBuilder<unknown>,
) => sql`
  from settlement v where v."gameId" = ${gameId} and v.phase = ${phase} and v.kind = 'VOID' and v.id <= ${settlementId}
    and not exists (select from settlement u where u.undoes = v.id and u.id <= ${settlementId})`;

export async function voidsOf(
  tx: Db,
  { settlementId, gameId, phase }: Phase & { readonly settlementId: number },
): Promise<VoidInForce[]> {
  const from = voidsInForce(sql`${settlementId}::bigint`, sql`${gameId}::bigint`, sql`${phase}::text`);
  const { rows } = await sql<VoidInForce>`select v.id, v."playWayId" ${from}`.execute(tx);
  return rows;
}
