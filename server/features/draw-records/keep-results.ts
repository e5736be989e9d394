import { sql } from 'kysely';
import type { ResultRule } from '#contract/result-rules.ts';
import { DryRunResult, type ResultOutcome } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import { alarmOfEarly } from '../draw-plans/draw-alarms.ts';
import { ownSpelling, type PlannedGame, pastPhases } from '../draw-plans/numbering.ts';
import { findPlannedGame, lockPlannedGame } from '../draw-plans/planned-game.ts';
import { resultRuleOf } from '../games/result-rule.ts';
import { agree, awaitedAfter, type Said, type Speaker } from './agreement.ts';
import type { DrawnResult } from './drawn-result.ts';
import { fitsRule, inSpelling, isSameResult, meaningOf } from './same-result.ts';

/** What a source says, and what that means for the game's records. `openTime` is epoch seconds. */
export interface Judged extends DrawnResult {
  readonly outcome: ResultOutcome;
}

const words = DryRunResult.shape.outcome.meta()?.choices ?? {};

const complaints: ReadonlySet<ResultOutcome> = new Set(['EARLY', 'SPOILT', 'UNFIT']);

/**
 * What a run has to say of what it was told, in the words of a dry run; nothing when all is in order. A source may be ahead of the plans: that
 * is told only where none of its phases is the game's.
 */
export function complaintOf(judged: readonly Judged[]): string | undefined {
  const isStranger = judged.every(({ outcome }) => outcome === 'UNKNOWN');
  const wrong = judged.find(({ outcome }) => isStranger || complaints.has(outcome));
  return wrong && `期号 ${wrong.phase} ${words[wrong.outcome]}`;
}

interface Known {
  phase: string;
  status: 'WAITTING' | 'OPENING' | 'OPENED' | null;
  isDue: boolean | null;
  /** When it is drawn, in epoch seconds. */
  drawTime: number | null;
  isPromised: boolean;
  /** Its result was known while players could bet on it. */
  isSpoilt: boolean;
  result: string | null;
}

interface Reading {
  readonly gameId: number;
  readonly results: readonly DrawnResult[];
  readonly now: Date;
}

const phasesOf = (results: readonly DrawnResult[]): string[] => [
  ...new Set(results.map(({ phase }) => phase)),
];

async function knownOf(db: Db, { gameId, results, now }: Reading): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`
    select w.phase, p.status, p."endTime" <= ${now}::timestamptz as "isDue", r.result,
      extract(epoch from p."endTime")::float8 as "drawTime",
      c.phase is not null as "isPromised", e.phase is not null as "isSpoilt"
    from unnest(${phasesOf(results)}::text[]) as w (phase)
      left join draw_plan p on p.phase = w.phase and p."gameId" = ${gameId}
      left join draw_record r on r.phase = w.phase and r."gameId" = ${gameId}
      left join draw_commitment c on c.phase = w.phase and c."gameId" = ${gameId}
      left join early_record e on e.phase = w.phase and e."gameId" = ${gameId}`.execute(db);
  return new Map(rows.map((row) => [row.phase, row]));
}

interface Rules {
  /** By the game's own numbering. */
  readonly isPast: (drawn: DrawnResult) => boolean;
  readonly resultRule: ResultRule | null;
}

function judge(drawn: DrawnResult, known: Known | undefined, { isPast, resultRule }: Rules): ResultOutcome {
  // What was promised is drawn by its seed. No source's word counts for it, not even against it.
  if (known?.isPromised) return 'LOCAL';
  const isSame = known?.result && isSameResult(known.result, drawn.result, resultRule);
  // What cannot be a result of the game is none, and says nothing against the one there is.
  if (!isSame && !fitsRule(drawn.result, resultRule)) return 'UNFIT';
  if (known?.result) return isSame ? 'SAME' : 'CONFLICT';
  if (known?.isSpoilt) return 'SPOILT';
  // A result that comes while players may still bet is never taken: the source will say it again.
  if (known?.status) return known.isDue ? 'NEW' : 'EARLY';
  return isPast(drawn) ? 'NEW' : 'UNKNOWN';
}

/**
 * When a draw was: as the source says, or where it names no time of day as planned. Without a plan it is the last second of the day, so
 * that no result lies before its betting.
 */
