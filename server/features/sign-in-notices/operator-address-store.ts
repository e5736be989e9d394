import { sql } from 'kysely';
import type { NewAddress } from '#contract/sign-in-notices.ts';
import type { Db } from '#server/db/database.ts';
import { deleteSome } from '#server/db/delete-some.ts';
import { changed } from '#server/db/rows.ts';
import { originOf } from '#server/origin.ts';
import { readParam } from '#server/params/read-param.ts';

/** Notes a sign-in's place; true when this operator has signed in before and never from there. */
export async function rememberAddress(
  db: Db,
  operatorId: number,
  { address, agent }: { address: string; agent: string },
): Promise<boolean> {
  const { rows } = await sql<{ isNews: boolean }>`
    insert into operator_address ("operatorId", origin, address, agent, noted)
    select ${operatorId}, ${originOf(address)}, ${address}, ${agent},
      not exists (select from operator_address where "operatorId" = ${operatorId})
    on conflict ("operatorId", origin) do update set "lastTime" = now()
    returning (xmax = 0 and not noted) as "isNews"`.execute(db);
  return rows[0]?.isNews ?? false;
}

/** The places an operator has not taken note of, the newest first; `from` is where they are now. */
export async function newAddresses(db: Db, operatorId: number, from: string): Promise<NewAddress[]> {
  return db
    .selectFrom('operator_address')
    .select(['id', 'address', 'agent', 'firstTime'])
    .select(sql<boolean>`origin = ${originOf(from)}`.as('own'))
    .where('operatorId', '=', operatorId)
    .where('noted', '=', false)
    .orderBy('id', 'desc')
    .execute();
}

export async function countNewAddresses(db: Db, operatorId: number): Promise<number> {
  const { n } = await db
    .selectFrom('operator_address')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('operatorId', '=', operatorId)
    .where('noted', '=', false)
    .executeTakeFirstOrThrow();
  return n;
}

/**
 * Takes note of an operator's new places. Whoever stole a password must not silence what tells of it: a place counts from its second day on,
 * or where the caller is at one that is known by then. From anywhere else they would take note of one place of theirs by another.
 */
export async function noteNewAddresses(db: Db, operatorId: number, from: string): Promise<string[]> {
  const isOld = sql<boolean>`"firstTime" < now() - interval '24 hours'`;
  const isAtHome = sql<boolean>`exists (
    select from operator_address where "operatorId" = ${operatorId} and origin = ${originOf(from)} and (noted or ${isOld}))`;
  const rows = await db
    .updateTable('operator_address')
    .set({ noted: true })
    .where('operatorId', '=', operatorId)
    .where('noted', '=', false)
    .where(({ or }) => or([isOld, isAtHome]))
    .returning('address')
    .execute();
  return rows.map((row) => row.address);
}

/** Forgets places not signed in from for as long as the log of sign-ins is kept; tells how many. */
export async function deleteOldAddresses(db: Db, most: number): Promise<number> {
  const days = await readParam(db, 'retention.loginRecordDays');
  if (days === 0) return 0;
  const where = sql<boolean>`"lastTime" < now() - make_interval(days => ${days})`;
  return deleteSome(db, most, { table: 'operator_address', where, order: ['lastTime'] });
}

export async function findEmail(db: Db, operatorId: number): Promise<string | null> {
  const row = await db.selectFrom('operator').select('email').where('id', '=', operatorId).executeTakeFirst();
  return row?.email ?? null;
}

export async function setEmail(db: Db, operatorId: number, email: string | null): Promise<void> {
  await changed(db, 'operator', { id: operatorId }, { email });
}
