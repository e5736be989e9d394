import { type RawBuilder, sql } from 'kysely';
import type {
  DrawRecord,
  DrawVerification,
  pageDrawRecords as pageOfRecords,
} from '#contract/draw-records.ts';
import type { Input } from '#contract/endpoint.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { countedPage } from '#server/db/page.ts';
import { asking, equals, literally } from '#server/db/where.ts';

const list: CountedList = {
  table: 'draw_record',
  time: 'openTime',
  // There is one key, that of the game asked for. Said as a list, all games' records of a time would be looked through.
  ofKeys: (keys) => (keys ? sql`"gameId" = ${Number(keys[0])}` : sql`true`),
};

type Filter = Input<typeof pageOfRecords>;

/** What others said of a record, by the name of its table or alias. */
export const claimsOf = (record: string): RawBuilder<DrawRecord['conflicts']> =>
  sql`coalesce((
    select jsonb_agg(jsonb_build_object('source', c.source, 'result', c.result,
      'openTime', to_char(c."openTime", 'YYYY-MM-DD HH24:MI:SS')) order by c.id)
    from draw_claim c where c."recordId" = ${sql.ref(`${record}.id`)}), '[]')`;

/** Rows of a page: what others said is looked up for them only, not for those that are jumped over. */
const shown = compiledOnce((db, page: RowsOf<'draw_record'>, order: Order) =>
  db
    .selectFrom(page.as('draw_record'))
    .select(['id', 'gameId', 'phase', 'result', 'openTime', 'createTime', 'source', 'conflict'])
    .select([claimsOf('draw_record').as('conflicts'), sql<boolean>`seed is not null`.as('verifiable')])
    .orderBy(order),
);

/** A page of records, the newest first, and how many match in all. */
export function pageDrawRecords(db: Db, filter: Filter) {
  const asked = {
    few: asking(filter, { phase: equals, conflict: literally }),
    kinds: asking(filter, { gameId: equals }),
    keys: filter.gameId === undefined ? undefined : [String(filter.gameId)],
    range: filter.openTimeRange,
  };
  return countedPage(db, list, asked, filter, (condition, start) =>
    shown(db, cut('draw_record', condition, start), orderBy(start.sort)),
  );
}

/** A record with what others said of it; with `lock` others that settle it wait for the end of the transaction. */
export async function findRecord(db: Db, id: number, lock: boolean) {
  const found = db.selectFrom('draw_record').selectAll().where('id', '=', id);
  const record = await (lock ? found.forUpdate() : found).executeTakeFirst();
  if (!record) return undefined;
  const { rows } = await sql<{ result: string; source: string }>`
    select result, source from draw_claim where "recordId" = ${id} order by id`.execute(db);
  return { ...record, claims: rows };
}

/** Where nobody wrote down by whom a record came. */
const UNKNOWN_SOURCE = '来源不详';

interface Correction {
  recordId: number;
  operatorId: number;
  userName: string;
  oldResult: string;
  newResult: string;
  /** Who said the new result. */
  source: string | null;
  reason: string;
}

/**
 * Settles a record's conflict: its result stands as given, and why is kept. What it replaces is kept among the claims: it can
 * be chosen back, and does not raise the conflict again when its source repeats it.
 */
export async function correctRecord(db: Db, correction: Correction): Promise<void> {
  const { recordId, operatorId, userName, oldResult, newResult, source, reason } = correction;
  await sql`
    insert into draw_correction ("recordId", "operatorId", "userName", "oldResult", "newResult", "newSource", reason)
    values (${recordId}, ${operatorId}, ${userName}, ${oldResult}, ${newResult}, ${source ?? ''}, ${reason})`.execute(
    db,
  );
  if (oldResult !== newResult)
    await sql`
      insert into draw_claim ("recordId", source, result, "openTime", "createTime")
      select id, coalesce(source, ${UNKNOWN_SOURCE}), result, "openTime", "createTime" from draw_record r
      where id = ${recordId} and not exists (select from draw_claim c where c."recordId" = r.id and c.result = r.result)`.execute(
      db,
    );
  await sql`
    update draw_record set result = ${newResult}, source = ${source}, conflict = false
    where id = ${recordId}`.execute(db);
}

/** What anyone may know of a local draw: its promise, and once it is drawn its seed and result. */
export async function findVerification(
  db: Db,
  gameId: number,
  phase: string,
): Promise<DrawVerification | undefined> {
  const { rows } = await sql<DrawVerification>`
    select c."gameId", g.name as "gameName", c.phase, c.commitment, c."createTime" as "commitTime",
      p."startTime", p."endTime", c.rules, r.seed, b.value as "beaconValue", r.result,
      (select jsonb_build_object('time', to_char(v."createTime", 'YYYY-MM-DD HH24:MI:SS'), 'reason', v.reason)
        from draw_void v where v."gameId" = c."gameId" and v.phase = c.phase) as voided
    from draw_commitment c join game g on g.id = c."gameId"
      left join draw_beacon b on b.phase = c.phase and b."gameId" = c."gameId"
      left join draw_plan p on p.phase = c.phase and p."gameId" = c."gameId"
      left join draw_record r on r.phase = c.phase and r."gameId" = c."gameId" and r.seed is not null
    where c."gameId" = ${gameId} and c.phase = ${phase}`.execute(db);
  return rows[0];
}
