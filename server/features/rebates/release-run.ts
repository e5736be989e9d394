import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Day } from '#server/platform-days.ts';
import { Refusal } from '#server/refusal.ts';
import { closeDay, countRebates, holdDay } from '../reports/closed-days.ts';
import { isOvertaken } from './run-days.ts';

export interface Release {
  readonly day: Day;
  /** Of what the operator saw, if they say so. */
  readonly digest: string | undefined;
  readonly operatorId: number;
  readonly userName: string;
}

/** The run of a day, which nobody else releases until the transaction ends. Throws why it cannot be released. */
async function lockRun(tx: Db, day: Day) {
  const run = await tx
    .selectFrom('rebate_run')
    .selectAll()
    .where('day', '=', day)
    .forUpdate()
    .executeTakeFirst();
  if (!run) throw new Refusal('rebateNotPrepared', { field: 'day', values: { day } });
  if (run.status !== 'PREPARED') throw new Refusal('rebateReleased', { field: 'day', values: { day } });
  return run;
}

/**
 * What reports count of a run: what is paid, for each chain what came from it since the payee was paid last. Corrections where nothing is left
 * to pay are so counted with the next that is. What goes to test accounts they leave out, but for what players get of their own slips, which
 * say themselves whether they count.
 */
async function countedOf(tx: Db, day: Day) {
  const { rows } = await sql<{ userId: number; amount: string; agents: { id: number }[] }>`
    with item as materialized (
      select i."userId", i.kind, i.amount, coalesce((
        select max(p."runDay") from rebate_item p
        where p."userId" = i."userId" and p.kind = i.kind and p."runDay" < i."runDay" and p.amount > 0), '-infinity') as "paidBefore"
      from rebate_item i where i."runDay" = ${day}::date and i.amount > 0 and (i.kind = 'REBATE' or not i."testAccount")
    ), part as (
      select i."userId", s.agents, sum(s.amount) as amount
      from item i join rebate_item p on p."userId" = i."userId" and p.kind = i.kind and p."runDay" > i."paidBefore" and p."runDay" <= ${day}::date
        join rebate_share s on s."runDay" = p."runDay" and s."userId" = p."userId" and s.kind = p.kind
      group by i."userId", i.kind, s.agents having sum(s.amount) <> 0
      union all
      select "userId", '{}', amount from item where kind = 'INVITE_REWARD'
    )
    select "userId", amount, coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id) order by a.place) from unnest(agents) with ordinality as a (id, place)), '[]') as agents
    from part`.execute(tx);
  return rows.map((row) => ({ ...row, gameId: null, playWayId: null }));
}

/**
 * Lets a day's run be paid, once, and closes the day: whatever comes after counts elsewhere. Refused where what it was worked out by has
 * changed since, or is not what was seen.
 */
export async function releaseRun(tx: Db, { day, digest, operatorId, userName }: Release) {
  await holdDay(tx, day);
  const run = await lockRun(tx, day);
  const isOld = run.stale || (await isOvertaken(tx, day)) || (digest !== undefined && digest !== run.digest);
  if (isOld) throw new Refusal('rebateChanged', { field: 'day', values: { day } });
  await countRebates(tx, day, await countedOf(tx, day));
  await closeDay(tx, day);
  await tx
    .updateTable('rebate_run')
    .set({ status: 'PAYING', releaseTime: sql`clock_timestamp()`, operatorId, userName })
    .where('day', '=', day)
    .execute();
  return run;
}
