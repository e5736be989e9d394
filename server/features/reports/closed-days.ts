import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { errorCode } from '#server/db/driver/outage.ts';
import type { Day } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';

/**
 * Keeps everybody else from counting on a day until the transaction ends, and waits for those who do: what the day came to stands still. To
 * be taken before any account is.
 */
export async function holdDay(tx: Db, day: Day): Promise<void> {
  await sql`select hold_report_day(${day}::date)`.execute(tx);
}

/** A rebate as reports count it: whom it went to, and what it is for, as far as it belongs to one game, play way, chain of agents. */
export interface CountedRebate {
  readonly userId: number;
  readonly gameId: number | null;
  readonly playWayId: number | null;
  /** Nearest first, as slips keep them. */
  readonly agents: readonly { readonly id: number }[];
  readonly amount: string;
}

/** Counts rebates on the day they are for; on today where that is closed. */
export async function countRebates(tx: Db, day: Day, rebates: readonly CountedRebate[]): Promise<void> {
  if (rebates.length === 0) return;
  const of = <T>(value: (rebate: CountedRebate) => T): T[] => rebates.map(value);
  await sql`
    select count_rebates(${day}::date, ${of(({ userId }) => userId)}::bigint[], ${of(({ gameId }) => gameId)}::bigint[],
      ${of(({ playWayId }) => playWayId)}::bigint[], ${of(({ agents }) => JSON.stringify(agents))}::jsonb[],
      ${of(({ amount }) => amount)}::numeric[])`.execute(tx);
}

const refusals = { RP001: 'dayNotOver', RP002: 'dayClosed' } as const;
const isRefused = (code: string): code is keyof typeof refusals => Object.hasOwn(refusals, code);

/** Closes a day for good: whatever comes after counts on the day it is done. Refused where it is not over, or closed already. */
export async function closeDay(tx: Db, day: Day): Promise<void> {
  try {
    await sql`select close_report_day(${day}::date)`.execute(tx);
  } catch (error) {
    const code = errorCode(error);
    throw isRefused(code) ? new Refusal(refusals[code], { values: { day } }) : error;
  }
}
