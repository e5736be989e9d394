import { sql } from 'kysely';
import type { AwaitedAgreement, pageAwaitedAgreements as asked } from '#contract/draw-records.ts';
import type { Input } from '#contract/endpoint.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import type { Db } from '#server/db/database.ts';
import { deleteSome } from '#server/db/delete-some.ts';
import type { Page } from '#server/db/reading.ts';
import { meaningOf } from './same-result.ts';

/** The spider by which a word came, and the address that was asked; nobody's where it was entered by hand. */
export interface Speaker {
  readonly spiderId: number;
  readonly address: string;
}

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
  readonly speaker: Speaker | undefined;
}

/** What is agreed on, and what sources said against it. */
interface Agreement {
  readonly agreed: readonly Said[];
  readonly against: readonly Said[];
}

interface Word extends Said {
  readonly spiderId: number | null;
  readonly address: string | null;
}

/** One address has one voice, whoever asks there, and one spider, whatever it is called. */
const voiceOf = ({ source, spiderId, address }: Word): string | number => address ?? spiderId ?? source;
const voices = (words: readonly Word[]): number => new Set(words.map(voiceOf)).size;

/**
 * A source that was renamed takes its last words back, to say them under the name it has; words of another one that had this name before
 * stay, told apart by its number.
 */
async function giveWayTo(
  { spiderId }: Speaker,
  db: Db,
  { gameId }: Game,
  said: readonly Said[],
): Promise<void> {
  const own = sql`"gameId" = ${gameId} and phase = any(${said.map(({ phase }) => phase)})`;
  const { source } = said[0] ?? {};
  await sql`delete from draw_word where ${own} and "spiderId" = ${spiderId} and source <> ${source}`.execute(
    db,
  );
  await sql`update draw_word set source = source || ' #' || "spiderId"
    where ${own} and source = ${source} and "spiderId" <> ${spiderId}`.execute(db);
}

async function wordsOf(db: Db, game: Game, said: readonly Said[]): Promise<Word[]> {
  const { gameId, now, speaker } = game;
  if (speaker) await giveWayTo(speaker, db, game, said);
  const { rows } = await sql<Word & { openTime: number }>`
    with word as (
      insert into draw_word ("gameId", phase, source, result, "openTime", "createTime", "spiderId", address)
      select ${gameId}::bigint, w.phase, w.source, w.result, coalesce(to_timestamp(w."openTime"), ${now}::timestamptz), ${now}::timestamptz,
        ${speaker?.spiderId ?? null}::bigint, ${speaker?.address ?? null}
      from unnest(${said.map(({ phase }) => phase)}::text[], ${said.map(({ source }) => source)}::text[],
        ${said.map(({ result }) => result)}::text[], ${said.map(({ openTime }) => openTime)}::bigint[]) as w (phase, source, result, "openTime")
      on conflict ("gameId", phase, source) do update set result = excluded.result, "openTime" = excluded."openTime",
        "spiderId" = excluded."spiderId", address = excluded.address,
        "createTime" = case when draw_word.result = excluded.result then draw_word."createTime" else excluded."createTime" end
      returning *
    )
    select phase, source, result, floor(extract(epoch from "openTime"))::bigint as "openTime", "spiderId", address from (
      select * from word
      union all select o.* from draw_word o where o."gameId" = ${gameId} and o.phase = any(${said.map(({ phase }) => phase)})
        and not exists (select from word w where w.phase = o.phase and w.source = o.source)) as all_words
    order by "createTime", source`.execute(db);
  return rows;
}

/** What others have said of these phases, and who speaks now. */
async function wordsWith(db: Db, { gameId, speaker }: Game, said: readonly Said[]): Promise<Word[]> {
  const { spiderId = null, address = null } = speaker ?? {};
  const { rows } = await sql<Word>`
    select phase, source, result, null as "openTime", "spiderId", address from draw_word
    where "gameId" = ${gameId} and phase = any(${said.map(({ phase }) => phase)}) and "spiderId" is distinct from ${spiderId}::bigint
    order by "createTime", source`.execute(db);
  return [...rows, ...said.map((each) => ({ ...each, spiderId, address }))];
}

async function wantedOf(db: Db, gameId: number): Promise<number> {
  const game = await db
    .selectFrom('game')
    .select('agreeSources')
    .where('id', '=', gameId)
    .executeTakeFirstOrThrow();
  return game.agreeSources;
}

/** What so many voices agree on. */
function agreement(words: readonly Word[], wanted: number, resultRule: ResultRule | null): Agreement {
  const phases = Map.groupBy(words, ({ phase }) => phase);
  const settled = [...phases.values()].flatMap((said) => {
    const meanings = Map.groupBy(said, ({ result }) => meaningOf(result, resultRule));
    const agreed = [...meanings.values()].find((each) => voices(each) >= wanted);
    return agreed?.[0] ? [{ first: agreed[0], against: said.filter((word) => !agreed.includes(word)) }] : [];
  });
  return {
    agreed: settled.map(({ first }) => first),
    against: settled.flatMap(({ against }) => against),
  };
}

