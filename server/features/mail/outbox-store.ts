import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { OutboxMail, pageOutboxMails as pageOfMails } from '#contract/mail-outbox.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import type { CountedList } from '#server/db/counted-list.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { dueAt } from '#server/db/due-at.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { writtenPage } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { asking, begins, literally } from '#server/db/where.ts';
import { asMoment, type Written } from '#server/db/written.ts';

/** A mail somebody has taken on to send. */
export interface ClaimedMail {
  id: number;
  to: string;
  content: Buffer | null;
  attempts: number;
}

type Filter = Input<typeof pageOfMails>;

const list: CountedList = { table: 'mail_outbox', byIds: true };

const due = sql<string | null>`case when status = 'PENDING' then ${asMoment('nextTime')} end`;

/** Rows of a page as the wire has them. */
const shown = compiledOnce((db, page: RowsOf<'mail_outbox'>, order: Order) =>
  db
    .selectFrom(page.as('m'))
    .select(['m.id', 'm.template', 'm.to', 'm.status', 'm.attempts', 'm.lastError'])
    .select([asMoment('m.createTime').as('createTime'), due.as('nextTime')])
    .select(asMoment('m.sentTime').as('sentTime'))
    .orderBy(order),
);

/** A page of mails, the newest first, and how many match in all. */
export function pageOutboxMails(db: Db, filter: Filter): Promise<Written<Page<OutboxMail>>> {
  const few = asking(filter, { to: begins, template: literally, status: literally });
  return writtenPage<OutboxMail>(
    db,
    list,
    { few, range: filter.createTimeRange },
    filter,
    (condition, start) => shown(db, cut('mail_outbox', condition, start), orderBy(start.sort, 'm')),
  );
}

export async function insertMail(db: Db, mail: Pick<OutboxMail, 'template' | 'to'>): Promise<number> {
  const row = db.insertInto('mail_outbox').values({ ...mail, nextTime: sql`now()` });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

export async function setContent(db: Db, id: number, content: Buffer): Promise<void> {
  await db.updateTable('mail_outbox').set({ content }).where('id', '=', id).execute();
}

/**
 * Takes on one mail that is due: for `claimSeconds` nobody else will touch it. One that was being sent when its server
 * died is due again after that time.
 */
export async function claimDueMail(
  db: Db,
  now: Date,
  claimSeconds: number,
): Promise<ClaimedMail | undefined> {
  const until = new Date(now.getTime() + claimSeconds * 1000);
  const { rows } = await sql<ClaimedMail>`
    update mail_outbox set status = 'SENDING', attempts = attempts + 1, "nextTime" = ${until}
    where id = (
      select id from mail_outbox where status in ('PENDING', 'SENDING') and "nextTime" <= ${now}
      order by "nextTime" limit 1 for update skip locked)
    returning id, "to", content, attempts`.execute(db);
  return rows[0];
}

/** When the next mail is due, in epoch milliseconds; nothing when none is on its way. */
export const nextMail = (db: Db): Promise<number | undefined> =>
  dueAt(db, sql`select min("nextTime") from mail_outbox where status in ('PENDING', 'SENDING')`);

/** The mail was taken, by whoever handed it over: nothing of what it said is kept. */
export async function markSent(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ status: 'SENT', sentTime: now, nextTime: null, content: null, lastError: null })
    .where('id', '=', id)
    .execute();
}

/**
 * The mail was not taken: to be tried again at `nextTime`, or given up when there is none. Where another server has taken it on since, this is
 * what that one says.
 */
export async function markNotSent(
  db: Db,
  { id, attempts }: ClaimedMail,
  lastError: string,
  nextTime: Date | null,
): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ status: nextTime ? 'PENDING' : 'FAILED', lastError, nextTime })
    .where('id', '=', id)
    .where('status', '=', 'SENDING')
    .where('attempts', '=', attempts)
    .execute();
}

export async function lockMail(db: Db, id: number) {
  const row = db.selectFrom('mail_outbox').select(['id', 'status', 'content']).where('id', '=', id);
  return row.forUpdate().executeTakeFirst();
}

/** Lets a mail that was given up start anew. */
export async function reviveMail(db: Db, id: number, now: Date): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ status: 'PENDING', attempts: 0, nextTime: now })
    .where('id', '=', id)
    .execute();
}

/** No more than so many are counted: it is trouble long before. */
const MOST_IN_A_ROW = 100;

/** How many of the newest mails that came to an end were given up, in the last day; a single wrong address is nobody's trouble, all of them are. */
export async function mailsFailedInARow(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from mail_outbox where status = 'FAILED' and "createTime" > now() - interval '1 day'
        and id > coalesce((select id from mail_outbox where status = 'SENT' order by id desc limit 1), 0)
      order by id desc limit ${MOST_IN_A_ROW}) as failed`.execute(db);
  return rows[0]?.n ?? 0;
}