function drawTimeOf({ openTime, dayEnd }: DrawnResult, known: Known | undefined, now: Date): number | null {
  if (openTime !== null && dayEnd === undefined) return openTime;
  if (known?.drawTime) return known.drawTime;
  return dayEnd === undefined ? null : Math.min(dayEnd, Math.floor(now.getTime() / 1000));
}

const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1000);

/** What was read, with every phase as its game writes it. */
function inOwnPhases<R extends Reading>(game: PlannedGame, reading: R): R {
  const spelt = ownSpelling(game, secondsOf(reading.now));
  return { ...reading, results: reading.results.map((drawn) => ({ ...drawn, phase: spelt(drawn.phase) })) };
}

/** By the game's own numbering: the time a source names is the source's to choose. */
function pastOf(game: PlannedGame | undefined, now: Date): Rules['isPast'] {
  const seconds = secondsOf(now);
  const isPast = game ? pastPhases(game, seconds) : () => false;
  return ({ phase, openTime }) => openTime !== null && openTime <= seconds && isPast(phase);
}

/** Different results of one phase that are kept of one body: whoever says more contradicts himself enough. */
const MOST_WORDS = 50;

/** The different things said of each phase, phases and words in the order they came in. */
function wordsOf(results: readonly DrawnResult[], resultRule: ResultRule | null): DrawnResult[][] {
  const phases = new Map<string, Map<string, DrawnResult>>();
  for (const drawn of results) {
    const words = phases.get(drawn.phase) ?? new Map<string, DrawnResult>();
    const meaning = meaningOf(drawn.result, resultRule);
    if (!words.has(meaning) && words.size < MOST_WORDS) words.set(meaning, drawn);
    phases.set(drawn.phase, words);
  }
  return [...phases.values()].map((words) => [...words.values()]);
}

/** Of what a body says of a phase that is taken, the first word is; whatever else it says disagrees with that. */
function judgeWords(words: readonly DrawnResult[], known: Known | undefined, rules: Rules): Judged[] {
  const outcomes = words.map((drawn) => judge(drawn, known, rules));
  const taken = outcomes.indexOf('NEW');
  return words.map((drawn, index) => {
    const outcome = outcomes[index] ?? 'UNKNOWN';
    const isAgainst = taken >= 0 && index !== taken && outcome !== 'UNFIT';
    return { ...drawn, outcome: isAgainst ? 'CONFLICT' : outcome };
  });
}

/** Says of each draw what storing it would do, and stores nothing. The same word on a phase that comes twice counts once. */
export async function judgeResults(db: Db, said: Reading): Promise<Judged[]> {
  const { gameId, now } = said;
  const game = await findPlannedGame(db, gameId);
  const reading = game ? inOwnPhases(game, said) : said;
  const { results } = reading;
  const { rows } = await sql<{ number: string }>`
    select number from game_number where "gameId" = ${gameId}`.execute(db);
  const numbers = rows.map(({ number }) => number);
  const spelt = results.map((drawn) => ({ ...drawn, result: inSpelling(drawn.result, numbers) }));
  const known = await knownOf(db, reading);
  const resultRule = await resultRuleOf(db, gameId);
  const rules = { isPast: pastOf(game, now), resultRule };
  return wordsOf(spelt, resultRule).flatMap((words) => {
    const phase = known.get(words[0]?.phase ?? '');
    return judgeWords(words, phase, rules).map((judged) => ({
      ...judged,
      openTime: drawTimeOf(judged, phase, now),
    }));
  });
}

/**
 * Keeps everybody else from these phases until the transaction ends: other sources and whoever plans the game by the game's row,
 * promises and local draws by the plans'. Plans whose draw time has come are opened.
 */
async function lockPhases(db: Db, reading: Reading): Promise<void> {
  const { gameId, now } = reading;
  const { results } = inOwnPhases(await lockPlannedGame(db, gameId), reading);
  const said = sql`"gameId" = ${gameId} and phase = any(${phasesOf(results)})`;
  // A statement of its own: in another one's WITH it would be left out where that one finds nothing to do.
  await sql`select from draw_plan where ${said} and status <> 'OPENED' order by id for no key update`.execute(
    db,
  );
  await sql`
    update draw_plan set status = 'OPENING'
    where ${said} and status = 'WAITTING' and "endTime" <= ${now}::timestamptz`.execute(db);
}

