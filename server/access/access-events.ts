import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { paramValue } from '#server/params/read-param.ts';

/** Whose access a change touches: these operators, all who hold or try on these roles, these sessions. */
export interface Touched {
  readonly operatorIds: readonly number[];
  readonly roleIds: readonly number[];
  readonly sessionIds: readonly string[];
}

/** The same as callers give it. */
export type Touching = 'everyone' | Partial<Touched>;

/** For a change that touches nobody's access, and only has to wait its turn among those that do. */
export const nobodyTouched: Touching = {};

/** How many events are kept: at one a second, a server may fall a quarter of an hour behind. */
const KEPT = 1_000;

/** Has changes of access wait for one another, and tells every server whose rights to read anew. */
export async function bumpEpoch(db: Db, touching: Touching): Promise<void> {
  const moved = sql`update access_epoch set epoch = epoch + 1 returning epoch`;
  if (touching === 'everyone') {
    await sql`with moved as (${moved}) select from moved`.execute(db);
    return;
  }
  const { operatorIds = [], roleIds = [], sessionIds = [] } = touching;
  await sql`
    with moved as (${moved}),
      swept as (delete from access_event e using moved m where e.epoch <= m.epoch - ${KEPT}::bigint)
    insert into access_event (epoch, "operatorIds", "roleIds", "sessionIds")
    select epoch, ${operatorIds}::bigint[], ${roleIds}::bigint[], ${sessionIds}::text[] from moved`.execute(
    db,
  );
}

/** What every server reads twice a second. */
export interface Standing {
  readonly epoch: number;
  /** Whether approvals are in force. */
  readonly approvals: boolean;
  /** Whose access changed since the known epoch. */
  readonly touched: 'everyone' | readonly Touched[];
}

/** The current epoch, whose access changed since the known one, and whether approvals are in force. */
export async function readStanding(db: Db, known: number): Promise<Standing> {
  const { rows } = await sql<{ epoch: number; approvals: string | null; events: Touched[] }>`
    select s.epoch, p.value as approvals, coalesce((
        select jsonb_agg(jsonb_build_object('operatorIds', "operatorIds", 'roleIds', "roleIds", 'sessionIds', "sessionIds"))
        from access_event where epoch > ${known}::bigint and epoch <= s.epoch), '[]') as events
    from access_epoch s left join param_setting p on p.key = 'approval.enabled'`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the access epoch is missing');
  const { epoch, events } = row;
  const approvals = paramValue('approval.enabled', row.approvals ?? undefined);
  return { epoch, approvals, touched: events.length === epoch - known ? events : 'everyone' };
}
