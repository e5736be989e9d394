-- A phase that could be bet on without a promise is never promised any more, and no plan's betting ends before its time: held here, by the
-- database's own clock, whoever writes. Raises DR009 and DR010; the phase is the error's detail.

-- Games that draw by themselves, and since when for sure: a plan that began earlier may have taken bets without a promise. Null until
-- somebody has seen the row after it was committed.
create table local_game (
  "gameId" bigint primary key references game on delete cascade,
  since timestamptz
);
create index local_game_new on local_game ("gameId") where since is null;

-- Phases that could be bet on without a promise and whose plan was cleared.
create table unpromised_phase (
  "gameId" bigint not null,
  phase text not null,
  primary key ("gameId", phase)
);

-- Follows the spiders of a game, one change at a time. Without a plan whose betting may open before this is committed nothing was bet on,
-- and planning waits for the game's row as well.
create function follow_local_spiders(game_id bigint) returns void language plpgsql as $$
begin
  perform from game where id = game_id for no key update;
  if exists (select from spider where "gameId" = game_id and enabled and "spiderServiceName" = 'LocalDrawSpider') then
    insert into local_game ("gameId", since) values (game_id, case when not exists (
      select from draw_plan where "gameId" = game_id and commitment is null and status in ('WAITTING', 'OPENING')
        and "startTime" <= clock_timestamp() + interval '1 minute') then '-infinity'::timestamptz end)
    on conflict do nothing;
  else
    delete from local_game where "gameId" = game_id;
  end if;
end $$;
create function follow_local_spider() returns trigger language plpgsql as $$
begin
  perform follow_local_spiders(id) from (
    select old."gameId" where tg_op <> 'INSERT' union select new."gameId" where tg_op <> 'DELETE' order by 1) as g (id);
  return null;
end $$;
create trigger spider_added after insert on spider for each row
  when (new."spiderServiceName" = 'LocalDrawSpider') execute function follow_local_spider();
create trigger spider_removed after delete on spider for each row
  when (old."spiderServiceName" = 'LocalDrawSpider') execute function follow_local_spider();
create trigger spider_switched after update of "gameId", enabled, "spiderServiceName" on spider for each row
  when ('LocalDrawSpider' in (old."spiderServiceName", new."spiderServiceName")
    and (old."gameId", old.enabled, old."spiderServiceName") is distinct from (new."gameId", new.enabled, new."spiderServiceName"))
  execute function follow_local_spider();

-- A game of before drew by itself when it last promised; one that never did is judged as if its spider came now.
insert into local_game ("gameId", since)
select s."gameId", coalesce((select max(c."createTime") from draw_commitment c where c."gameId" = s."gameId"),
  case when not exists (
    select from draw_plan p where p."gameId" = s."gameId" and p.commitment is null and p.status in ('WAITTING', 'OPENING')
      and p."startTime" <= clock_timestamp() + interval '1 minute') then '-infinity'::timestamptz end)
from (select distinct "gameId" from spider where enabled and "spiderServiceName" = 'LocalDrawSpider') as s;

create function keep_unpromised_phases() returns trigger language plpgsql as $$
begin
  insert into unpromised_phase
  select r."gameId", r.phase from removed r
  where r.commitment is null and r."startTime" <= clock_timestamp()
    and not exists (select from local_game l where l."gameId" = r."gameId" and l.since <= r."startTime")
  on conflict do nothing;
  return null;
end $$;
create trigger draw_plan_unpromised after delete on draw_plan referencing old table as removed
  for each statement execute function keep_unpromised_phases();

-- Who promises a phase holds its plan, and the game's being local: switching its spider off waits, and then is too late for this phase.
create or replace function check_new_promises() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  perform demand_new_snapshots();
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select a.phase into wrong from added a
  where not exists (select from draw_plan p where p.phase = a.phase and p."gameId" = a."gameId")
    or exists (select from draw_record r where r.phase = a.phase and r."gameId" = a."gameId")
  limit 1;
  if found then
    raise exception 'phase % is not planned or was drawn', wrong using errcode = 'DR004', detail = wrong;
  end if;
  perform from local_game where "gameId" in (select a."gameId" from added a) order by "gameId" for share;
  select a.phase into wrong from added a join draw_plan p on p.phase = a.phase and p."gameId" = a."gameId"
  where not exists (select from local_game l where l."gameId" = a."gameId" and l.since <= p."startTime")
    or exists (select from unpromised_phase u where u.phase = a.phase and u."gameId" = a."gameId")
  limit 1;
  if found then
    raise exception 'phase % could be bet on without a promise', wrong using errcode = 'DR010', detail = wrong;
  end if;
  return null;
end $$;

-- A plan waits until its draw time; no record comes before (DR002).
create function refuse_early_opening() returns trigger language plpgsql as $$
begin
  raise exception 'phase % is not due yet', new.phase using errcode = 'DR009', detail = new.phase;
end $$;
create trigger draw_plan_due before update of status on draw_plan for each row
  when (old.status = 'WAITTING' and new.status <> 'WAITTING' and new."endTime" > clock_timestamp())
  execute function refuse_early_opening();
create trigger draw_plan_made_due before insert on draw_plan for each row
  when (new.status <> 'WAITTING' and new."endTime" > clock_timestamp())
  execute function refuse_early_opening();
