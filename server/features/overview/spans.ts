import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { given } from '#server/given.ts';

/** The days whose figures are told one by one, today the last. */
export const DAYS = 30;

/**
 * The four spans that figures are told for, each up to this moment of its day; on a day that last month had not got, all of that. They are
 * reckoned as clocks show them, and begin with days. `tomorrow` ends today, `firstDay` begins the days that are told one by one.
 */
export const spanBoundsAt = (now: RawBuilder<unknown>) => sql`
  select day_start(today) as today, day_start(today + 1) as tomorrow, day_start(today - 1) as yesterday,
    (shown - interval '1 day')::timestamptz as "yesterdayEnd", day_start(month) as month,
    day_start((month - interval '1 month')::date) as "lastMonth",
    case when extract(day from shown - interval '1 month') < extract(day from shown) then day_start(month)
      else (shown - interval '1 month')::timestamptz end as "lastMonthEnd", day_start(today - ${sql.lit(DAYS - 1)}) as "firstDay"
  from (select shown, shown::date as today, date_trunc('month', shown)::date as month
    from (select ${now}::timestamp as shown) as clock) as clock`;

const names = [
  ...(['today', 'tomorrow', 'yesterday', 'yesterdayEnd'] as const),
  ...(['month', 'lastMonth', 'lastMonthEnd', 'firstDay'] as const),
];

/** Moments by their names, as the database writes them to the microsecond. */
export type Spans = Readonly<Record<(typeof names)[number], string>>;

/** The spans by now. Read before the figures, whose rows are looked for by values: a moment that is worked out in a search is so for each row. */
export async function readSpans(db: Db): Promise<Spans> {
  const { rows } = await sql<Spans>`
    select ${sql.join(names.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`))}
    from (${spanBoundsAt(sql`now()`)}) as bounds`.execute(db);
  return given(rows[0]);
}
