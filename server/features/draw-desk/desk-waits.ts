import { type RawBuilder, sql } from 'kysely';
import type { DeskWait } from '#contract/draw-desk.ts';
import type { Db } from '#server/db/database.ts';
import { standingAlarms } from '../draw-plans/draw-alarms.ts';

/** So many of each kind are told; their lists have the rest. */
const MOST = sql.lit(50);
const no = sql`null::bigint`;

/** Each kind of what waits: kind, gameId, phase, since, note, planId, settlementId, voidable, held, recordId. */
const plans: readonly RawBuilder<unknown>[] = [
  sql`(select 'ALARM' as kind, a."gameId", a.phase, a."createTime" as since, a.reason as note, p.id as "planId",
      ${no} as "settlementId", p.status = 'OPENING' and p.commitment is not null as voidable, 0 as held, ${no} as "recordId"
    from ${standingAlarms} order by a."createTime" limit ${MOST})`,
  sql`(select 'LATE', p."gameId", p.phase, p."endTime", null, p.id, ${no}, false, 0, ${no}
    from draw_plan p where p.status = 'OPENING' and p."lateTime" is not null
      and not exists (select from draw_alarm a where a."gameId" = p."gameId" and a.phase = p.phase)
    order by p."endTime" limit ${MOST})`,
];
const records: readonly RawBuilder<unknown>[] = [
  sql`(select 'CONFLICT', r."gameId", r.phase, coalesce((select min(c."createTime") from draw_claim c where c."recordId" = r.id), r."createTime"),
      null, ${no}, ${no}, false, 0, r.id from draw_record r where r.conflict order by r.id limit ${MOST})`,
  // A phase waits only while its plan does: by these few plans the words are found, of which there are very many.
  sql`(select 'AWAITED', p."gameId", p.phase, min(w."createTime"),
      string_agg(w.source || '：' || w.result, '；' order by w."createTime", w.source), p.id, ${no}, false, 0, ${no}
    from draw_plan p join draw_word w on w."gameId" = p."gameId" and w.phase = p.phase
    where p.status = 'OPENING' group by p.id order by min(w."createTime") limit ${MOST})`,
  sql`(select 'ENTRY', e."gameId", e.phase, e."createTime",
      e."userName" || ' 录入 ' || e.result || '，' || to_char(e."dueTime", 'YYYY-MM-DD HH24:MI:SS') || ' 生效', ${no}, ${no}, false, 0, ${no}
    from draw_entry e where e.outcome is null order by e.id limit ${MOST})`,
];
const bets: readonly RawBuilder<unknown>[] = [
  sql`(select 'HELD', s."gameId", s.phase, s."startTime", s.problem, ${no}, s.id, false,
      (select count(*)::int from slip_hold h where h."settlementId" = s.id), ${no}
    from settlement s where s.status = 'HELD' order by s.id limit ${MOST})`,
  sql`(select 'VOIDED', s."gameId", s.phase, s."startTime", s."userName" || '：' || s.reason, ${no}, s.id, false, 0, ${no}
    from settlement s where s.kind = 'VOID' and s.status <> 'HELD' and s."startTime" > now() - interval '1 day'
      and not exists (select from settlement u where u.undoes = s.id)
    order by s."startTime" desc limit ${MOST})`,
];

/** Whose lists an operator may see: plans, records, settlements. */
export interface Seen {
  readonly plans: boolean;
  readonly records: boolean;
  readonly bets: boolean;
}

type Found = Omit<DeskWait, 'record' | 'plan'> & { recordId: number | null; planId: number | null };

/** The conflicts' records with what sources said of them. */
async function readRecords(db: Db, ids: readonly number[]): Promise<Map<number, DeskWait['record']>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<NonNullable<DeskWait['record']>>`
    select r.id, r.phase, r.result, r.source, r.conflict, (
      select coalesce(jsonb_agg(jsonb_build_object('source', c.source, 'result', c.result,
        'openTime', to_char(c."openTime", 'YYYY-MM-DD HH24:MI:SS')) order by c.id), '[]')
      from draw_claim c where c."recordId" = r.id) as conflicts
    from draw_record r where r.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((record) => [record.id, record]));
}

/** What waits for a person, the oldest first. */
export async function readWaits(db: Db, seen: Seen): Promise<DeskWait[]> {
  const parts = [...(seen.plans ? plans : []), ...(seen.records ? records : []), ...(seen.bets ? bets : [])];
  if (parts.length === 0) return [];
  // The first names the columns for all.
  const head = sql`select null::text as kind, ${no} as "gameId", null::text as phase, null::timestamptz as since, null::text as note,
    ${no} as "planId", ${no} as "settlementId", false as voidable, 0 as held, ${no} as "recordId" where false`;
  const { rows } = await sql<Found>`
    select w.kind, w."gameId", g.name as "gameName", w.phase, w.since,
      greatest(0, extract(epoch from clock_timestamp() - w.since))::int as age, w.note, w."planId", w."settlementId", w.voidable, w.held, w."recordId"
    from (${sql.join([head, ...parts], sql` union all `)}) as w join game g on g.id = w."gameId"
    order by w.since, w."gameId", w.phase, w.kind`.execute(db);
  const known = await readRecords(
    db,
    rows.flatMap(({ recordId }) => recordId ?? []),
  );
  return rows.map(({ recordId, planId, ...wait }) => ({
    ...wait,
    plan: planId === null ? null : { id: planId },
    record: recordId === null ? null : (known.get(recordId) ?? null),
  }));
}
