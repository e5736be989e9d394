import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { paramValue } from '#server/params/read-param.ts';

/** Whose access a change touches: of operators, of all who hold a role or try it on, of sessions. */
export interface Touched {
  readonly operatorIds: readonly number[];
  readonly roleIds: readonly number[];
  readonly sessionIds: readonly string[];
}

/** As whoever makes a change says it. */
export type Touching = 'everyone' | Partial<Touched>;

/** A change that only takes its place in line behind other changes of access. */
export const nobodyTouched: Touching = {};

/** So many events are kept: at one a second a server may look away for a quarter of an hour. */
const KEPT = 1_000;

/** Puts changes of access in line behind one another and tells every server whom to forget. */
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

/** What every server looks at, twice a second. */
export interface Standing {
  readonly epoch: number;
  /** Whether calls wait for a second operator. */
  readonly approvals: boolean;
  /** Whom the changes since the epoch known before touched. */
  readonly touched: 'everyone' | readonly Touched[];
}

/** Whether access has changed since an epoch and for whom, and whether calls wait for a second operator. */
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
