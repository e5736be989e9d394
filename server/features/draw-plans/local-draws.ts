import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import type { Vault } from '#server/vault.ts';
import {
  endAlarms,
  type FailedPhase,
  isNotSetAside,
  phasesOf,
  setAside,
  togetherOrAlone,
} from './draw-alarms.ts';
import { giveUpSoon, type Promised, resultOf } from './promise.ts';

const BATCH = 500;

/** What a local draw's records name as their source. */
export const LOCAL_SOURCE = '本地开奖';

interface Due extends Promised {
  id: number;
}

interface Draw {
  readonly id: number;
  readonly gameId: number;
  readonly seed: string;
  readonly result: string;
}

/** The due promises, kept from other servers until the transaction ends. */
async function lockDue(tx: Db, which: RawBuilder<SqlBool>): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select p.id, p."gameId", p.phase, c.rules, c.commitment, c.seed, b.value as "beaconValue" from draw_plan p
      join draw_commitment c on c."gameId" = p."gameId" and c.phase = p.phase
      left join draw_beacon b on b."gameId" = p."gameId" and b.phase = p.phase
    where ${which} order by p."endTime" limit ${BATCH} for update of p skip locked`.execute(tx);
  return rows;
}

/** Seeds revealed, and the phases whose seed says nothing. */
function openAll(vault: Vault, due: readonly Due[]): { draws: Draw[]; failed: FailedPhase[] } {
  const draws: Draw[] = [];
  const failed: FailedPhase[] = [];
  for (const promised of due) {
    const { id, gameId, phase } = promised;
    const drawn = resultOf(vault, promised);
    if ('reason' in drawn) failed.push({ gameId, phase, reason: drawn.reason });
    else draws.push({ id, gameId, ...drawn });
  }
  return { draws, failed };
}

/** Keeps what was drawn as records and ends the plans and their alarms. */
async function keep(tx: Db, draws: readonly Draw[], now: Date): Promise<void> {
  const ids = draws.map(({ id }) => id);
  await sql`
    insert into draw_record ("gameId", phase, result, "openTime", "createTime", source, seed)
    select p."gameId", p.phase, d.result, p."endTime", ${now}::timestamptz, ${LOCAL_SOURCE}, d.seed
    from unnest(${ids}::bigint[], ${draws.map(({ result }) => result)}::text[],
      ${draws.map(({ seed }) => seed)}::text[]) as d (id, result, seed)
      join draw_plan p on p.id = d.id
    on conflict (phase, "gameId") do nothing`.execute(tx);
  await sql`update draw_plan set status = 'OPENED' where id = any(${ids})`.execute(tx);
  await endAlarms(tx, ids);
  await sql`
    update spider set "lastRunTime" = ${now}::timestamptz, "lastSuccessTime" = ${now}::timestamptz
    where "spiderServiceName" = 'LocalDrawSpider' and "gameId" = any(${[...new Set(draws.map(({ gameId }) => gameId))]})`.execute(
    tx,
  );
}

interface Drawn {
  readonly count: number;
  readonly failed: readonly FailedPhase[];
}

const drawWhich = (db: Db, vault: Vault, now: Date, which: RawBuilder<SqlBool>): Promise<Drawn> =>
  db.transaction().execute(async (tx) => {
    await giveUpSoon(tx);
    const { draws, failed } = openAll(vault, await lockDue(tx, which));
    if (draws.length > 0) await keep(tx, draws, now);
    await setAside(tx, failed, now);
    return { count: draws.length, failed };
  });

/** Whether a plan, as `p`, can be drawn: what it waits for is there. */
const isPromised = (now: Date): RawBuilder<SqlBool> =>
  sql<SqlBool>`p.status = 'OPENING' and p.commitment is not null and not exists (
      select from draw_commitment c where c."gameId" = p."gameId" and c.phase = p.phase and c.rules -> 'beacon' is not null
        and not exists (select from draw_beacon b where b."gameId" = p."gameId" and b.phase = p.phase))
    and ${isNotSetAside(now)}`;

/** Since when a promised draw is due, in epoch milliseconds; nothing when none is. */
export const nextDraw = (db: Db, now: Date): Promise<number | undefined> =>
  dueAt(db, sql`select min(p."endTime") from draw_plan p where ${isPromised(now)}`);

/**
 * Draws what was promised and is due: reveals the seeds, keeps what follows from them as records and ends the plans. A
 * phase that cannot be drawn is set aside and holds no other up. Tells how many were drawn and which failed. Nobody can hold
 * a promised draw back by switching its spider off.
 */
export async function drawPromised(db: Db, vault: Vault, now: Date): Promise<Drawn> {
  const due = isPromised(now);
  const { done, failed } = await togetherOrAlone(db, now, {
    together: () => drawWhich(db, vault, now, due),
    due: () => phasesOf(db, due, BATCH),
    alone: (id) => drawWhich(db, vault, now, sql<SqlBool>`p.id = ${id} and ${due}`),
  });
  return {
    count: done.reduce((sum, { count }) => sum + count, 0),
    failed: [...failed, ...done.flatMap((drawn) => drawn.failed)],
  };
}
