-- The chain of agents that a slip keeps.

-- The agents that a player stands under whose own agent is this one, the nearest first: what a slip keeps of them.
create function agent_chain(agent bigint) returns jsonb language sql stable
  return jsonb_build_array(jsonb_build_object('id', agent));

-- Places a slip, or tells the one that was placed under the same number (BE021 where its content was another). One statement is
-- one transaction: the money moves and the slip is there, or nothing happened. Refused with
-- BE010 what the caller works by is no longer so, BE011 game off, BE012 betting off, BE013 the game takes no bets, BE014 no such phase, BE015 not
-- open yet, BE016 closed, BE017 not promised, BE018 no such player, BE019 frozen, BE020 excluded until (detail), and what post_entries tells.
-- Locks are taken in this order everywhere: slip, account, counters of limits. The check of the clock is the last thing that may wait
-- for nobody: its instant is the slip's createTime.
create or replace function place_slip(of_user bigint, of_biz text, of_game bigint, of_phase text, accept text, content bytea, catalogue bigint,
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
    case when ground.agent is null then '[]' else agent_chain(ground.agent) end, ground.test_account,
    content, closing);
  return query select slip_id, whole, told;
end $$;
