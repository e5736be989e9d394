-- A change of limits counts what was bet before without keeping bettors waiting for it.

-- Since when the counters of a game's phases go by the limits of now: those that ended before were counted by others.
alter table game_catalogue add column "limitsTime" timestamptz;
update game_catalogue set "limitsTime" = clock_timestamp();

-- What lines take of a counter.
create type limit_take as (kind text, scope text, owner bigint, number text, amount numeric, "isFloored" boolean);
-- What lines of a phase take, as far as it was counted: slips from `first` to `mark`, those that were cancelled included.
create type limit_count as ("gameId" bigint, phase text, first bigint, mark bigint, takes limit_take[]);

-- What slips of a phase take whose ids are within bounds, whatever became of them; of those that are cancelled alone where it is so said.
create function slips_take("ofGame" bigint, "ofPhase" text, above bigint, upto bigint, "areCancelled" boolean default false)
returns setof limit_take language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  lines bigint[];
  users bigint[];
begin
  if "areCancelled" then
    select array_agg(l.id), array_agg(s."userId") into lines, users
    from slip s join slip_line l on l."slipId" = s.id
    where s.status = 'CANCELLED' and s.id > above and s.id <= upto and s."gameId" = "ofGame" and s.phase = "ofPhase" and not s."testAccount";
  else
    select array_agg(l.id), array_agg(s."userId") into lines, users
    from slip s join slip_line l on l."slipId" = s.id
    where s."gameId" = "ofGame" and s.phase = "ofPhase" and s.id > above and s.id <= upto and not s."testAccount";
  end if;
  return query select t.kind, t.scope, t.owner, t.number, t.amount, t."isFloored" from limit_takes("ofGame", lines, users) as t;
end $$;

-- Writes the counters of a phase anew, as the sums of what lines take.
create function put_limits("ofGame" bigint, "ofPhase" text, takes limit_take[]) returns void language plpgsql as $$
begin
  delete from limit_counter c where c."gameId" = "ofGame" and c.phase = "ofPhase";
  with take as materialized (
    select kind, scope, owner, number, sum(amount) as taken, bool_or(t."isFloored") as "isFloored"
    from unnest(takes) as t group by kind, scope, owner, number
  ), cell as (
    select scope, owner, split_part(number, ' ', 1) as number, max(taken) as worst from take where kind = 'CELL' group by 1, 2, 3
  ), book as (
    select t.scope, t.owner, t.number, t.taken, coalesce(c.worst, 0) as worst, t."isFloored"
    from take t left join cell c using (scope, owner, number) where t.kind = 'BOOK'
  ), loss as (
    select scope, sum(case when "isFloored" then greatest(taken + worst, 0) else taken + worst end) as taken from book group by scope
  )
  insert into limit_counter ("gameId", phase, kind, scope, owner, number, taken, worst, "isFloored")
  select "ofGame", "ofPhase", kind, scope, owner, number, taken, 0, false from take where kind <> 'BOOK' and taken <> 0
  union all select "ofGame", "ofPhase", 'BOOK', scope, owner, number, taken, worst, "isFloored" from book
  union all select "ofGame", "ofPhase", 'LOSS', scope, 0, '', taken, 0, false from loss;
end $$;

-- Counts a phase anew, by the limits that are set now. The caller sees to it that nobody bets meanwhile.
create or replace function recount_limits("ofGame" bigint, "ofPhase" text) returns void language plpgsql as $$
declare
  lines bigint[];
  users bigint[];
begin
  if not counts_limits("ofGame") then
    delete from limit_counter c where c."gameId" = "ofGame" and c.phase = "ofPhase";
    return;
  end if;
  select array_agg(l.id), array_agg(s."userId") into lines, users
  from slip s join slip_line l on l."slipId" = s.id
  where s."gameId" = "ofGame" and s.phase = "ofPhase" and not s."testAccount" and l.status not in ('CANCELLED', 'VOID');
  perform put_limits("ofGame", "ofPhase", array(
    select (t.kind, t.scope, t.owner, t.number, t.amount, t."isFloored")::limit_take from limit_takes("ofGame", lines, users) as t));
end $$;

-- The last slip that may have been bet on a phase by now: all up to it are there or will never be. Who bets at this moment is waited for,
-- and nobody is kept: what the block locked is given back with it. It stands on slips taking their ids while they hold the phase's lock.
create function betting_mark("ofGame" bigint, "ofPhase" text) returns bigint language plpgsql as $$
declare
  mark bigint;
begin
  begin
    perform pg_advisory_xact_lock(betting_key("ofGame", "ofPhase"));
    select last_value into mark from slip_id_seq;
    raise exception 'let go' using errcode = 'BE000';
  exception when sqlstate 'BE000' then null;
  end;
  return mark;
