import { sql } from 'kysely';
import type { EndpointName } from '#contract/all.ts';
import { RESET_TOLD_DAYS } from '#contract/approvals.ts';
import type { Db } from '#server/db/database.ts';

/** What opens an account to whoever makes the call. */
const opening = sql`call = any(${
  ['resetOperatorPassword', 'resetGoogleKey', 'cleanGoogleKey'] satisfies EndpointName[]
}::text[]) and outcome = 'SUCCESS'`;

/** How a reset is told: what it was, of whom, by whom, and when. */
const told = sql<string>`c.summary || '“' || o."userName" || '”：由“' || c."userName" || '”于 '
  || to_char(c."createTime", 'YYYY-MM-DD HH24:MI:SS')`;

const MOST_TOLD = 3;

/**
 * Who was the last to reset the password or key of each of these operators, the latest first: whoever gives them the right to release gives it to
 * that one, too, unless the account is its owner's again. It is told for as long as the change record goes back.
 */
export async function resetsOf(db: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ words: string }>`
    select words from (
      select distinct on (o.id) c.id, ${told} as words
      from operator o join (select * from change_record where ${opening}) c on c."targetId" = o.id::text
      where o.id = any(${[...ids]}::bigint[])
      order by o.id, c.id desc) as latest
    order by id desc`.execute(db);
  const named = rows.slice(0, MOST_TOLD).map(({ words }) => words);
  return rows.length > MOST_TOLD ? [...named, `共重置 ${rows.length} 名操作员`] : named;
}

/** That somebody else had opened the account a call was prepared with, not long before. */
export interface OpenedMaker {
  readonly makerReset: string;
  /** Whether it was whoever decided it. */
  readonly resetByChecker: boolean;
}

/** Of these approvals those whose maker's password or key had been reset by somebody else in the days before, by their numbers. */
export async function openedMakers(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OpenedMaker>> {
  const { rows } = await sql<{ id: number } & OpenedMaker>`
    with resets as materialized (select * from change_record where ${opening}),
    latest as (
      select distinct on (a.id, c."operatorId") a.id, c.id as reset, ${told} as words,
        c."operatorId" is not distinct from a."checkerId" as checker
      from approval a
      join resets c on c."targetId" = a."makerId"::text and c."operatorId" is distinct from a."makerId"
        and c."createTime" between a."createTime" - make_interval(days => ${RESET_TOLD_DAYS}) and a."createTime"
      join operator o on o.id = a."makerId"
      where a.id = any(${[...ids]}::bigint[])
      order by a.id, c."operatorId", c.id desc)
    select id, array_to_string((array_agg(words order by reset desc))[:${sql.lit(MOST_TOLD)}], '；') as "makerReset",
      bool_or(checker) as "resetByChecker"
    from latest group by id`.execute(db);
  return new Map(rows.map(({ id, ...opened }) => [id, opened]));
}
