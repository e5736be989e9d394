-- Folds at most 50,000 of what was appended at a time, of the report, each of which takes 0.2 ms, 10,000, whichever come first: all of it would never be folded where it has become so much that
-- folding takes longer than a statement may, however often it is tried. What is folded are sums, so any part of it may go first.
create or replace function fold_list_deltas() returns bigint language plpgsql as $$
declare
  folded bigint;
  empty tid[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_list_deltas', 0)) then
    return null;
  end if;
  with gone as (
    delete from list_delta where ctid in (select ctid from list_delta limit 50000) returning list, key, "timeBlock", "idBlock", n
  ), spread as (
    insert into list_count as c (list, key, "timeBits", "idBits", "timeBlock", "idBlock", n)
    select g.list, k.key, b.time, b.id, case b.time when 63 then 0 else g."timeBlock" >> (b.time - 10) end,
      case b.id when 63 then 0 else g."idBlock" >> (b.id - 9) end, sum(g.n)
    from gone g
      join counted_list l using (list)
      cross join lateral (values ('*'), (nullif(g.key, ''))) k (key)
      cross join lateral (values
        (63, 63), (63, 16), (63, 9), (15, 16), (15, 9), (l."timeBits", 16), (l."timeBits", 9)) b (time, id)
    where k.key is not null
    group by 1, 2, 3, 4, 5, 6
    having sum(g.n) <> 0
    order by 1, 2, 3, 4, 5, 6
    on conflict (list, key, "timeBits", "idBits", "timeBlock", "idBlock") do update set n = c.n + excluded.n
    returning c.ctid, c.n
  )
  select (select count(*) from gone), (select array_agg(ctid) from spread where n = 0) into folded, empty;
  delete from list_count where ctid = any (empty) and n = 0;
  return folded;
end $$;

create or replace function fold_exposure() returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_exposure', 0)) then
    return null;
  end if;
  with gone as (
    delete from exposure_delta where ctid in (select ctid from exposure_delta limit 50000) returning *
  ), cells as (
    insert into exposure as e ("gameId", phase, "playWayId", "rulesId", number, stake, units, payout)
    select "gameId", phase, "playWayId", "rulesId", number, sum(stake), sum(units), sum(payout) from gone group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict ("gameId", phase, "playWayId", "rulesId", number) do update
      set stake = e.stake + excluded.stake, units = e.units + excluded.units, payout = e.payout + excluded.payout
  ), choices as (
    insert into exposure_choice as e ("gameId", phase, "rulesId", hash, selection, stake, "unitStake")
    select "gameId", phase, "rulesId", sha256(convert_to(selection, 'UTF8')), selection, sum(stake), sum("unitStake") from gone
    where selection is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4
    on conflict ("gameId", phase, "rulesId", hash) do update
      set stake = e.stake + excluded.stake, "unitStake" = e."unitStake" + excluded."unitStake"
  )
  select count(*) into folded from gone;
  return folded;
end $$;

drop function fold_report_day(date);
create function fold_report_day(of_day date, most bigint default 10000) returns bigint language plpgsql set plan_cache_mode=force_generic_plan as $$
declare
  folded bigint;
  came report_player[];
begin
  with gone as (
    delete from report_delta d where d.ctid in (select ctid from report_delta where day = of_day limit most) returning d.*
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
    returning p as now, p.level, p."userId", p."gameId", p."playWayId", p.agents, p.slips
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
  select (select count(*) from gone), (
    select array_agg(player.now) from player join part using (level, "userId", "gameId", "playWayId", agents)
    where player.slips > 0 and player.slips = part.slips
  ) into folded, came;
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

create or replace function fold_report() returns bigint language plpgsql as $$
declare
  folded bigint := 0;
  each_day date;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_report', 0)) then
    return null;
  end if;
  for each_day in select distinct day from report_delta order by day loop
    folded := folded + fold_report_day(each_day, 10000 - folded);
    exit when folded >= 10000;
  end loop;
  return folded;
end $$;