end $$;

-- Counts most of a phase by the limits that are set now, while it is bet on.
create function count_ahead("ofGame" bigint, "ofPhase" text) returns limit_count language plpgsql as $$
declare
  done limit_count := row("ofGame", "ofPhase", null, betting_mark("ofGame", "ofPhase"), null);
begin
  select coalesce(min(s.id), 0) into done.first
  from (select id from slip where "gameId" = "ofGame" and phase = "ofPhase" offset 0) as s;
  done.takes := array(select slips_take("ofGame", "ofPhase", 0, done.mark));
  return done;
end $$;

-- Counts what has come and was cancelled since, and writes the counters. The caller sees to it that nobody bets meanwhile. Where lines of the
-- phase may be void already it is counted as a whole: nobody bets on it any more.
create function count_rest(done limit_count) returns void language plpgsql as $$
begin
  if not counts_limits(done."gameId") or exists (
    select from settlement t where t."gameId" = done."gameId" and t.phase = done.phase) then
    perform recount_limits(done."gameId", done.phase);
    return;
  end if;
  perform put_limits(done."gameId", done.phase, done.takes || array(
    select slips_take(done."gameId", done.phase, done.mark, 9223372036854775807)) || array(
    select (t.kind, t.scope, t.owner, t.number, -t.amount, t."isFloored")::limit_take
    from slips_take(done."gameId", done.phase, done.first - 1, 9223372036854775807, true) as t));
end $$;

-- Which sums a row of limits has counted; '' for none.
create function counted_kinds(of_user numeric, of_number numeric, of_loss numeric) returns text language sql immutable
  return concat_ws(' ', case when of_user is not null then 'USER' end, case when of_number is not null then 'NUMBER' end,
    case when of_loss is not null then 'LOSS' end);

-- A change of limits holds for whoever bets after it, and counts what was bet before where other sums are limited than before: first while
-- bettors go on, then what came meanwhile, with bettors of phases that are open, or about to be, kept waiting until it commits. One change
-- goes after the other, since each counts by all of them. Copies of the catalogue that servers work by are old from then on.
create or replace function apply_limits() returns trigger language plpgsql as $$
declare
  games bigint[];
  every boolean;
  "isCounted" boolean;
  open record;
  done limit_count[] := '{}';
  each limit_count;
begin
  if tg_op = 'DELETE' then
    select array_agg("gameId"), bool_or("gameId" is null), bool_or(counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") <> '')
      into games, every, "isCounted" from removed;
  elsif tg_op = 'INSERT' then
    select array_agg("gameId"), bool_or("gameId" is null), bool_or(counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") <> '')
      into games, every, "isCounted" from added;
  else
    select array_agg(a."gameId") || array_agg(r."gameId"), bool_or(a."gameId" is null or r."gameId" is null), bool_or(a.kinds <> r.kinds
        or a.kinds <> '' and (a."gameId", a."playWayId") is distinct from (r."gameId", r."playWayId"))
      into games, every, "isCounted"
    from (select *, counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") as kinds from added) as a
      join (select *, counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") as kinds from removed) as r using (id);
  end if;
  perform pg_advisory_xact_lock(hashtextextended('limits', 0));
  if "isCounted" then
    for open in select * from phases_to_bet(games, every) loop
      done := done || count_ahead(open."gameId", open.phase);
    end loop;
  end if;
  for open in select * from phases_to_bet(games, every) loop
    perform pg_advisory_xact_lock(betting_key(open."gameId", open.phase));
    if "isCounted" then
      select * into each from unnest(done) as d where d."gameId" = open."gameId" and d.phase = open.phase;
      if found then
        perform count_rest(each);
      else
        perform recount_limits(open."gameId", open.phase);
      end if;
    end if;
  end loop;
  update game_catalogue c
    set version = c.version + 1, "limitsTime" = case when "isCounted" then clock_timestamp() else c."limitsTime" end
    where every or c."gameId" = any (games);
  return null;
end $$;

-- Phases of these games, or of every game, that take bets or are about to, in the order in which they are locked.
create function phases_to_bet(games bigint[], every boolean) returns table ("gameId" bigint, phase text) language sql volatile as $$
  select p."gameId", p.phase from draw_plan p
  where p.status = 'WAITTING' and p."startTime" <= clock_timestamp() + interval '1 minute'
    and p."endTime" >= clock_timestamp() - interval '10 seconds' and (every or p."gameId" = any (games))
  order by p."gameId", p.phase
$$;

drop trigger bet_limit_applied_update on bet_limit;
create trigger bet_limit_applied_update after update on bet_limit referencing old table as removed new table as added
  for each statement execute function apply_limits();
