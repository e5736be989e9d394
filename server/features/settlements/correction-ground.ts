import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';
import { Refusal } from '#server/refusal.ts';
import { findRecord } from '../draw-records/draw-record-store.ts';
import { isSameResult } from '../draw-records/same-result.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { lockPhase } from './phase.ts';

interface Told {
  readonly result: string;
  readonly source: string | null;
}

/** What a correction stands on: its record, what shall stand in its place, and how far the phase's settlements are. */
export interface Ground {
  readonly recordId: number;
  readonly gameId: number;
  readonly phase: string;
  readonly standing: Told & { readonly conflict: boolean };
  readonly chosen: Told;
  readonly hasSlips: boolean;
  /** The last settlement that has begun, and how often settlements have changed slips of the phase. */
  readonly last: number;
  readonly changes: number;
  /** Settlements that are not done, and whether one of them has something to do at this moment. */
  readonly unfinished: readonly number[];
  readonly isSettling: boolean;
}

type Standing = Pick<Ground, 'hasSlips' | 'last' | 'changes' | 'unfinished' | 'isSettling'>;

async function standingOf(db: Db, gameId: number, phase: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select exists (select from slip where "gameId" = ${gameId} and phase = ${phase}) as "hasSlips",
      coalesce(max(id), 0)::bigint as last, coalesce(sum(slips + (select coalesce(sum(b.settled), 0) from settlement_batch b where b."settlementId" = s.id)), 0)::integer as changes,
      coalesce(array_agg(id order by id) filter (where status <> 'DONE'), '{}') as unfinished,
      coalesce(bool_or(status = 'RUNNING' and ("gatheredTime" is null
        or exists (select from settlement_batch b where b."settlementId" = s.id and b.slips <> '{}'))), false) as "isSettling"
    from settlement s where "gameId" = ${gameId} and phase = ${phase}`.execute(db);
  return given(rows[0]);
}

/**
 * What correcting a record would stand on now; with `lock` others who correct it wait until the transaction ends. Nobody makes a result up:
 * it is one that a source gave, and of a local draw the one that was drawn. The one that stands is chosen only where it is in dispute. Throws
 * `recordNotFound`, `conflictMissing`, `localDrawFixed` and `resultStands`.
 */
export async function groundOf(
  db: Db,
  { recordId, result }: { recordId: number; result: string },
  { lock = false } = {},
): Promise<Ground> {
  const record = await findRecord(db, recordId, lock);
  if (!record) throw new Refusal('recordNotFound');
  const { gameId, phase, source, conflict, seed, claims } = record;
  const rule = await resultRuleOf(db, gameId);
  const chosen = [record, ...claims].find((said) => isSameResult(said.result, result, rule));
  if (chosen === undefined) throw new Refusal('conflictMissing', { field: 'result' });
  if (seed !== null && chosen !== record) throw new Refusal('localDrawFixed', { field: 'result' });
  if (chosen === record && !conflict) throw new Refusal('resultStands', { field: 'result' });
  if (lock) await lockPhase(db, record);
  return {
    ...{ recordId, gameId, phase, standing: { result: record.result, source, conflict } },
    chosen: { result: chosen.result, source: chosen.source },
    ...(await standingOf(db, gameId, phase)),
  };
}

/** Keeps settlements that wait from going on before the transaction ends. Tells whether none of them was about to. */
export async function holdUnfinished(tx: Db, { unfinished }: Ground): Promise<boolean> {
  const { rows } = await sql`
    select from settlement where id = any(${[...unfinished]}::bigint[]) and status <> 'DONE' for update skip locked`.execute(
    tx,
  );
  return rows.length === unfinished.length;
}
