-- What slips come to by day, game, play way, player and agent: counted as they are placed and settled, by rows that are only ever appended, and
-- folded in the background.

-- The agents that a slip counts for: 0 for everybody, then those it was placed under; -1 where there were none.
create function report_agents(agents jsonb) returns bigint[] language sql immutable parallel safe
  return array[0::bigint] || case when agents = '[]' then array[-1::bigint]
    else array(select (a.value ->> 'id')::bigint from jsonb_array_elements(agents) as a) end;

-- What transactions append. `slips` counts a slip once, on one of its play ways; `waySlips` once on each of them. `payout` holds debts that were
-- written off too, since the player keeps what should have come back.
create table report_delta (
  day date not null,
  "userId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  agents bigint[] not null,
  slips bigint not null default 0,
  "waySlips" bigint not null default 0,
  stake numeric not null default 0,
  payout numeric not null default 0,
  refund numeric not null default 0,
  rebate numeric not null default 0,
  "writtenOff" numeric not null default 0,
  unsettled numeric not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, vacuum_truncate = off);

-- What counts otherwise than a line on the day of its slip, once and for all. MOVED: what became of a line, on another day than its slip's,
-- since it was made void or cancelled, or since that day was closed. REBATE and WRITTEN_OFF belong to no line; game and play way are -1 where
-- they belong to none of these either.
create table report_entry (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('MOVED', 'REBATE', 'WRITTEN_OFF')),
  day date not null,
  "userId" bigint not null,
  "gameId" bigint not null default -1,
  "playWayId" bigint not null default -1,
  agents bigint[] not null,
  "lineId" bigint,
  "debtId" bigint unique,
  payout numeric not null default 0,
  refund numeric not null default 0,
  rebate numeric not null default 0,
  "writtenOff" numeric not null default 0,
  unsettled numeric not null default 0,
  "createTime" timestamptz not null default clock_timestamp(),
  check ((kind = 'MOVED') = ("lineId" is not null)),
  check ((kind = 'WRITTEN_OFF') = ("debtId" is not null))
);
create index report_entry_line on report_entry ("lineId") where "lineId" is not null;
create index report_entry_day on report_entry (day);
create trigger report_entry_append_only before update or delete or truncate on report_entry
  for each statement execute function refuse_change();
revoke update, delete, truncate on report_entry from public, current_user;

create function count_report_entries() returns trigger language plpgsql as $$
begin
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, payout, refund, rebate, "writtenOff", unsettled)
  select day, "userId", "gameId", "playWayId", agents, sum(payout), sum(refund), sum(rebate), sum("writtenOff"), sum(unsettled)
  from added group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger report_entry_counted after insert on report_entry referencing new table as added
  for each statement execute function count_report_entries();

-- A slip counts when it is placed. Its lines are there before it, or come in the same statement; later ones would count nowhere.
create function count_slips_placed() returns trigger language plpgsql as $$
begin
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, slips, "waySlips", stake, payout, refund, unsettled)
  select a.day, a."userId", a."gameId", w."playWayId", report_agents(a.agents), count(*) filter (where w.place = 1), count(*),
    sum(w.stake), sum(w.payout), sum(w.refund), sum(w.unsettled)
  from added a, lateral (
    select l."playWayId", row_number() over (order by l."playWayId") as place, sum(l.stake) as stake, sum(l.payout) as payout,
      sum(l.refund) as refund, sum(case when l.status in ('PENDING', 'HELD') then l.stake else 0 end) as unsettled
    from slip_line l where l."slipId" = a.id group by l."playWayId" offset 0) as w
  where not a."testAccount"
  group by 1, 2, 3, 4, 5;
  if not found and exists (select from added where not "testAccount") then
    raise exception 'slips come with their lines or after them';
  end if;
  return null;
end $$;
create trigger slip_reported after insert on slip referencing new table as added
  for each statement execute function count_slips_placed();

