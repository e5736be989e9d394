import { sql } from 'kysely';
import type { ResultOutcome } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import type { DrawnResult } from '../spiders/collectors/drawn-result.ts';
import { inSpelling, isSameResult } from './same-result.ts';

/** What a source says, and what that means for the game's records. `openTime` is epoch seconds. */
export interface Judged extends DrawnResult {
  readonly outcome: ResultOutcome;
}

interface Known {
  phase: string;
  status: 'WAITTING' | 'OPENING' | 'OPENED' | null;
  isDue: boolean | null;
  isPromised: boolean | null;
  result: string | null;
}

interface Reading {
  readonly gameId: number;
  readonly results: readonly DrawnResult[];
  readonly now: Date;
}

async function knownOf(
  db: Db,
  { gameId, now }: Reading,
  phases: readonly string[],
): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`
    select w.phase, p.status, p."endTime" <= ${now}::timestamptz as "isDue",
      p.commitment is not null or c.phase is not null as "isPromised", r.result
    from unnest(${[...phases]}::text[]) as w (phase)
      left join draw_plan p on p.phase = w.phase and p."gameId" = ${gameId}
      left join draw_record r on r.phase = w.phase and r."gameId" = ${gameId}
      left join draw_commitment c on c.phase = w.phase and c."gameId" = ${gameId}`.execute(db);
  return new Map(rows.map((row) => [row.phase, row]));
}

function judge(drawn: DrawnResult, known: Known | undefined, now: Date): ResultOutcome {
  const { result = null, status = null, isDue = null, isPromised = null } = known ?? {};
  if (result !== null) return isSameResult(result, drawn.result) ? 'SAME' : 'CONFLICT';
  if (isPromised) return 'LOCAL';
  // A result that comes while players may still bet is never taken: the source will say it again.
  if (status !== null) return isDue ? 'NEW' : 'EARLY';
  const isPast = drawn.openTime !== null && drawn.openTime * 1000 <= now.getTime();
  return isPast ? 'NEW' : 'UNKNOWN';
}

/** Says of each draw what storing it would do, and stores nothing. A phase that comes twice counts once. */
export async function judgeResults(db: Db, reading: Reading): Promise<Judged[]> {
  const { gameId, results, now } = reading;
  const { rows } = await sql<{ number: string }>`
    select number from game_number where "gameId" = ${gameId}`.execute(db);
  const numbers = rows.map(({ number }) => number);
  const firsts = new Map(results.toReversed().map((drawn) => [drawn.phase, drawn]));
  const known = await knownOf(db, reading, [...firsts.keys()]);
  return [...firsts.values()].toReversed().map((drawn) => {
    const spelt = { ...drawn, result: inSpelling(drawn.result, numbers) };
    return { ...spelt, outcome: judge(spelt, known.get(drawn.phase), now) };
  });
}

const columns = (judged: readonly Judged[]) => sql`
  unnest(${judged.map(({ phase }) => phase)}::text[], ${judged.map(({ result }) => result)}::text[],
    ${judged.map(({ openTime }) => openTime)}::bigint[]) as w (phase, result, "openTime")`;

/**
 * Keeps what a source said: the first result of a phase becomes its record and ends its plan; another source's different one
 * is kept beside it and raises a conflict. To be called in a transaction.
 */
export async function keepResults(db: Db, reading: Reading & { readonly source: string }): Promise<Judged[]> {
  const { gameId, source, now } = reading;
  const judged = await judgeResults(db, reading);
  const fresh = judged.filter(({ outcome }) => outcome === 'NEW');
  if (fresh.length > 0)
    await sql`
      insert into draw_record ("gameId", phase, result, "openTime", "createTime", source)
      select ${gameId}::bigint, w.phase, w.result, coalesce(to_timestamp(w."openTime"), p."endTime", ${now}::timestamptz),
        ${now}::timestamptz, ${source}
      from ${columns(fresh)} left join draw_plan p on p.phase = w.phase and p."gameId" = ${gameId}
      order by coalesce(to_timestamp(w."openTime"), p."endTime"), w.phase
      on conflict (phase, "gameId") do nothing`.execute(db);
  const disagreeing = judged.filter(({ outcome }) => outcome === 'CONFLICT');
  if (disagreeing.length > 0)
    await sql`
      with claim as (
        insert into draw_claim ("recordId", source, result, "openTime", "createTime")
        select r.id, ${source}, w.result, coalesce(to_timestamp(w."openTime"), r."openTime"), ${now}::timestamptz
        from ${columns(disagreeing)} join draw_record r on r.phase = w.phase and r."gameId" = ${gameId}
        on conflict do nothing returning "recordId"
      )
      update draw_record r set conflict = true from claim where r.id = claim."recordId"`.execute(db);
  await sql`
    update draw_plan p set status = 'OPENED' from draw_record r
    where p."gameId" = ${gameId} and p.status = 'OPENING' and r.phase = p.phase and r."gameId" = p."gameId"`.execute(
    db,
  );
  return judged;
}
