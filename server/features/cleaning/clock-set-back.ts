import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** A moment that rows wait for, and longer than any is ever ahead. */
interface Wait {
  readonly table:
    | 'outbound_host'
    | 'spider'
    | 'mail_outbox'
    | 'anchor_sending'
    | 'draw_alarm'
    | 'slip_hold'
    | 'rebate_item'
    | 'sign_in_failure';
  readonly moment: 'nextTime' | 'nextRunTime' | 'blockedUntil';
  readonly longest: RawBuilder<unknown>;
  readonly which?: RawBuilder<SqlBool>;
}

const minutes = (most: number): RawBuilder<unknown> => sql`make_interval(mins => ${most})`;

const waits: readonly Wait[] = [
  { table: 'outbound_host', moment: 'nextTime', longest: minutes(15) },
  { table: 'spider', moment: 'nextRunTime', longest: minutes(15) },
  {
    table: 'mail_outbox',
    moment: 'nextTime',
    longest: minutes(120),
    which: sql<SqlBool>`status in ('PENDING', 'SENDING')`,
  },
  { table: 'anchor_sending', moment: 'nextTime', longest: minutes(120) },
  { table: 'draw_alarm', moment: 'nextTime', longest: minutes(15) },
  { table: 'slip_hold', moment: 'nextTime', longest: minutes(15) },
  { table: 'rebate_item', moment: 'nextTime', longest: minutes(15) },
  { table: 'sign_in_failure', moment: 'blockedUntil', longest: minutes(120) },
];

/**
 * Ends waits for moments that only a clock which was ahead, and was set back since, can have told: whoever waits would do so for as long as it
 * was ahead. Tells how many.
 */
export async function endFarWaits(db: Db, most: number): Promise<number> {
  let ended = 0;
  for (const { table, moment, longest, which = sql`true` } of waits) {
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(moment)} = now() where ctid = any(array(
        select ctid from ${sql.table(table)} where ${which} and ${sql.ref(moment)} > now() + ${longest}
        limit ${most - ended} for update skip locked))`.execute(db);
    ended += Number(numAffectedRows ?? 0);
    if (ended >= most) return ended;
  }
  return ended;
}