-- What becomes of a line counts on the day of its slip while that is open, else on the day on which it is done; what a line is paid or given
-- back by being made void or cancelled, or by that being undone, always on the day of the act.
create function count_lines_changed() returns trigger language plpgsql as $$
begin
  with changed as materialized (
    select s.day, s."userId", s."gameId", s.agents, n."playWayId", n.id as "lineId", n.payout - o.payout as payout,
      n.refund - o.refund as refund, case when n.status in ('PENDING', 'HELD') then n.stake else 0 end
        - case when o.status in ('PENDING', 'HELD') then o.stake else 0 end as unsettled,
      n.status in ('VOID', 'CANCELLED') or o.status in ('VOID', 'CANCELLED') as acted
    from removed o join added n on n.id = o.id join slip s on s.id = n."slipId"
    where not s."testAccount" and (n.payout <> o.payout or n.refund <> o.refund
      or (n.status in ('PENDING', 'HELD')) <> (o.status in ('PENDING', 'HELD')))
  ), days as materialized (
    select each.day, open_report_day(each.day) as counted from (select distinct day from changed order by day) as each
  ), today as materialized (
    select report_day_of_act() as day where exists (select from changed where acted)
  ), part as materialized (
    select c.day as own, case when p.is_money and c.acted then (select day from today) else d.counted end as day, c."userId", c."gameId",
      c."playWayId", report_agents(c.agents) as agents, c."lineId", p.payout, p.refund, p.unsettled
    from changed c join days d on d.day = c.day, lateral (values
      (true, c.payout, c.refund, 0), (false, 0, 0, c.unsettled)) as p (is_money, payout, refund, unsettled)
    where p.payout <> 0 or p.refund <> 0 or p.unsettled <> 0
  ), moved as (
    insert into report_entry (kind, day, "userId", "gameId", "playWayId", agents, "lineId", payout, refund, unsettled)
    select 'MOVED', day, "userId", "gameId", "playWayId", agents, "lineId", sum(payout), sum(refund), sum(unsettled)
    from part where day <> own group by day, "userId", "gameId", "playWayId", agents, "lineId"
  )
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, payout, refund, unsettled)
  select day, "userId", "gameId", "playWayId", agents, sum(payout), sum(refund), sum(unsettled)
  from part where day = own group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger slip_line_reported after update on slip_line referencing old table as removed new table as added
  for each statement execute function count_lines_changed();

-- A debt that is written off counts on the day of the act, for the agents of the slip that it last came from.
create function count_debts_written_off() returns trigger language plpgsql as $$
begin
  insert into report_entry (kind, day, "userId", agents, "debtId", payout, "writtenOff")
  select 'WRITTEN_OFF', report_day_of_act(), a."userId", report_agents(coalesce(s.agents, '[]')), a.id, a.amount, a.amount
  from added a left join lateral (
    select s.agents, s."testAccount" from account_debt d join slip s on s.id = substring(d."bizOrderNo" from '^B([0-9]{1,18})(/|$)')::bigint
    where d."userId" = a."userId" and d.kind = 'OWED' and d."debtSeq" < a."debtSeq" order by d."debtSeq" desc limit 1) as s on true
  where a.kind = 'WRITTEN_OFF' and not coalesce(s."testAccount", (select u."testAccount" from player u where u.id = a."userId"));
  return null;
end $$;
create trigger account_debt_reported after insert on account_debt referencing new table as added
  for each statement execute function count_debts_written_off();

-- Counts what was paid as rebate, on the day that it is for while that is open. Game and play way may be null; agents are told as slips tell theirs.
create function count_rebates(of_day date, users bigint[], games bigint[], play_ways bigint[], of_agents jsonb[], amounts numeric[])
returns void language plpgsql as $$
declare
  counted date := open_report_day(of_day);
begin
  insert into report_entry (kind, day, "userId", "gameId", "playWayId", agents, rebate)
  select 'REBATE', counted, r.u, coalesce(r.game, -1), coalesce(r.way, -1), report_agents(r.chain), r.amount
  from unnest(users, games, play_ways, of_agents, amounts) as r (u, game, way, chain, amount);
end $$;

-- What was folded, of each player: of all games (level 0), of a game (1; play way 0) and of a play way (2).
create table report_player (
  level smallint not null check (level between 0 and 2),
  "userId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  day date not null,
  agents bigint[] not null,
  slips bigint not null,
  stake numeric not null,
  payout numeric not null,
  refund numeric not null,
  rebate numeric not null,
  "writtenOff" numeric not null,
  unsettled numeric not null,
  primary key (level, "userId", "gameId", "playWayId", day, agents)
) with (fillfactor = 80);
create index report_player_day on report_player (level, "gameId", "playWayId", day);

-- The same of all players, for everybody (agent 0) and for each agent; and how many players that day had.
create table report_sum (
  level smallint not null check (level between 0 and 2),
  "agentId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  day date not null,
  slips bigint not null,
  players bigint not null default 0,
  stake numeric not null,
  payout numeric not null,
  refund numeric not null,
  rebate numeric not null,
  "writtenOff" numeric not null,
  unsettled numeric not null,
  primary key (level, "agentId", "gameId", "playWayId", day)
) with (fillfactor = 70);

-- How many players had a slip on a day, by the day of their slips before. Those of a range of days, each once, are those that came in it
-- and were not there in it before.
create table report_return (
  level smallint not null,
  "agentId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  day date not null,
  before date not null,
  n bigint not null,
  primary key (level, "agentId", "gameId", "playWayId", day, before)
) with (fillfactor = 70);

