import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';
import { commitmentOf, drawnNumbers } from './commitment.ts';
import { type DrawRules, drawRulesOf } from './draw-rules.ts';

/** Promises are made this long before betting opens, so that draws go on as promised after an outage of hours. */
const AHEAD = '6 hours';
const BATCH = 500;
const SEED_BYTES = 32;

/** What a local draw's records name as their source. */
export const LOCAL_SOURCE = '本地开奖';

const binding = (gameId: number, phase: string): string => `draw_commitment/${gameId}/${phase}`;

/** A server that fell silent (and not its process) must not hold plans for long: see docs/decisions/0020. */
export const giveUpSoon = (db: Db) => sql`set local idle_in_transaction_session_timeout = '3s'`.execute(db);

/** Games that draw by themselves and have plans that promise nothing yet. */
async function unpromisedGames(db: Db, now: Date): Promise<{ gameId: number; rules: DrawRules }[]> {
  const { rows } = await sql<{ gameId: number; options: string | null }>`
    select distinct on ("gameId") "gameId", options from spider s
    where enabled and "spiderServiceName" = 'LocalDrawSpider' and exists (
      select from draw_plan p where p."gameId" = s."gameId" and p.commitment is null and p.status <> 'OPENED'
        and p."startTime" <= ${now}::timestamptz + ${AHEAD}::interval)
    order by "gameId", id`.execute(db);
  return rows.flatMap(({ gameId, options }) => {
    const rules = drawRulesOf(options);
    return rules ? [{ gameId, rules }] : [];
  });
}

/** The next plans of a game that promise nothing yet, kept from other servers. */
async function lockUncommitted(db: Db, gameId: number, now: Date): Promise<{ id: number; phase: string }[]> {
  const { rows } = await sql<{ id: number; phase: string }>`
    select id, phase from draw_plan
    where "gameId" = ${gameId} and commitment is null and status <> 'OPENED'
      and "startTime" <= ${now}::timestamptz + ${AHEAD}::interval
    order by "startTime" limit ${BATCH} for update skip locked`.execute(db);
  return rows;
}

async function commitGame(
  db: Db,
  vault: Vault,
  now: Date,
  gameId: number,
  rules: DrawRules,
): Promise<number> {
  const plans = await lockUncommitted(db, gameId, now);
  if (plans.length === 0) return 0;
  const promises = plans.map(({ phase }) => {
    const seed = randomBytes(SEED_BYTES).toString('hex');
    const commitment = commitmentOf({ gameId, phase, rules, seed });
    return { phase, commitment, seed: vault.seal(seed, binding(gameId, phase)).toString('hex') };
  });
  // A phase that was promised before keeps its promise, whatever became of its plan since.
  await sql`
    insert into draw_commitment ("gameId", phase, rules, commitment, seed, "createTime")
    select ${gameId}::bigint, phase, ${JSON.stringify(rules)}::jsonb, commitment, decode(seed, 'hex'), ${now}::timestamptz
    from unnest(${promises.map(({ phase }) => phase)}::text[], ${promises.map(({ commitment }) => commitment)}::text[],
      ${promises.map(({ seed }) => seed)}::text[]) as p (phase, commitment, seed)
    on conflict do nothing`.execute(db);
  await sql`
    update draw_plan p set commitment = c.commitment from draw_commitment c
    where p.id = any(${plans.map(({ id }) => id)}) and c."gameId" = p."gameId" and c.phase = p.phase`.execute(
    db,
  );
  return plans.length;
}

/** Promises the results of the plans to come of games that draw by themselves; tells how many. */
export async function commitPlans(db: Db, vault: Vault, now: Date): Promise<number> {
  let committed = 0;
  for (const { gameId, rules } of await unpromisedGames(db, now))
    committed += await db.transaction().execute(async (tx) => {
      await giveUpSoon(tx);
      return commitGame(tx, vault, now, gameId, rules);
    });
  return committed;
}

interface DuePromise {
  id: number;
  gameId: number;
  phase: string;
  rules: DrawRules;
  seed: Buffer;
}

/**
 * Draws what was promised and is due: reveals the seeds, keeps what follows from them as records and ends the plans, all or
 * nothing. Tells how many were drawn. Nobody can hold a promised draw back by switching its spider off.
 */
export function drawPromised(db: Db, vault: Vault, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await giveUpSoon(tx);
    const { rows: due } = await sql<DuePromise>`
      select p.id, p."gameId", p.phase, c.rules, c.seed from draw_plan p
        join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
      where p.status = 'OPENING' and p.commitment is not null
      order by p."endTime" limit ${BATCH} for update of p skip locked`.execute(tx);
    if (due.length === 0) return 0;
    const draws = due.map(({ id, gameId, phase, rules, seed: sealed }) => {
      const seed = vault.open(sealed, binding(gameId, phase));
      return { id, seed, result: drawnNumbers({ rules, seed }).join(',') };
    });
    await sql`
      insert into draw_record ("gameId", phase, result, "openTime", "createTime", source, seed)
      select p."gameId", p.phase, d.result, p."endTime", ${now}::timestamptz, ${LOCAL_SOURCE}, d.seed
      from unnest(${draws.map(({ id }) => id)}::bigint[], ${draws.map(({ result }) => result)}::text[],
        ${draws.map(({ seed }) => seed)}::text[]) as d (id, result, seed)
        join draw_plan p on p.id = d.id
      on conflict (phase, "gameId") do nothing`.execute(tx);
    await sql`update draw_plan set status = 'OPENED' where id = any(${due.map(({ id }) => id)})`.execute(tx);
    await sql`
      update spider set "lastRunTime" = ${now}::timestamptz, "lastSuccessTime" = ${now}::timestamptz
      where "spiderServiceName" = 'LocalDrawSpider' and "gameId" = any(${[...new Set(due.map(({ gameId }) => gameId))]})`.execute(
      tx,
    );
    return due.length;
  });
}
