import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { readParam } from '#server/params/read-param.ts';
import type { Day } from '#server/platform-days.ts';

/** Somebody who was brought, and what whoever brought them gets for it. */
export interface Reward {
  readonly invitedId: number;
  readonly inviterId: number;
  readonly deposit: string;
  readonly turnover: string;
  readonly amount: string;
}

const narrow = (column: string) => sql`translate(${sql.ref(column)}, '０１２３４５６７８９', '0123456789')`;
/** A phone's digits, however it is written. */
const digits = (phone: string) =>
  sql`ltrim(regexp_replace(coalesce(${narrow(phone)}, ''), '\\D', '', 'g'), '0')`;
/** An account's number, however it is grouped. */
const account = (number: string) =>
  sql`lower(regexp_replace(${narrow(number)}, '[[:space:][:punct:]]', '', 'g'))`;

/** Fewer digits than these are no whole number that another may be with its country's code. */
const LEAST_DIGITS = 8;

/**
 * The rewards of a day: for players who had deposited and turned over enough by its end, none of them rewarded before, at most so many of
 * each inviter, those with the lowest numbers first; the others wait for another day. None for who has the same phone (with a country's
 * code or without one), mail or receiving account.
 */
export async function invitesOf(tx: Db, day: Day): Promise<Reward[]> {
  const amount = await readParam(tx, 'invite.reward');
  if (!/[1-9]/.test(amount)) return [];
  const least = await readParam(tx, 'invite.minDeposit');
  const times = await readParam(tx, 'invite.turnoverTimes');
  const most = await readParam(tx, 'invite.mostPerDay');
  const { rows } = await sql<Reward>`
    with invited as (
      select p.id, p."parentId", sum(d.amount) as deposit from player p
        join player i on i.id = p."parentId" and i.id <> p.id and not i."testAccount"
        join deposit d on d."userId" = p.id and d.status = 'SUCCESS'
        cross join lateral (select ${digits('p.phone')} as own, ${digits('i.phone')} as other) as t
      where not p."testAccount" and not exists (select from invite_reward w where w."invitedId" = p.id)
        and report_day(d."successTime") <= ${day}::date
        and (t.own = '' or t.own <> t.other and (least(length(t.own), length(t.other)) < ${LEAST_DIGITS}
          or not (t.own like '%' || t.other or t.other like '%' || t.own)))
        and (p.email is null or lower(trim(p.email)) is distinct from lower(trim(i.email)))
        and not exists (select from withdrawal a join withdrawal b on ${account('a.receiveAccountNo')} = ${account('b.receiveAccountNo')}
          where a."userId" = p.id and b."userId" = i.id)
      group by p.id having sum(d.amount) >= ${least}::numeric
    ), played as (
      select v.*, coalesce((
        select sum(t.turnover) from (
          select distinct on (t.day, t."gameId", t.agents) t.turnover from rebate_turnover t
          where t."userId" = v.id and t.day <= ${day}::date order by t.day, t."gameId", t.agents, t."runDay" desc) as t), 0) as turnover
      from invited v
    ), placed as (
      select *, row_number() over (partition by "parentId" order by id) as place from played where turnover >= ${times}::numeric * deposit
    )
    select id as "invitedId", "parentId" as "inviterId", as_money(deposit) as deposit, as_money(turnover) as turnover, ${amount}::text as amount
    from placed where ${most}::integer = 0 or place <= ${most}::integer order by id`.execute(tx);
  return rows;
}