const columns = (said: readonly Said[]) => sql`
  unnest(${said.map(({ phase }) => phase)}::text[], ${said.map(({ result }) => result)}::text[],
    ${said.map(({ openTime }) => openTime)}::bigint[], ${said.map(({ source }) => source)}::text[]) as w (phase, result, "openTime", source)`;

interface Source extends Reading {
  readonly source: string;
  readonly speaker?: Speaker;
}

async function addRecords(db: Db, { gameId, now }: Source, fresh: readonly Said[]): Promise<void> {
  if (fresh.length === 0) return;
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime", "createTime", source)
    select ${gameId}::bigint, w.phase, w.result, coalesce(to_timestamp(w."openTime"), ${now}::timestamptz), ${now}::timestamptz, w.source
    from ${columns(fresh)} order by to_timestamp(w."openTime"), w.phase`.execute(db);
}

async function addClaims(db: Db, { gameId, now }: Source, disagreeing: readonly Said[]): Promise<void> {
  if (disagreeing.length === 0) return;
  await sql`
    with claim as (
      insert into draw_claim ("recordId", source, result, "openTime", "createTime")
      select r.id, w.source, w.result, coalesce(to_timestamp(w."openTime"), r."openTime"), ${now}::timestamptz
      from ${columns(disagreeing)} join draw_record r on r.phase = w.phase and r."gameId" = ${gameId}
      on conflict do nothing returning "recordId"
    )
    update draw_record r set conflict = true from claim where r.id = claim."recordId"`.execute(db);
}

/**
 * Keeps records that something said disagrees with as they are until the transaction ends; tells whether there are any. One that was being
 * corrected may say that very thing by then.
 */
async function holdDisputed(db: Db, gameId: number, judged: readonly Judged[]): Promise<boolean> {
  const disputed = judged.filter(({ outcome }) => outcome === 'CONFLICT');
  if (disputed.length === 0) return false;
  const { rows } = await sql`
    select from draw_record where "gameId" = ${gameId} and phase = any(${phasesOf(disputed)}) order by id for no key update`.execute(
    db,
  );
  return rows.length > 0;
}

/** Plans whose result is there are done. */
async function endPlans(db: Db, gameId: number): Promise<void> {
  await sql`
    update draw_plan p set status = 'OPENED' from draw_record r
    where p."gameId" = ${gameId} and p.status = 'OPENING' and r.phase = p.phase and r."gameId" = p."gameId"`.execute(
    db,
  );
}

/**
 * Keeps what a source said: the first result of a phase that enough sources agree on becomes its record and ends its plan; a different one, of another source or
 * of the same, is kept beside it and raises a conflict. Sources of one game take turns, so that each sees what the one before it
 * said. To be called in a transaction.
 */
export async function keepResults(db: Db, reading: Source): Promise<Judged[]> {
  await lockPhases(db, reading);
  const { source, gameId, now, speaker } = reading;
  const first = await judgeResults(db, reading);
  const judged = (await holdDisputed(db, gameId, first)) ? await judgeResults(db, reading) : first;
  const of = (outcome: ResultOutcome) =>
    judged.flatMap(({ outcome: own, ...said }) => (own === outcome ? [{ ...said, source }] : []));
  const resultRule = await resultRuleOf(db, gameId);
  const { agreed, against } = await agree(db, { gameId, now, resultRule, speaker }, of('NEW'));
  await addRecords(db, reading, agreed);
  await addClaims(db, reading, [...against, ...of('CONFLICT')]);
  await alarmOfEarly(db, { gameId, source, phases: of('EARLY').map(({ phase }) => phase) }, now);
  await endPlans(db, reading.gameId);
  return judged;
}

/** What keeping these would come to, for who tries a source; nothing is kept. */
export async function foreseeResults(db: Db, reading: Source): Promise<Judged[]> {
  const judged = await judgeResults(db, reading);
  const { source, gameId, now, speaker } = reading;
  const fresh = judged.flatMap(({ outcome, ...said }) => (outcome === 'NEW' ? [{ ...said, source }] : []));
  const resultRule = await resultRuleOf(db, gameId);
  const awaited = await awaitedAfter(db, { gameId, now, resultRule, speaker }, fresh);
  return judged.map((each) =>
    each.outcome === 'NEW' && awaited.has(each.phase) ? { ...each, outcome: 'AWAITED' } : each,
  );
}