/**
 * Takes down what a source says of phases without a result. Where its game asks for several sources, a result is agreed on once so many have
 * said it, whoever said it first; what others said stands against it. To be called with the game's row locked.
 */
export async function agree(db: Db, game: Game, said: readonly Said[]): Promise<Agreement> {
  const wanted = await wantedOf(db, game.gameId);
  if (wanted === 1 || said.length === 0) return { agreed: said, against: [] };
  return agreement(await wordsOf(db, game, said), wanted, game.resultRule);
}

/** The phases that would go on waiting for others to say so too, if this were said; nothing is taken down. */
export async function awaitedAfter(db: Db, game: Game, said: readonly Said[]): Promise<ReadonlySet<string>> {
  const wanted = await wantedOf(db, game.gameId);
  if (wanted === 1) return new Set();
  const { agreed } = agreement(await wordsWith(db, game, said), wanted, game.resultRule);
  const settled = new Set(agreed.map(({ phase }) => phase));
  return new Set(said.map(({ phase }) => phase).filter((phase) => !settled.has(phase)));
}

/** Who looks into a result that never came has so long for it. */
const KEPT = sql`interval '90 days'`;

/** Takes away what sources said: of a phase that was drawn or given up after a day, of any other after some months. */
export const deleteOldWords = (db: Db, most: number): Promise<number> =>
  deleteSome(db, most, {
    table: 'draw_word',
    key: ['gameId', 'phase', 'source'],
    where: sql`"createTime" < now() - interval '1 day' and ("createTime" < now() - ${KEPT}
      or exists (select from draw_record d where d."gameId" = r."gameId" and d.phase = r.phase)
      or exists (select from draw_void v where v."gameId" = r."gameId" and v.phase = r.phase))`,
    order: ['createTime'],
  });

/** What sources said of phases without a record, and results entered by hand that have yet to wait. */
const spoken = sql`
  select w."gameId", w.phase, w."createTime", w."spiderId", jsonb_build_object('source', w.source, 'result', w.result,
    'openTime', to_char(w."openTime", 'YYYY-MM-DD HH24:MI:SS'), 'createTime', to_char(w."createTime", 'YYYY-MM-DD HH24:MI:SS')) as word,
    null::jsonb as entry
  from draw_word w where not exists (select from draw_record r where r."gameId" = w."gameId" and r.phase = w.phase)
  union all
  select e."gameId", e.phase, e."createTime", null, null, jsonb_build_object('result', e.result, 'evidence', e.evidence, 'userName', e."userName",
    'createTime', to_char(e."createTime", 'YYYY-MM-DD HH24:MI:SS'), 'dueTime', to_char(e."dueTime", 'YYYY-MM-DD HH24:MI:SS'))
  from draw_entry e where e.outcome is null`;

/** Phases that wait for sources to agree, or for what was entered by hand to count; the oldest first. */
export async function pageAwaitedAgreements(
  db: Db,
  { currentPage, pageSize }: Input<typeof asked>,
): Promise<Page<AwaitedAgreement>> {
  const { rows } = await sql<AwaitedAgreement & { totalCount: number }>`
    select s."gameId", g.name as "gameName", s.phase, g."agreeSources", min(s."createTime") as since,
      greatest(0, extract(epoch from clock_timestamp() - min(s."createTime")))::integer as "ageSeconds",
      coalesce(jsonb_agg(s.word order by s."createTime", s.word ->> 'source') filter (where s.word is not null), '[]') as words,
      (jsonb_agg(s.entry) filter (where s.entry is not null)) -> 0 as entry,
      array(select p.name from spider p where p."gameId" = s."gameId" and p.enabled
        and not p.id = any(coalesce(array_agg(s."spiderId") filter (where s."spiderId" is not null), '{}'))
        and not p.name = any(coalesce(array_agg(s.word ->> 'source') filter (where s.word is not null), '{}')) order by p.name) as silent,
      count(*) over ()::integer as "totalCount"
    from (${spoken}) as s join game g on g.id = s."gameId"
    group by s."gameId", g.name, s.phase, g."agreeSources" order by min(s."createTime"), s."gameId", s.phase
    limit ${pageSize} offset ${(currentPage - 1) * pageSize}`.execute(db);
  const [first] = rows;
  // Past the end there is no row to tell how many there are.
  if (!first && currentPage > 1)
    return { ...(await pageAwaitedAgreements(db, { currentPage: 1, pageSize: 1 })), data: [] };
  return {
    totalCount: first?.totalCount ?? 0,
    data: rows.map(({ totalCount, ...row }) => row),
  };
}
