import { sql } from 'kysely';
import type { enterDrawRecord } from '#contract/draw-records.ts';
import type { Input } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { closing } from '../draw-plans/closing.ts';
import { lockPlannedGame } from '../draw-plans/planned-game.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { keepResults } from './keep-results.ts';
import { fitsRule } from './same-result.ts';

/** What a result entered by hand names as its source. */
const MANUAL_SOURCE = 'MANUAL';
type Entered = Input<typeof enterDrawRecord>;

interface Ground {
  readonly isCollected: boolean;
  readonly isPlanned: boolean;
  readonly isClosed: boolean;
  readonly isDrawn: boolean;
  /** A source that has answered lately, whether it was switched off, deleted or moved to another game since or not. */
  readonly heard: string | null;
}

async function groundOf(tx: Db, { gameId, phase }: Entered, minutes: number): Promise<Ground> {
  const { rows } = await sql<Ground>`
    select exists (select from spider s where s."gameId" = g.id and s.enabled and s."spiderServiceName" <> 'LocalDrawSpider')
        and not exists (select from local_game l where l."gameId" = g.id)
        and not exists (select from draw_commitment c where c."gameId" = g.id and c.phase = ${phase}) as "isCollected",
      p.id is not null and p.status <> 'VOID' as "isPlanned",
      coalesce(clock_timestamp() >= c.closes, false) as "isClosed",
      exists (select from draw_record r where r."gameId" = g.id and r.phase = ${phase})
        or exists (select from draw_entry e where e."gameId" = g.id and e.phase = ${phase} and e.outcome is null) as "isDrawn",
      (select name from (select "gameId", name, "lastSuccessTime" from spider union all select * from former_source) as s
        where s."gameId" = g.id and s."lastSuccessTime" > clock_timestamp() - make_interval(mins => ${minutes})
        order by "lastSuccessTime" desc limit 1) as heard
    from game g left join draw_plan p on p."gameId" = g.id and p.phase = ${phase},
      lateral ${closing}
    where g.id = ${gameId}`.execute(tx);
  const [ground] = rows;
  if (!ground) throw new Refusal('recordNotFound', { field: 'gameId' });
  return ground;
}

/** Takes down a result entered by hand, to become the phase's word of MANUAL after a wait. To be called in a transaction. */
export async function enterResult(
  tx: Db,
  entered: Entered,
  operator: { id: number; userName: string },
): Promise<void> {
  const { gameId, phase, result, evidence, reason } = entered;
  await lockPlannedGame(tx, gameId);
  const minutes = await readParam(tx, 'bet.entrySilentMinutes');
  const ground = await groundOf(tx, entered, minutes);
  if (!ground.isCollected) throw new Refusal('gameNotCollected', { field: 'gameId' });
  if (!ground.isPlanned) throw new Refusal('phaseUnknown', { field: 'phase', values: { phase } });
  if (!ground.isClosed) throw new Refusal('phaseOpenYet', { field: 'phase', values: { phase } });
  if (ground.isDrawn) throw new Refusal('resultThere', { field: 'phase', values: { phase } });
  if (ground.heard !== null)
    throw new Refusal('sourcesNotSilent', { field: 'gameId', values: { minutes, source: ground.heard } });
  if (!fitsRule(result, await resultRuleOf(tx, gameId)))
    throw new Refusal('resultUnfit', { field: 'result' });
  const wait = await readParam(tx, 'bet.entryWaitMinutes');
  await sql`
    insert into draw_entry ("gameId", phase, result, evidence, reason, "operatorId", "userName", "dueTime")
    values (${gameId}, ${phase}, ${result}, ${evidence}, ${reason}, ${operator.id}, ${operator.userName},
      clock_timestamp() + make_interval(mins => ${wait}))`.execute(tx);
}

/** When the next entry is through with its wait, and its phase drawn, in epoch milliseconds. */
export const nextEntry = (db: Db): Promise<number | undefined> =>
  dueAt(
    db,
    sql`select min(greatest(e."dueTime", p."endTime"))
    from draw_entry e left join draw_plan p on p."gameId" = e."gameId" and p.phase = e.phase where e.outcome is null`,
  );

/** Lets an entry that has waited count, as a source's word would. Tells whether there was one. */
export const takeEntry = (db: Db, now: Date): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; gameId: number; phase: string; result: string }>`
      select e.id, e."gameId", e.phase, e.result from draw_entry e left join draw_plan p on p."gameId" = e."gameId" and p.phase = e.phase
      where e.outcome is null and greatest(e."dueTime", p."endTime") <= ${now}::timestamptz
      order by e."dueTime" limit 1 for update of e skip locked`.execute(tx);
    const [entry] = rows;
    if (!entry) return false;
    const { id, gameId, phase, result } = entry;
    const results = [{ phase, result, openTime: null }];
    const [judged] = await keepResults(tx, { gameId, source: MANUAL_SOURCE, now, results });
    const outcome = judged?.outcome === 'NEW' ? 'RECORDED' : 'OUTDONE';
    await sql`update draw_entry set outcome = ${outcome} where id = ${id}`.execute(tx);
    return true;
  });
