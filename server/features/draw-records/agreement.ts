import { sql } from 'kysely';
import type { AwaitedAgreement, pageAwaitedAgreements as asked } from '#contract/draw-records.ts';
import type { Input } from '#contract/endpoint.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import { meaningOf } from './same-result.ts';

/** A result of a phase, and who says so. `openTime` is epoch seconds. */
export interface Said {
  readonly phase: string;
  readonly result: string;
  readonly openTime: number | null;
  readonly source: string;
}

interface Game {
  readonly gameId: number;
  readonly now: Date;
  readonly resultRule: ResultRule | null;
}

/** What is agreed on, and what sources said against it. */
interface Agreement {
  readonly agreed: readonly Said[];
  readonly against: readonly Said[];
}

async function wordsOf(db: Db, { gameId, now }: Game, said: readonly Said[]): Promise<Said[]> {
  const { rows } = await sql<Said & { openTime: number }>`
    with word as (
      insert into draw_word ("gameId", phase, source, result, "openTime", "createTime")
      select ${gameId}::bigint, w.phase, w.source, w.result, coalesce(to_timestamp(w."openTime"), ${now}::timestamptz), ${now}::timestamptz
      from unnest(${said.map(({ phase }) => phase)}::text[], ${said.map(({ source }) => source)}::text[],
        ${said.map(({ result }) => result)}::text[], ${said.map(({ openTime }) => openTime)}::bigint[]) as w (phase, source, result, "openTime")
      on conflict ("gameId", phase, source) do update set result = excluded.result, "openTime" = excluded."openTime",
        "createTime" = case when draw_word.result = excluded.result then draw_word."createTime" else excluded."createTime" end
      returning *
    )
    select phase, source, result, floor(extract(epoch from "openTime"))::bigint as "openTime" from (
      select * from word
      union all select o.* from draw_word o where o."gameId" = ${gameId} and o.phase = any(${said.map(({ phase }) => phase)})
        and not exists (select from word w where w.phase = o.phase and w.source = o.source)) as all_words
    order by "createTime", source`.execute(db);
  return rows;
}

/**
 * Takes down what a source says of phases without a result. Where its game asks for several sources, a result is agreed on once so many have
 * said it, whoever said it first; what others said stands against it. To be called with the game's row locked.
 */
export async function agree(db: Db, game: Game, said: readonly Said[]): Promise<Agreement> {
  const { agreeSources: wanted } = await db
    .selectFrom('game')
    .select('agreeSources')
    .where('id', '=', game.gameId)
    .executeTakeFirstOrThrow();
  if (wanted === 1 || said.length === 0) return { agreed: said, against: [] };
  const phases = Map.groupBy(await wordsOf(db, game, said), ({ phase }) => phase);
  const settled = [...phases.values()].flatMap((words) => {
    const meanings = Map.groupBy(words, ({ result }) => meaningOf(result, game.resultRule));
    const agreed = [...meanings.values()].find(({ length }) => length >= wanted);
    return agreed?.[0] ? [{ first: agreed[0], against: words.filter((word) => !agreed.includes(word)) }] : [];
  });
  return {
    agreed: settled.map(({ first }) => first),
    against: settled.flatMap(({ against }) => against),
  };
}

/** Phases on which sources have spoken and not enough agree, the oldest first. */
export async function pageAwaited(db: Db, { currentPage, pageSize }: Input<typeof asked>) {
  const { rows } = await sql<AwaitedAgreement & { totalCount: number }>`
    select w."gameId", w.phase, g."agreeSources", min(w."createTime") as since,
      greatest(0, extract(epoch from clock_timestamp() - min(w."createTime")))::integer as "ageSeconds",
      jsonb_agg(jsonb_build_object('source', w.source, 'result', w.result,
        'openTime', to_char(w."openTime", 'YYYY-MM-DD HH24:MI:SS')) order by w."createTime", w.source) as words,
      count(*) over ()::integer as "totalCount"
    from draw_word w join game g on g.id = w."gameId"
    where not exists (select from draw_record r where r."gameId" = w."gameId" and r.phase = w.phase)
    group by w."gameId", w.phase, g."agreeSources" order by min(w."createTime"), w.phase
    limit ${pageSize} offset ${(currentPage - 1) * pageSize}`.execute(db);
  return {
    totalCount: rows[0]?.totalCount ?? 0,
    data: rows.map(({ totalCount, ...row }) => row),
  };
}
