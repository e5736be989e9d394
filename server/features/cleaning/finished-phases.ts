import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** What is kept of phases for a time, in which tables; all of them begin with the phase. */
interface Kept {
  readonly what: 'LIMITS' | 'EXPOSURE';
  readonly tables: readonly ('limit_counter' | 'exposure' | 'exposure_choice')[];
  readonly time: RawBuilder<unknown>;
}

/** Counters refuse nobody once a phase is closed; the proof of bets looks at those of the last day and a half. */
export const limitCounters: Kept = {
  what: 'LIMITS',
  tables: ['limit_counter'],
  time: sql`interval '2 days'`,
};

/** For so long 单期风险 of a phase that is over can be looked at. */
export const EXPOSURE_DAYS = 30;
export const exposures: Kept = {
  what: 'EXPOSURE',
  tables: ['exposure', 'exposure_choice'],
  time: sql`make_interval(days => ${EXPOSURE_DAYS})`,
};

const PHASES_AT_ONCE = 100;

interface Place {
  readonly endTime: string;
  readonly planId: number;
}
interface Phase extends Place {
  readonly gameId: number;
  readonly phase: string;
}

const hasRows = (table: string) =>
  sql`exists (select from ${sql.table(table)} t where t."gameId" = p."gameId" and t.phase = p.phase)`;

/** The next phases behind a place that ended long enough ago and of which something is there. */
async function nextPhases(tx: Db, place: Place, { tables, time }: Kept): Promise<Phase[]> {
  const { rows } = await sql<Phase>`
    select p.id as "planId", p."endTime"::text as "endTime", p."gameId", p.phase from draw_plan p
    where (p."endTime", p.id) > (${place.endTime}::timestamptz, ${place.planId}) and p."endTime" < now() - ${time}
      and (${sql.join(tables.map(hasRows), sql` or `)})
    order by p."endTime", p.id limit ${PHASES_AT_ONCE}`.execute(tx);
  return rows;
}

async function deleteRows(tx: Db, table: string, phases: readonly Phase[], most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t
        join unnest(${phases.map(({ gameId }) => gameId)}::bigint[], ${phases.map(({ phase }) => phase)}::text[]) as p (g, n)
          on t."gameId" = p.g and t.phase = p.n limit ${most} for update of t))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function move(tx: Db, { what }: Kept, endTime: RawBuilder<unknown>, planId: number): Promise<void> {
  await sql`update phase_cleaning set "endTime" = ${endTime}, "planId" = ${planId} where what = ${what}`.execute(
    tx,
  );
}

/** One step behind the place that was reached. Tells how many rows went, and whether there may be more to do. */
async function step(tx: Db, kept: Kept, most: number): Promise<{ deleted: number; isDone: boolean }> {
  // A place ahead was reached while the clock was ahead: what is there of phases before it goes when it is their time.
  const { rows } = await sql<Place>`
    select least("endTime", now() - ${kept.time})::text as "endTime", "planId" from phase_cleaning where what = ${kept.what}
    for update skip locked`.execute(tx);
  const [place] = rows;
  if (!place) return { deleted: 0, isDone: true };
  const phases = await nextPhases(tx, place, kept);
  const last = phases.at(-1);
  if (!last) {
    // Nobody looks at these plans again.
    await move(tx, kept, sql`now() - ${kept.time}`, 0);
    return { deleted: 0, isDone: true };
  }
  let deleted = 0;
  for (const table of kept.tables) deleted += await deleteRows(tx, table, phases, most - deleted);
  if (deleted < most) await move(tx, kept, sql`${last.endTime}::timestamptz`, last.planId);
  return { deleted, isDone: false };
}

/** Deletes so many rows at most of phases that ended long enough ago, each once; whoever comes while another does goes away again. */
export async function cleanPhases(db: Db, kept: Kept, most: number): Promise<number> {
  for (let deleted = 0; ; ) {
    const done = await db.transaction().execute((tx) => step(tx, kept, most - deleted));
    deleted += done.deleted;
    if (done.isDone || deleted >= most) return deleted;
  }
}
