import { sql } from 'kysely';
import type { Input } from '#contract/endpoint.ts';
import type { LoginRecord, pageLoginRecords as pageOfLogins } from '#contract/login-records.ts';
import { compiledOnce, type RowsOf } from '#server/db/compiled-once.ts';
import { byOutcome, keysOfOutcome } from '#server/db/counted-by-outcome.ts';
import { cut } from '#server/db/cut.ts';
import type { Db } from '#server/db/database.ts';
import { deleteSome } from '#server/db/delete-some.ts';
import { type Order, orderBy } from '#server/db/list-order.ts';
import { writtenPage } from '#server/db/page.ts';
import type { Page } from '#server/db/reading.ts';
import { asking, contains, literally, same } from '#server/db/where.ts';
import { asMoment, type Written } from '#server/db/written.ts';
import { readParam } from '#server/params/read-param.ts';

type Filter = Input<typeof pageOfLogins>;

const list = byOutcome('login_record');

/** Rows of a page as the wire has them. */
const shown = compiledOnce((db, page: RowsOf<'login_record'>, order: Order) =>
  db
    .selectFrom(page.as('r'))
    .select(['r.id', asMoment('r.createTime').as('createTime'), 'r.operatorId', 'r.userName', 'r.address'])
    .select(['r.outcome', 'r.msg', 'r.agent'])
    .orderBy(order),
);

/** A page of the log, the newest first. */
export function pageLoginRecords(db: Db, filter: Filter): Promise<Written<Page<LoginRecord>>> {
  const asked = {
    few: asking(filter, { userName: same, address: contains }),
    kinds: asking(filter, { outcome: literally }),
    keys: keysOfOutcome(filter.outcome),
    range: filter.createTimeRange,
  };
  return writtenPage<LoginRecord>(db, list, asked, filter, (condition, start) =>
    shown(db, cut('login_record', condition, start), orderBy(start.sort, 'r')),
  );
}

type LoginEntry = Omit<LoginRecord, 'id' | 'createTime'>;

/** Writes down a sign-in or a failure, in the transaction that counts it. */
export async function recordLogin(tx: Db, entry: LoginEntry): Promise<void> {
  await tx.insertInto('login_record').values(entry).execute();
}

/** Writes down a try at a closed account: one a minute of an address, since such tries cost the one who makes them nothing. */
export async function recordLockedOut(
  db: Db,
  { operatorId, userName, address, agent, msg }: Omit<LoginEntry, 'outcome'>,
): Promise<void> {
  await sql`
    insert into login_record ("operatorId", "userName", address, agent, outcome, msg)
    select ${operatorId}::bigint, ${userName}, ${address}, ${agent}, 'LOCKED', ${msg} where not exists (
      select from login_record where lower("userName") = lower(${userName}) and address = ${address}
        and outcome = 'LOCKED' and "createTime" > clock_timestamp() - interval '1 minute')`.execute(db);
}

/** Deletes some of the oldest lines that need not be kept any longer, and tells how many. */
export async function deleteOldLoginRecords(db: Db, most: number): Promise<number> {
  const days = await readParam(db, 'retention.loginRecordDays');
  if (days === 0) return 0;
  const where = sql<boolean>`"createTime" < now() - make_interval(days => ${days})`;
  return deleteSome(db, most, { table: 'login_record', where, order: ['createTime'] });
}