-- Folds what was appended for one day. Who is new on the day is told by the rows of players, and stands between the days of their slips
-- before and after.
create function fold_report_day(of_day date) returns bigint language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  folded bigint;
  came report_player[];
begin
  with gone as (
    delete from report_delta d where d.day = of_day returning d.*
  ), part as materialized (
    select l.level, g."userId", l."gameId", l."playWayId", g.agents, sum(case l.level when 2 then g."waySlips" else g.slips end) as slips,
      sum(stake) as stake, sum(payout) as payout, sum(refund) as refund, sum(rebate) as rebate, sum("writtenOff") as "writtenOff",
      sum(unsettled) as unsettled
    from gone g, lateral (values (0, 0, 0), (1, g."gameId", 0), (2, g."gameId", g."playWayId")) as l (level, "gameId", "playWayId")
    group by 1, 2, 3, 4, 5
  ), player as (
    insert into report_player as p (level, "userId", "gameId", "playWayId", day, agents, slips, stake, payout, refund, rebate, "writtenOff",
      unsettled)
    select level, "userId", "gameId", "playWayId", of_day, agents, slips, stake, payout, refund, rebate, "writtenOff", unsettled
    from part order by 1, 2, 3, 4, 6
    on conflict (level, "userId", "gameId", "playWayId", day, agents) do update set slips = p.slips + excluded.slips,
      stake = p.stake + excluded.stake, payout = p.payout + excluded.payout, refund = p.refund + excluded.refund,
      rebate = p.rebate + excluded.rebate, "writtenOff" = p."writtenOff" + excluded."writtenOff",
      unsettled = p.unsettled + excluded.unsettled
    returning p as now, coalesce(old.slips, 0) = 0 and new.slips > 0 as "isNew"
  ), summed as (
    insert into report_sum as s (level, "agentId", "gameId", "playWayId", day, slips, stake, payout, refund, rebate, "writtenOff", unsettled)
    select level, a.id, "gameId", "playWayId", of_day, sum(slips), sum(stake), sum(payout), sum(refund), sum(rebate), sum("writtenOff"),
      sum(unsettled)
    from part, unnest(agents) as a (id) group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (level, "agentId", "gameId", "playWayId", day) do update set slips = s.slips + excluded.slips,
      stake = s.stake + excluded.stake, payout = s.payout + excluded.payout, refund = s.refund + excluded.refund,
      rebate = s.rebate + excluded.rebate, "writtenOff" = s."writtenOff" + excluded."writtenOff",
      unsettled = s.unsettled + excluded.unsettled
  )
  select (select count(*) from gone), (select array_agg(now) from player where "isNew") into folded, came;
  if came is null then
    return folded;
  end if;

  with candidate as (
    select p.level, a.id as agent, p."gameId", p."playWayId", p."userId", count(*) as n
    from unnest(came) as p, unnest(p.agents) as a (id) group by 1, 2, 3, 4, 5
  ), fresh as materialized (
    select c.* from candidate c where c.n = (
      select count(*) from report_player p where p.level = c.level and p."userId" = c."userId" and p."gameId" = c."gameId"
        and p."playWayId" = c."playWayId" and p.day = of_day and p.slips > 0 and c.agent = any (p.agents))
  ), placed as materialized (
    select f.*, coalesce((
        select p.day from report_player p where p.level = f.level and p."userId" = f."userId" and p."gameId" = f."gameId"
          and p."playWayId" = f."playWayId" and p.day < of_day and p.slips > 0 and f.agent = any (p.agents)
        order by p.day desc limit 1), '-infinity') as before, (
        select p.day from report_player p where p.level = f.level and p."userId" = f."userId" and p."gameId" = f."gameId"
          and p."playWayId" = f."playWayId" and p.day > of_day and p.slips > 0 and f.agent = any (p.agents)
        order by p.day limit 1) as after
    from fresh f
  ), returned as (
    insert into report_return as r (level, "agentId", "gameId", "playWayId", day, before, n)
    select level, agent, "gameId", "playWayId", m.day, m.before, sum(m.n)
    from placed, lateral (values (of_day, before, 1), (after, before, -1), (after, of_day, 1)) as m (day, before, n)
    where m.day is not null group by 1, 2, 3, 4, 5, 6 having sum(m.n) <> 0 order by 1, 2, 3, 4, 5, 6
    on conflict (level, "agentId", "gameId", "playWayId", day, before) do update set n = r.n + excluded.n
  )
  update report_sum s set players = s.players + f.n
  from (select level, agent, "gameId", "playWayId", count(*) as n from fresh group by 1, 2, 3, 4) as f
  where s.level = f.level and s."agentId" = f.agent and s."gameId" = f."gameId" and s."playWayId" = f."playWayId" and s.day = of_day;
  return folded;
end $$;

