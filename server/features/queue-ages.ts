import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** For how many seconds the oldest of each kind of waiting work has waited; 0 where nothing waits. */
export async function queueAges(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ queue: string; seconds: number }>`
    select queue, greatest(0, coalesce(extract(epoch from clock_timestamp() - since), 0))::float8 as seconds from (values
      ('mails', (select min("createTime") from mail_outbox where status in ('PENDING', 'SENDING'))),
      ('deposits', (select "createTime" from deposit where status = 'PROCESSING' order by id limit 1)),
      ('withdrawals', (select "createTime" from withdrawal where status = 'PROCESSING' order by id limit 1)),
      ('approvals', (select min("createTime") from approval where status = 'PENDING' and "expireTime" > clock_timestamp())),
      ('results', (select min("endTime") from draw_plan where status = 'OPENING' and "unawaitedReason" is null)),
      ('settlements', (select min("startTime") from settlement where status = 'RUNNING')),
      ('anchors', (select min(a."createTime") from anchor_sending s join anchor a on a.id = s."anchorNo" where s."nextTime" is not null)),
      ('held-slips', (select min("createTime") from slip_hold))) as waiting (queue, since)`.execute(db);
  return Object.fromEntries(rows.map(({ queue, seconds }) => [queue, seconds]));
}
