-- How a slip is placed and cancelled, and what it stands on: rules that are known by their version, and plans that stay.

-- How often what can be bet on in a game was changed. Whoever works by a copy of it has its version with it, and learns when placing
-- that it is an old one.
create table game_catalogue (
  "gameId" bigint primary key references game on delete cascade,
  version bigint not null default 1
);
insert into game_catalogue ("gameId") select id from game;

create function add_catalogue() returns trigger language plpgsql as $$
begin
  insert into game_catalogue ("gameId") values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger game_catalogued after insert on game for each row execute function add_catalogue();

create function grow_catalogue() returns trigger language plpgsql as $$
declare
  games bigint[];
begin
  if tg_table_name = 'odds' then
    if tg_op = 'INSERT' then
      games := array(select distinct p."gameId" from added a join play_way p on p.id = a."playWayId");
    else
      games := array(select distinct p."gameId" from removed r join play_way p on p.id = r."playWayId");
    end if;
  elsif tg_op = 'INSERT' then
    games := array(select distinct a."gameId" from added a);
  else
    games := array(select distinct r."gameId" from removed r);
  end if;
  update game_catalogue c set version = c.version + 1 where c."gameId" = any (games);
  return null;
end $$;
create trigger play_way_catalogued_insert after insert on play_way referencing new table as added
  for each statement execute function grow_catalogue();
create trigger play_way_catalogued_update after update on play_way referencing old table as removed
  for each statement execute function grow_catalogue();
create trigger play_way_catalogued_delete after delete on play_way referencing old table as removed
  for each statement execute function grow_catalogue();
create trigger odds_catalogued_insert after insert on odds referencing new table as added
  for each statement execute function grow_catalogue();
create trigger odds_catalogued_update after update on odds referencing old table as removed
  for each statement execute function grow_catalogue();
create trigger odds_catalogued_delete after delete on odds referencing old table as removed
  for each statement execute function grow_catalogue();
create trigger game_number_catalogued after update on game_number referencing old table as removed
  for each statement execute function grow_catalogue();
create trigger bet_latitude_catalogued after update on bet_latitude referencing old table as removed
  for each statement execute function grow_catalogue();
create trigger play_way_category_catalogued after update on play_way_category referencing old table as removed
  for each statement execute function grow_catalogue();

create function grow_own_catalogue() returns trigger language plpgsql as $$
begin
  update game_catalogue c set version = c.version + 1 where c."gameId" = new.id;
  return null;
end $$;
create trigger game_catalogued_rule after update on game
  for each row when (old."resultRule" is distinct from new."resultRule") execute function grow_own_catalogue();

-- Whether a plan stays as it is, whatever is planned anew: betting on it has begun, so that its game takes bets or did.
create function plan_stands(p draw_plan, at timestamptz) returns boolean language sql stable
  return p.status = 'WAITTING' and p."startTime" <= at and (
    exists (select from game g where g.id = p."gameId" and g.status and g."betStatus" and g."stopBetSecond" >= 2)
    or exists (select from slip s where s."gameId" = p."gameId" and s.phase = p.phase));

-- Plans with slips stand. Whoever removes plans that are bet on about now takes the lock that bettors hold shared: those who came before
-- are seen, those who come after find no plan.
create function keep_plans_with_slips() returns trigger language plpgsql as $$
declare
  kept text;
begin
  perform pg_advisory_xact_lock(betting_key(near."gameId", near.phase)) from (
    select r."gameId", r.phase from removed r
    where r."startTime" <= clock_timestamp() + interval '10 minutes' and r."endTime" >= clock_timestamp() - interval '10 seconds'
    order by r.id) as near;
  select r.phase into kept from removed r
  where exists (select from slip s where s."gameId" = r."gameId" and s.phase = r.phase) limit 1;
  if found then
    raise exception 'phase % has slips', kept using errcode = 'BE002', detail = kept;
  end if;
  return null;
end $$;
create trigger draw_plan_with_slips after delete on draw_plan referencing old table as removed
  for each statement execute function keep_plans_with_slips();
create function keep_times_with_slips() returns trigger language plpgsql as $$
begin
  if exists (select from slip s where s."gameId" = old."gameId" and s.phase = old.phase) then
    raise exception 'phase % has slips', old.phase using errcode = 'BE002', detail = old.phase;
  end if;
  return new;