-- Folds all that was appended. Two at a time would only wait for one another. Returns how much there was, null when another folds.
create function fold_report() returns bigint language plpgsql as $$
declare
  folded bigint := 0;
  each_day date;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_report', 0)) then
    return null;
  end if;
  for each_day in select distinct day from report_delta order by day loop
    folded := folded + fold_report_day(each_day);
  end loop;
  return folded;
end $$;

-- Closes a day that is over, and keeps what it came to. To be called in the transaction that releases its rebates, after hold_report_day and
-- count_rebates. RP001: it is not over yet, RP002: it is closed.
create function close_report_day(of_day date) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(report_day_key(of_day));
  if exists (select from report_closed_day where day = of_day) then
    raise exception 'day % is closed', of_day using errcode = 'RP002';
  elsif report_day(clock_timestamp()) <= of_day then
    raise exception 'day % is not over', of_day using errcode = 'RP001';
  end if;
  insert into report_closed_day (day, slips, players, stake, payout, refund, rebate, "writtenOff", unsettled)
  select of_day, coalesce(sum(slips), 0), coalesce(sum(players), 0) + (
      select count(distinct d."userId") from report_delta d where d.day = of_day and d.slips > 0 and not exists (
        select from report_player p where p.level = 0 and p."userId" = d."userId" and p."gameId" = 0 and p."playWayId" = 0
          and p.day = of_day and p.slips > 0)),
    as_money(coalesce(sum(stake), 0)), as_money(coalesce(sum(payout), 0)), as_money(coalesce(sum(refund), 0)),
    as_money(coalesce(sum(rebate), 0)), as_money(coalesce(sum("writtenOff"), 0)), as_money(coalesce(sum(unsettled), 0))
  from (
    select slips, players, stake, payout, refund, rebate, "writtenOff", unsettled from report_sum
    where level = 0 and "agentId" = 0 and "gameId" = 0 and "playWayId" = 0 and day = of_day
    union all
    select slips, 0, stake, payout, refund, rebate, "writtenOff", unsettled from report_delta where day = of_day) as part;
end $$;

-- Keeps everybody else from counting on a day until the transaction ends, and waits for those who do. Whoever releases its rebates takes it
-- before anything else: settlements take it before accounts.
create function hold_report_day(of_day date) returns void language sql
  begin atomic
    select pg_advisory_xact_lock(report_day_key(of_day));
  end;

-- What is there already is counted day by day. Void and cancelled lines count on the day of their slip's last settlement.
do $$
declare
  each_day date;
begin
  insert into report_entry (kind, day, "userId", "gameId", "playWayId", agents, "lineId", payout, refund)
  select 'MOVED', report_day(s."settleTime"), s."userId", s."gameId", l."playWayId", report_agents(s.agents), l.id, l.payout, l.refund
  from slip s join slip_line l on l."slipId" = s.id
  where not s."testAccount" and l.status in ('VOID', 'CANCELLED') and report_day(s."settleTime") <> s.day order by l.id;
  insert into report_entry (kind, day, "userId", agents, "debtId", payout, "writtenOff")
  select 'WRITTEN_OFF', report_day(a."createTime"), a."userId", report_agents(coalesce(s.agents, '[]')), a.id, a.amount, a.amount
  from account_debt a left join lateral (
    select s.agents, s."testAccount" from account_debt d join slip s on s.id = substring(d."bizOrderNo" from '^B([0-9]{1,18})(/|$)')::bigint
    where d."userId" = a."userId" and d.kind = 'OWED' and d."debtSeq" < a."debtSeq" order by d."debtSeq" desc limit 1) as s on true
  where a.kind = 'WRITTEN_OFF' and not coalesce(s."testAccount", (select u."testAccount" from player u where u.id = a."userId"))
  order by a.id;
  for each_day in select distinct day from slip order by day loop
    insert into report_delta (day, "userId", "gameId", "playWayId", agents, slips, "waySlips", stake, payout, refund, unsettled)
    select s.day, s."userId", s."gameId", w."playWayId", report_agents(s.agents), count(*) filter (where w.place = 1), count(*), sum(w.stake),
      sum(w.payout), sum(w.refund), sum(w.unsettled)
    from slip s, lateral (
      select l."playWayId", row_number() over (order by l."playWayId") as place, sum(l.stake) as stake,
        coalesce(sum(l.payout) filter (where e."lineId" is null), 0) as payout,
        coalesce(sum(l.refund) filter (where e."lineId" is null), 0) as refund,
        sum(case when l.status in ('PENDING', 'HELD') then l.stake else 0 end) as unsettled
      from slip_line l left join report_entry e on e."lineId" = l.id where l."slipId" = s.id group by l."playWayId") as w
    where s.day = each_day and not s."testAccount" group by 1, 2, 3, 4, 5;
    perform fold_report();
  end loop;
  perform fold_report();
end $$;
