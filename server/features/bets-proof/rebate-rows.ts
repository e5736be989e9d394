import { sql } from 'kysely';
import { changeType } from '#contract/named-fields.ts';
import { RebateItem } from '#contract/rebates.ts';
import type { Db } from '#server/db/database.ts';
import { wordIn } from '#server/db/words.ts';
import type { PlayedLine, PlayedRules } from './turnover-proof.ts';

/** A day whose rebates were released; `isTouched` where settlements of it ended after the last release looked. */
export interface ReleasedDay {
  readonly day: string;
  readonly opposing: string;
  readonly ownSlips: boolean;
  readonly isTouched: boolean;
}

export async function readReleasedDays(tx: Db): Promise<ReleasedDay[]> {
  const { rows } = await sql<ReleasedDay>`
    with touched as materialized (
      select distinct s.day from settlement t join slip s on s."gameId" = t."gameId" and s.phase = t.phase
      where t."endTime" is null or t."endTime" > coalesce(
        (select max("seenTime") from rebate_run where status <> 'PREPARED' and "seenTime" <= clock_timestamp()), '-infinity'))
    select day::text, opposing, "ownSlips", day in (select day from touched) as "isTouched" from rebate_run
    where status <> 'PREPARED' order by day`.execute(tx);
  return rows;
}

const chainOf = sql`(select coalesce(string_agg(a.value ->> 'id', ',' order by a.place), '')
  from jsonb_array_elements(s.agents) with ordinality as a (value, place))`;

export async function readPlayed(tx: Db, day: string): Promise<PlayedLine[]> {
  const { rows } = await sql<PlayedLine>`
    select s."userId", s."gameId", s.phase, ${chainOf} as chain, l."rulesId", l.selection, l."unitStake", l.stake, l.refund
    from slip s join slip_line l on l."slipId" = s.id
    where s.day = ${day}::date and not s."testAccount" and l.status in ('WON', 'LOST') order by s.id, l.id`.execute(
    tx,
  );
  return rows;
}

export async function readPlayedRules(tx: Db, ids: readonly number[]): Promise<Map<number, PlayedRules>> {
  const { rows } = await sql<{ id: number; rules: PlayedRules }>`
    select id, rules from slip_rules where id = any(${[...ids]}::bigint[])`.execute(tx);
  return new Map(rows.map(({ id, rules }) => [id, rules]));
}

/** What runs kept of a day, as it was seen last. */
export interface KeptTurnover {
  readonly userId: number;
  readonly gameId: number;
  readonly chain: string;
  readonly level: number;
  readonly categoryId: number;
  readonly turnover: string;
}

export async function readTurnover(tx: Db, day: string): Promise<KeptTurnover[]> {
  const { rows } = await sql<KeptTurnover>`
    select distinct on (t."userId", t."gameId", t.agents) t."userId", t."gameId", array_to_string(t.agents, ',') as chain, t.level,
      t."categoryId", t.turnover
    from rebate_turnover t join rebate_run r on r.day = t."runDay" and r.status <> 'PREPARED'
    where t.day = ${day}::date order by t."userId", t."gameId", t.agents, t."runDay" desc`.execute(tx);
  return rows;
}

export interface KeptRate {
  readonly level: number;
  readonly categoryId: number;
  readonly rate: string;
  readonly validFrom: string;
}

export async function readRates(tx: Db): Promise<KeptRate[]> {
  return tx.selectFrom('rebate_rate').select(['level', 'categoryId', 'rate', 'validFrom']).execute();
}

export interface KeptAgent {
  readonly agentId: number;
  readonly userId: number;
  readonly rate: string;
}

export async function readAgents(tx: Db, day: string): Promise<KeptAgent[]> {
  return tx
    .selectFrom('rebate_agent')
    .select(['agentId', 'userId', 'rate'])
    .where('runDay', '=', day)
    .execute();
}

/** What all released runs gave for a day. */
export async function readShares(tx: Db, day: string) {
  const { rows } = await sql<{ userId: number; kind: string; amount: string }>`
    select s."userId", s.kind, sum(s.amount) as amount from rebate_share s join rebate_run r on r.day = s."runDay" and r.status <> 'PREPARED'
    where s.day = ${day}::date group by 1, 2`.execute(tx);
  return rows;
}

const kindWord = wordIn(sql`kind`, RebateItem.shape.kind);

/** Where the books of a run do not agree with each other, with the ledger or with what the report counts, as Chinese sentences. */
export async function readDisagreements(tx: Db): Promise<string[]> {
  const { rows } = await sql<{ problem: string }>`
    with item as materialized (
      select i.*, 'BR' || to_char(i."runDay", 'YYYYMMDD') || '/' || i."userId" as number, coalesce(
        lag(i.rest) over (partition by i."userId", i.kind order by i."runDay"), 0) as before
      from rebate_item i join rebate_run r on r.day = i."runDay" and r.status <> 'PREPARED'
    ), counted as materialized (
      select day, "userId", sum(rebate) as amount from report_entry where kind = 'REBATE' group by 1, 2
    ), paid as materialized (
      select "runDay" as day, "userId", sum(amount) as amount from item where amount > 0 and (kind = 'REBATE' or not "testAccount")
      group by 1, 2
    ), due as materialized (
      select "runDay", "userId", kind, sum(amount) as amount from rebate_share group by 1, 2, 3
      union all select "runDay", "inviterId", 'INVITE_REWARD', sum(amount) from invite_reward group by 1, 2
    )
    select number || ' ' || ${kindWord} || '应得与明细不符' as problem from item i
      left join due d using ("runDay", "userId", kind) where i.due <> coalesce(d.amount, 0)
    union all
    select to_char(d."runDay", 'YYYY-MM-DD') || ' 用户 ' || d."userId" || ' 的' || ${kindWord} || '没有发放' from due d
      join rebate_run r on r.day = d."runDay" and r.status <> 'PREPARED' left join item i using ("runDay", "userId", kind)
      where i.number is null and d.amount <> 0
    union all
    select number || ' ' || ${kindWord} || '结转不符' from item where carried <> before
    union all
    select number || ' ' || ${kindWord} || '账变与发放不符' from item i
      left join account_history h on h."bizOrderNo" = i.number and h."changeType" = i.kind
      where (i."postTime" is not null) <> (h.id is not null) or h.amount <> i.amount or h."userId" <> i."userId"
    union all
    select '账变 ' || h."bizOrderNo" || '（' || ${wordIn(sql`h."changeType"`, changeType)} || '）不属于任何返水' from account_history h
      left join item i on i.number = h."bizOrderNo" and i.kind = h."changeType"
      where h."bizOrderNo" like 'BR%' and i.number is null
    union all
    select '报表 ' || day || ' 用户 ' || "userId" || ' 的返水应为 ' || coalesce(p.amount, 0) || '，记为 ' || coalesce(c.amount, 0)
      from counted c full join paid p using (day, "userId") where coalesce(c.amount, 0) <> coalesce(p.amount, 0)
    union all
    select '用户 ' || w."invitedId" || ' 的邀请人应为 ' || coalesce(p."parentId"::text, '无') || '，奖励给了 ' || w."inviterId"
      from invite_reward w join player p on p.id = w."invitedId" where p."parentId" is distinct from w."inviterId"`.execute(
    tx,
  );
  return rows.map(({ problem }) => problem);
}