end $$;
create trigger draw_plan_times_with_slips before update of "startTime", "endTime" on draw_plan
  for each row when (old."startTime" <> new."startTime" or old."endTime" <> new."endTime")
  execute function keep_times_with_slips();

-- Players and single odds are changed by operators now.
alter table player add column version integer not null default 1;
alter table odds add column version integer not null default 1;
create trigger odds_version before update on odds for each row execute function grow_version();
create trigger player_version before update on player for each row execute function grow_version();

-- Who cancelled a slip, and why.
alter table slip add column "cancelledBy" text, add column "cancelReason" text;

-- So long a bettor or canceller waits and works at most: a settlement waits for them.
create function betting_patience() returns void language plpgsql as $$
declare
  left_ms integer := 1000 - (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::integer;
begin
  if left_ms <= 0 then
    raise exception 'a bet took too long' using errcode = 'BE003';
  end if;
  perform set_config('lock_timeout', left_ms::text, true);
end $$;

-- A line as placing it is answered.
create function told_line(l slip_line) returns jsonb language sql stable
  return jsonb_build_object('id', l.id, 'units', l.units, 'stake', l.stake::text, 'odds', l.odds, 'maxPayout', l."maxPayout"::text);

-- Places a slip, or tells the one that was placed under the same number (BE021 where its content was another). One statement is
-- one transaction: the money moves and the slip is there, or nothing happened. Refused with
-- BE010 what the caller works by is no longer so, BE011 game off, BE012 betting off, BE013 the game takes no bets, BE014 no such phase, BE015 not
-- open yet, BE016 closed, BE017 not promised, BE018 no such player, BE019 frozen, BE020 excluded until (detail), and what post_entries tells.
-- Locks are taken in this order everywhere: slip, account, counters of limits. The check of the clock is the last thing that may wait
-- for nobody: its instant is the slip's createTime.
create function place_slip(of_user bigint, of_biz text, of_game bigint, of_phase text, accept text, content bytea, catalogue bigint,
  draw_time timestamptz, play_ways bigint[], rules bigint[], selections text[], counts integer[], unit_stakes numeric[], line_odds text[],
  max_payouts numeric[])
returns table ("slipId" bigint, stake numeric, lines jsonb)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  known record;
  ground record;
  closing timestamptz;
  slip_id bigint;
  told jsonb;
  whole numeric := as_money((select sum(n * s) from unnest(counts, unit_stakes) as l (n, s)));
begin
  perform betting_patience();
  -- Of two that place the same at once the second waits here and finds the first.
  perform pg_advisory_xact_lock(hashtextextended('slip/' || of_biz, 0));
  select s.id, s.stake, s."contentHash" = content as same into known from slip s where s."bizNo" = of_biz;
  if found then
    if not known.same then
      raise exception 'number % stands for another slip', of_biz using errcode = 'BE021';
    end if;
    return query select known.id, known.stake,
      (select jsonb_agg(told_line(l) order by l.id) from slip_line l where l."slipId" = known.id);
    return;
  end if;
  -- Whoever comes after the draw need not wait behind its settlement to hear so.
  if exists (select from draw_plan p where p."gameId" = of_game and p.phase = of_phase and p."endTime" <= clock_timestamp()) then
    raise exception 'closed' using errcode = 'BE016';
  end if;
  perform pg_advisory_xact_lock_shared(betting_key(of_game, of_phase));
  select g.name, g.status as game_on, g."betStatus" as betting_on, g."stopBetSecond" as stop_seconds, c.version, p.id as plan_id,
      p."startTime" as opens, p."endTime" as draws, p."endTime" - g."stopBetSecond" * interval '1 second' as closes,
      p.status as plan_status, p.commitment is null and l."gameId" is not null as unpromised,
      to_timestamp((d.rules #>> '{beacon,time}')::float8) as beacon, u.id as user_id, u.frozen, u."excludedUntil" as excluded,
      u."testAccount" as test_account, u."agentId" as agent
    into ground
    from game g join game_catalogue c on c."gameId" = g.id
      left join draw_plan p on p."gameId" = g.id and p.phase = of_phase
      left join local_game l on l."gameId" = g.id
      left join draw_commitment d on d."gameId" = g.id and d.phase = of_phase
      left join player u on u.id = of_user
    where g.id = of_game;
  if ground.user_id is null and ground.name is not null then
    raise exception 'no such player' using errcode = 'BE018';
  elsif ground.name is null or ground.version <> catalogue then
    raise exception 'the catalogue has changed' using errcode = 'BE010';
  elsif not ground.game_on then
    raise exception 'the game is off' using errcode = 'BE011';
  elsif not ground.betting_on then
    raise exception 'betting is off' using errcode = 'BE012';
  elsif ground.stop_seconds < 2 then
    raise exception 'the game closes too late' using errcode = 'BE013';
  elsif ground.plan_id is null then
    raise exception 'no such phase' using errcode = 'BE014';
  elsif ground.draws <> draw_time then
    raise exception 'the plan has changed' using errcode = 'BE010';
  elsif ground.opens > clock_timestamp() then
    raise exception 'not open yet' using errcode = 'BE015';
  elsif ground.plan_status <> 'WAITTING' or least(ground.closes, ground.beacon) <= clock_timestamp() then
    raise exception 'closed' using errcode = 'BE016';
  elsif ground.unpromised then
    raise exception 'not promised' using errcode = 'BE017';
  elsif ground.frozen then
    raise exception 'the player is frozen' using errcode = 'BE019';
  elsif ground.excluded > clock_timestamp() then
    raise exception 'the player is excluded' using errcode = 'BE020', detail = substr(ground.excluded::text, 1, 19);
  end if;
  slip_id := nextval('slip_id_seq');
  perform betting_patience();
  perform post_entries(array[of_user], array['BET'], array[whole], array['B' || slip_id],
    array[ground.name || ' 第 ' || of_phase || ' 期']);
  with made as (
    insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
    select slip_id, l.play_way, l.rule, l.selection, l.units, as_money(l.unit_stake), as_money(l.units * l.unit_stake), l.odds::jsonb,
      as_money(l.max_payout)
    from unnest(play_ways, rules, selections, counts, unit_stakes, line_odds, max_payouts) with ordinality
      as l (play_way, rule, selection, units, unit_stake, odds, max_payout, place)
    order by l.place
    returning slip_line)
  select jsonb_agg(told_line(made.slip_line) order by (made.slip_line).id) into told from made;
  -- Limits take their counters here, in a fixed order, and may wait for one another.
  perform betting_patience();
  closing := clock_timestamp();
  if closing >= least(ground.closes, ground.beacon) then
    raise exception 'closed' using errcode = 'BE016';
  end if;
  insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash",
    "createTime")
  overriding system value
  values (slip_id, of_biz, of_user, of_game, ground.plan_id, of_phase, ground.draws, whole, accept,
    case when ground.agent is null then '[]' else jsonb_build_array(jsonb_build_object('id', ground.agent)) end, ground.test_account,
    content, closing);
  return query select slip_id, whole, told;
end $$;

-- Takes a slip back before its phase closes, and gives its stake back. BE030: no such slip, BE031: it is not pending, BE016: closed.
create function cancel_slip(of_slip bigint, who text, why text) returns void language plpgsql as $$
#variable_conflict use_column
declare
  s slip;
  closes timestamptz;
begin
  perform betting_patience();
  select * into s from slip where id = of_slip;
  if not found then
    raise exception 'no such slip' using errcode = 'BE030';
  end if;
  perform pg_advisory_xact_lock_shared(betting_key(s."gameId", s.phase));
  select * into s from slip where id = of_slip for no key update;
  if s.status <> 'PENDING' then
    raise exception 'slip % is %', of_slip, s.status using errcode = 'BE031', detail = s.status;
  end if;
  select p."endTime" - g."stopBetSecond" * interval '1 second' into strict closes
    from draw_plan p join game g on g.id = p."gameId" where p.id = s."planId";
  perform betting_patience();
  perform post_entries(array[s."userId"], array['BET_REFUND'], array[s.stake], array['B' || s.id], array['撤单']);
  update slip_line set status = 'CANCELLED', refund = stake where "slipId" = s.id;
  update slip set status = 'CANCELLED', refund = stake, "settleTime" = clock_timestamp(), "cancelledBy" = who, "cancelReason" = why
    where id = s.id;
  perform betting_patience();
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
end $$;
