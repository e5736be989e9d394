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
 * What reports count of a run: what is paid by each share's chain, corrections where nothing is left to pay not. What goes to test accounts
 * they leave out, but for what players get of their own slips, which say themselves whether they count.
 */
async function countedOf(tx: Db, day: Day) {
  const { rows } = await sql<{ userId: number; amount: string; agents: { id: number }[] }>`
    select i."userId", i.amount, coalesce((
      select jsonb_agg(jsonb_build_object('id', a.id) order by a.place) from unnest(s.agents) with ordinality as a (id, place)), '[]') as agents
    from rebate_item i left join lateral (
      select agents from rebate_share s where s."runDay" = i."runDay" and s."userId" = i."userId" and s.kind = i.kind
      order by s.day desc limit 1) as s on true
    where i."runDay" = ${day}::date and i.amount > 0 and (i.kind = 'REBATE' or not i."testAccount")`.execute(
    tx,
  );
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
