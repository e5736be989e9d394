import { type RawBuilder, sql } from 'kysely';
import type { DeskWait } from '#contract/draw-desk.ts';
import type { Db } from '#server/db/database.ts';
import { standingAlarms } from '../draw-plans/draw-alarms.ts';
import { isLate } from '../draw-plans/unawaited-plans.ts';
import { claimsOf } from '../draw-records/draw-record-store.ts';
import { isBigWin, isWholeVoid } from '../settlements/holds.ts';

/** Of each game and kind so many are told, of all games together so many, but of each game one; their lists have the rest. */
const MOST_OF_A_GAME = sql.lit(5);
const MOST = sql.lit(50);
/** So many of each kind are looked at, the newest: a source that never tells of old draws leaves them waiting for good. */
const LOOKED_AT = sql.lit(5_000);
const no = sql`null::bigint`;

/** Nothing is left to be done for a late phase whose bets are all void; its source may still speak. */
const isVoid = sql`exists (select from settlement v where v."gameId" = p."gameId" and v.phase = p.phase and ${isWholeVoid('v')}
  and not exists (select from settlement u where u.undoes = v.id))`;

/** Each kind of what waits: kind, gameId, phase, since, note, planId, settlementId, voidable, recordId; the newest first. */
const plans: readonly RawBuilder<unknown>[] = [
  sql`(select 'ALARM' as kind, a."gameId", a.phase, a."createTime" as since, a.reason as note, p.id as "planId",
      ${no} as "settlementId", p.status = 'OPENING' and p.commitment is not null as voidable, ${no} as "recordId"
    from ${standingAlarms} order by a."createTime" desc limit ${LOOKED_AT})`,
  sql`(select 'LATE', p."gameId", p.phase, p."endTime", null, p.id, ${no}, false, ${no}
    from draw_plan p where ${isLate}
      and not exists (select from draw_alarm a where a."gameId" = p."gameId" and a.phase = p.phase) and not ${isVoid}
    order by p."endTime" desc limit ${LOOKED_AT})`,
];
const records: readonly RawBuilder<unknown>[] = [
  sql`(select 'CONFLICT', r."gameId", r.phase, coalesce((select min(c."createTime") from draw_claim c where c."recordId" = r.id), r."createTime"),
      null, ${no}, ${no}, false, r.id from draw_record r where r.conflict order by r.id desc limit ${LOOKED_AT})`,
  // A phase waits only while its plan does: by these few plans the words are found, of which there are very many.
  sql`(select 'AWAITED', p."gameId", p.phase, min(w."createTime"),
      string_agg(w.source || '：' || w.result, '；' order by w."createTime", w.source), p.id, ${no}, false, ${no}
    from draw_plan p join draw_word w on w."gameId" = p."gameId" and w.phase = p.phase
    where p.status = 'OPENING' and p."unawaitedReason" is null group by p.id order by min(w."createTime") desc limit ${LOOKED_AT})`,
  sql`(select 'ENTRY', e."gameId", e.phase, e."createTime",
      e."userName" || ' 录入 ' || e.result || '，' || to_char(e."dueTime", 'YYYY-MM-DD HH24:MI:SS') || ' 生效', ${no}, ${no}, false, ${no}
    from draw_entry e where e.outcome is null order by e.id desc limit ${LOOKED_AT})`,
];
const bets: readonly RawBuilder<unknown>[] = [
  sql`(select 'HELD', s."gameId", s.phase, s."startTime", s.problem, ${no}, s.id, false, ${no}
    from settlement s where s.status = 'HELD' order by s.id desc limit ${LOOKED_AT})`,
  sql`(select 'VOIDED', s."gameId", s.phase, s."startTime", s."userName" || '：' || s.reason, ${no}, s.id, false, ${no}
    from settlement s where s.kind = 'VOID' and s.status <> 'HELD' and s."startTime" > now() - interval '1 day'
      and not exists (select from settlement u where u.undoes = s.id)
    order by s."startTime" desc limit ${LOOKED_AT})`,
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
    select r.id, r.phase, r.result, r.source, r.conflict, ${claimsOf('r')} as conflicts
    from draw_record r where r.id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map((record) => [record.id, record]));
}

/** What waits for a person, the oldest first: of each kind the newest of every game, then the others by turns. */
export async function readWaits(db: Db, seen: Seen): Promise<DeskWait[]> {
  const parts = [...(seen.plans ? plans : []), ...(seen.records ? records : []), ...(seen.bets ? bets : [])];
  if (parts.length === 0) return [];
  // The first names the columns for all.
  const head = sql`select null::text as kind, ${no} as "gameId", null::text as phase, null::timestamptz as since, null::text as note,
    ${no} as "planId", ${no} as "settlementId", false as voidable, ${no} as "recordId" where false`;
  const { rows } = await sql<Found>`
    with placed as (
      select w.*, count(*) over (partition by kind, "gameId")::int as total,
        row_number() over (partition by kind, "gameId" order by since desc, phase desc) as place
      from (${sql.join([head, ...parts], sql` union all `)}) as w
    ), ranked as (
      select *, row_number() over (partition by kind order by place, since desc) as rank from placed where place <= ${MOST_OF_A_GAME}
    )
    select w.kind, w."gameId", g.name as "gameName", w.phase, w.since,
      greatest(0, extract(epoch from clock_timestamp() - w.since))::int as age, w.note, w."planId", w."settlementId", w.voidable,
      (select count(*)::int from slip_hold h where w.kind = 'HELD' and h."settlementId" = w."settlementId" and ${isBigWin}) as "bigWins",
      w."recordId", w.total
    from ranked w join game g on g.id = w."gameId" where w.place = 1 or w.rank <= ${MOST}
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
