import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { errorCode, LOCK_NOT_AVAILABLE } from '#server/db/driver/outage.ts';

/** The least number of slips in a batch, if there are as many. A batch has whole accounts, however many slips one has. */
const SLIPS_A_ROW = 500;

/** Settlements that may begin, since the earlier ones of their phase are done. Local draws come first. */
const nextUngathered = (db: Db) =>
  sql<{ id: number; gameId: number; phase: string }>`
  select id, "gameId", phase from settlement s
  where status = 'RUNNING' and "gatheredTime" is null and not exists (
    select from settlement before where before."gameId" = s."gameId" and before.phase = s.phase and before.id < s.id and before.status = 'RUNNING')
  order by "local" desc, id limit 100`.execute(db);

/** Adds up what the batches of a settlement `e` did. */
const addedUp = (work: RawBuilder<unknown>) => sql`
  (slips, stake, payout, refund) = (
    select e.slips + coalesce(sum(w.settled), 0), as_money(e.stake + coalesce(sum(w.stake), 0)),
      as_money(e.payout + coalesce(sum(w.payout), 0)), as_money(e.refund + coalesce(sum(w.refund), 0))
    from ${work} w where w."settlementId" = e.id)`;

/** Takes over what earlier settlements of the phase left to a person or another try: this one looks at every slip anew. */
async function takeOver(tx: Db, id: number, gameId: number, phase: string): Promise<void> {
  const earlier = sql`e."gameId" = ${gameId} and e.phase = ${phase} and e.id < ${id} and e.status = 'HELD'`;
  // Who still settles for it, since it was stopped meanwhile, is waited for.
  await sql`
    select from settlement_batch b join settlement e on e.id = b."settlementId" where ${earlier} order by e.id, b.no for update of b`.execute(
    tx,
  );
  await sql`
    with work as (
      delete from settlement_batch b using settlement e where e.id = b."settlementId" and ${earlier} returning b.*
    ), held as (
      delete from slip_hold h using settlement e where e.id = h."settlementId" and ${earlier}
    )
    update settlement e set status = 'DONE', stopped = false, "endTime" = coalesce("endTime", now()),
      problem = concat_ws('；', problem, '其余由第 ' || ${id}::bigint || ' 号结算处理'), ${addedUp(sql.ref('work'))}
    where ${earlier}`.execute(tx);
}

/** Lists the slips of the phase in batches, accounts together, and notes how many there are and on which days of the report. */
const listSlips = (tx: Db, id: number, gameId: number, phase: string) =>
  sql`
  with slips as (
    select s.id, "userId", day, row_number() over (order by "userId", id) as place from slip s
    where "gameId" = ${gameId} and phase = ${phase} and status <> 'CANCELLED'
  ), placed as (
    select id, "userId", (min(place) over (partition by "userId") - 1) / ${SLIPS_A_ROW}::integer as no from slips
  ), added as (
    insert into settlement_batch ("settlementId", no, slips)
    select ${id}::bigint, no, array_agg(id order by "userId", id) from placed group by no returning cardinality(slips) as n
  )
  update settlement s set "gatheredTime" = clock_timestamp(), total = (select coalesce(sum(n), 0) from added),
    days = array(select distinct day from slips),
    result = coalesce(s.result, (select e.result from settlement e
      where e."gameId" = s."gameId" and e.phase = s.phase and e.id < s.id and e.result is not null order by e.id desc limit 1))
  where id = ${id}`.execute(tx);

/** Placing takes a second at most; if the phase's lock is held for longer, its slips are listed another time. */
const LOCK_MS = 300;

async function gather(db: Db, id: number, gameId: number, phase: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select from settlement where id = ${id} and status = 'RUNNING' and "gatheredTime" is null for update skip locked`.execute(
      tx,
    );
    if (rows.length === 0) return;
    // Those before it are kept from going on meanwhile.
    const { rows: before } = await sql<{ status: string }>`
      select status from settlement where "gameId" = ${gameId} and phase = ${phase} and id < ${id} order by id for no key update`.execute(
      tx,
    );
    if (before.some(({ status }) => status === 'RUNNING')) return;
    await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(tx);
    // Whoever placed a slip in time has committed after this, and nobody places one any more.
    await sql`select pg_advisory_xact_lock(betting_key(${gameId}::bigint, ${phase}))`.execute(tx);
    await takeOver(tx, id, gameId, phase);
    await listSlips(tx, id, gameId, phase);
  });
}

/** Lists the slips of settlements that have just begun. Tells whether one must wait for a slip that is still being placed. */
export async function gatherNew(db: Db): Promise<boolean> {
  const { rows } = await nextUngathered(db);
  let isWaiting = false;
  for (const { id, gameId, phase } of rows)
    try {
      await gather(db, id, gameId, phase);
    } catch (error) {
      if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      isWaiting = true;
    }
  return isWaiting;
}

const isFinished = sql`
  s.status = 'RUNNING' and s."gatheredTime" is not null
    and not exists (select from settlement_batch b where b."settlementId" = s.id and b.slips <> '{}')`;

/** Ends settlements without work left; this transaction must have locked them in an earlier statement. */
const end = (tx: Db, ids: readonly number[]) =>
  sql`
  with finished as (
    select s.id, (select count(*) from slip_hold h where h."settlementId" = s.id) as n, (
        select string_agg(distinct problem, '；')
        from (select problem from slip_hold where "settlementId" = s.id limit 1000) as held) as problem
    from settlement s
    where s.id = any(${[...ids]}::bigint[]) and ${isFinished}
  ), work as (
    delete from settlement_batch b using finished f where b."settlementId" = f.id returning b.*
  )
  update settlement e set "endTime" = clock_timestamp(), status = case when f.n > 0 then 'HELD' else 'DONE' end,
    problem = case when f.n > 0 then f.n || ' 张注单待处理：' || left(f.problem, 500) end, ${addedUp(sql.ref('work'))}
  from finished f where e.id = f.id`.execute(tx);

/**
 * Ends settlements without work left: they are done, or held by slips that wait for a person or another try. Slips are put back to work under the
 * lock of the settlement's row, so only its holder can tell that no work is left.
 */
export async function endFinished(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from settlement s where ${isFinished}`.execute(db);
  if (rows.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const { rows: locked } = await sql<{ id: number }>`
      select id from settlement where id = any(${rows.map(({ id }) => id)}::bigint[]) order by id for update skip locked`.execute(
      tx,
    );
    await end(
      tx,
      locked.map(({ id }) => id),
    );
  });
}
