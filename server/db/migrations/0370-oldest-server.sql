-- Three functions read RETURNING old and new, which PostgreSQL before 18 does not know: nobody could bet or fold a report on 15 to 17. What was there
-- before is kept in the row (a limit's bound) or follows from what came to it (slips of a report's row), so they are right under concurrency as before.
alter table limit_counter add column "boundBefore" numeric not null default 0;

create or replace function take_limits("ofGame" bigint, "ofPhase" text, lines bigint[], users bigint[]) returns jsonb language sql as $$
  with take as materialized (
    select * from limit_takes("ofGame", lines, users)
  ), own as (
    insert into limit_counter as c ("gameId", phase, kind, scope, owner, number, taken)
    select "ofGame", "ofPhase", kind, scope, owner, number, amount from take where kind <> 'BOOK'
    order by kind, scope, owner, number
    on conflict ("gameId", phase, kind, scope, owner, number) do update set taken = c.taken + excluded.taken
    returning c.kind, c.scope, c.owner, c.number, c.taken
  ), book as (
    insert into limit_counter as c ("gameId", phase, kind, scope, owner, number, taken, worst, "isFloored")
    select "ofGame", "ofPhase", t.kind, t.scope, t.owner, t.number, t.amount, coalesce(w.worst, 0), t."isFloored"
    from take t left join (
      select scope, owner, split_part(number, ' ', 1) as book, max(taken) as worst from own where kind = 'CELL' group by 1, 2, 3
    ) as w on w.scope = t.scope and w.owner = t.owner and w.book = t.number
    where t.kind = 'BOOK'
    order by t.scope, t.owner, t.number
    on conflict ("gameId", phase, kind, scope, owner, number) do update
      set taken = c.taken + excluded.taken, worst = greatest(c.worst, excluded.worst), "boundBefore" = c.bound
    returning c.scope, c.bound - c."boundBefore" as more
  ), more as materialized (
    select scope, sum(more) as more from book group by scope
  ), loss as (
    insert into limit_counter as c ("gameId", phase, kind, scope, owner, number, taken)
    select "ofGame", "ofPhase", 'LOSS', scope, 0, '', more from more order by scope
    on conflict ("gameId", phase, kind, scope, owner, number) do update set taken = c.taken + excluded.taken
    returning c.scope, c.taken
  )
  select jsonb_build_object('kind', over.kind, 'most', as_money(over.most)::text, 'left', as_money(greatest(over.before, 0))::text,
    'playWayId', over.owner, 'number', over.number)
  from (
    select t.kind, t.owner, t.number, t.most, t.most - (o.taken - t.amount) as before
    from own o join take t using (kind, scope, owner, number) where t.kind in ('USER', 'NUMBER') and o.taken > t.most
    union all
    select 'LOSS', 0, '', t.most, t.most - (l.taken - m.more)
    from loss l join more m using (scope) join (select scope, min(most) as most from take where kind = 'BOOK' group by scope) as t using (scope) where l.taken > t.most
  ) as over
  order by array_position(array['USER', 'NUMBER', 'LOSS'], over.kind), over.owner, over.number limit 1
$$;

create or replace function give_back_limits("ofGame" bigint, "ofPhase" text, lines bigint[], users bigint[]) returns void language plpgsql as $$
declare
  takes jsonb;
begin
  if not exists (select from limit_counter c where c."gameId" = "ofGame" and c.phase = "ofPhase") then
    return;
  end if;
  select jsonb_agg(t order by t.kind, t.scope, t.owner, t.number) into takes from limit_takes("ofGame", lines, users) as t;
  with take as materialized (
    select * from jsonb_to_recordset(takes) as t (kind text, scope text, owner bigint, number text, amount numeric)
  ), mine as materialized (
    select c.kind, c.scope, c.owner, c.number from limit_counter c join take t using (kind, scope, owner, number)
    where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind <> 'BOOK'
    order by c.kind, c.scope, c.owner, c.number for no key update of c
  )
  update limit_counter c set taken = c.taken - t.amount from mine join take t using (kind, scope, owner, number)
  where c."gameId" = "ofGame" and c.phase = "ofPhase" and (c.kind, c.scope, c.owner, c.number) = (mine.kind, mine.scope, mine.owner, mine.number);
  perform from limit_counter c join jsonb_to_recordset(takes) as t (kind text, scope text, owner bigint, number text)
      using (kind, scope, owner, number)
    where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'BOOK'
    order by c.kind, c.scope, c.owner, c.number for no key update of c;
  with take as materialized (
    select * from jsonb_to_recordset(takes) as t (kind text, scope text, owner bigint, number text, amount numeric)
  ), book as (
    update limit_counter c set taken = c.taken - t.amount, worst = coalesce((
      select max(w.taken) from limit_counter w where w."gameId" = "ofGame" and w.phase = "ofPhase" and w.kind = 'CELL'
        and w.scope = c.scope and w.owner = c.owner and w.number like c.number || ' %'), 0),
      "boundBefore" = c.bound
    from take t
    where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'BOOK'
      and (t.kind, t.scope, t.owner, t.number) = (c.kind, c.scope, c.owner, c.number)
    returning c.scope, c.bound - c."boundBefore" as more
  )
  update limit_counter c set taken = c.taken + b.more
  from (select scope, sum(more) as more from book group by scope order by scope) as b
  where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'LOSS' and c.scope = b.scope;
end $$;

create or replace function fold_report_day(of_day date) returns bigint language plpgsql set plan_cache_mode=force_generic_plan as $$
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
