-- A bet looked at its player and game before it waited for the account, and was placed up to a second after a freeze, an exclusion or a stop
-- had been answered. It looks at them again before it is written. See decision 0705.
create or replace function place_slips(users bigint[], numbers text[], games bigint[], phases text[], accepts text[], contents bytea[],
  catalogues bigint[], draw_times float8[], limited boolean[], for_tests boolean[],
  owners integer[], play_ways bigint[], rules bigint[], selections text[], counts integer[], unit_stakes numeric[], line_odds text[],
  max_payouts numeric[], waiting boolean)
returns table (place integer, problem text, detail text, "slipId" bigint, stake numeric, lines bigint[], stakes numeric[],
  payouts numeric[])
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  free boolean[];
  asked placing_slip[];
  ids bigint[];
  refused record;
  line_ids bigint[];
  line_slips bigint[];
  line_stakes numeric[];
  line_payouts numeric[];
  counted record;
  over jsonb;
  watched bigint[];
  ends timestamptz[];
  days date[];
  closing timestamptz;
  taken bigint;
begin
  perform betting_patience();
  if waiting then
    -- Of two that place the same at once the second waits here and finds the first.
    perform pg_advisory_xact_lock(hashtextextended('slip/' || numbers[1], 0));
    -- Whoever comes after the draw need not wait behind its settlement to hear so.
    free := array[not exists (select from draw_plan p
      where p."gameId" = games[1] and p.phase = phases[1] and p."endTime" <= clock_timestamp())];
    if free[1] then
      perform pg_advisory_xact_lock_shared(betting_key(games[1], phases[1]));
      perform betting_patience();
    end if;
  else
    select array_agg(array_position(numbers, w.number) = w.place and pg_try_advisory_xact_lock(hashtextextended('slip/' || w.number, 0))
      and pg_try_advisory_xact_lock_shared(betting_key(w."gameId", w.phase)) order by w.place) into free
    from unnest(numbers, games, phases) with ordinality as w (number, "gameId", phase, place);
  end if;
  select array_agg(row(w.place, w.problem, case w.problem when 'BE020' then substr(w.excluded::text, 1, 19)
        when 'BE042' then loss_over(w."userId", w.stake, clock_timestamp())::text end,
      case w.problem when 'KNOWN' then w.known else case when w.problem is null then nextval('slip_id_seq') end end, w.number, w."userId",
      w."gameId", w.phase, w."planId", w.draws, w.closes, w.stake, w.accept, w.content, w.agent, w."testAccount",
      w.name || ' 第 ' || w.phase || ' 期')::placing_slip order by w.place) into asked
  from (
    select w.*, k.id as known, g.name, p.id as "planId", p."endTime" as draws, l.stake, u."agentId" as agent, u."testAccount",
      u."excludedUntil" as excluded,
      t.closes,
      case
        when k.id is not null then case when k."contentHash" = w.content then 'KNOWN' else 'BE021' end
        when not w.free then case when waiting then 'BE016' else 'BUSY' end
        when u.id is null and g.id is not null then 'BE018'
        when g.id is null or c.version is distinct from w.catalogue then 'BE010'
        when not g.status then 'BE011'
        when not g."betStatus" then 'BE012'
        when g."stopBetSecond" < 2 then 'BE013'
        when p.id is null then 'BE014'
        when p."endTime" <> to_timestamp(w.epoch) then 'BE010'
        when p."startTime" > clock_timestamp() then 'BE015'
        when p.status <> 'WAITTING' or t.closes <= clock_timestamp() then 'BE016'
        when p.commitment is null and o."gameId" is not null then 'BE017'
        when u.frozen then 'BE019'
        when u."excludedUntil" > clock_timestamp() then 'BE020'
        when w.test and not u."testAccount" then 'BE040'
        when exists (select from player_limit r where r.kind = 'LOSS' and r."userId" = u.id)
          and loss_over(u.id, l.stake, clock_timestamp()) is not null then 'BE042'
      end as problem
    from unnest(users, numbers, games, phases, accepts, contents, catalogues, draw_times, for_tests, free) with ordinality
        as w ("userId", number, "gameId", phase, accept, content, catalogue, epoch, test, free, place)
      join (select owner, as_money(sum(units * unit_stake)) as stake from unnest(owners, counts, unit_stakes) as l (owner, units, unit_stake)
        group by owner) as l on l.owner = w.place
      left join slip k on k."bizNo" = w.number
      left join game g on g.id = w."gameId"
      left join game_catalogue c on c."gameId" = w."gameId"
      left join draw_plan p on p."gameId" = w."gameId" and p.phase = w.phase
      left join local_game o on o."gameId" = w."gameId"
      left join draw_commitment b on b."gameId" = w."gameId" and b.phase = w.phase
      left join player u on u.id = w."userId"
      -- Worked out once, though it is asked twice.
      cross join lateral (select least(each.closes, to_timestamp((b.rules #>> '{beacon,time}')::float8)) as closes
        from closing_of(g.id, g."stopBetSecond", p."startTime", p."endTime") as each offset 0) as t) as w;
  if waiting then
    perform betting_patience();
  end if;
  for refused in
    select e.places[p.place] as place, p.problem
    from (select array_agg(a.place) as places, array_agg(a."userId") as users, array_agg('BET'::text) as types, array_agg(a.stake) as stakes,
        array_agg('B' || a.id) as numbers, array_agg(a."desc") as descs
      from unnest(asked) as a where a.problem is null having count(*) > 0) as e,
      lateral post_entries(e.users, e.types, e.stakes, e.numbers, e.descs, alone => true, passing => not waiting) as p
    where p.problem is not null
  loop
    asked[refused.place].problem := refused.problem;
  end loop;
  ids := array(select case when a.problem is null then a.id end from unnest(asked) as a);
  if cardinality(array_remove(ids, null)) > 0 then
    with made as (
      insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
      select ids[l.owner], l.play_way, l.rule, l.selection, l.units, as_money(l.unit_stake), as_money(l.units * l.unit_stake), l.odds::jsonb,
        as_money(l.max_payout)
      from unnest(owners, play_ways, rules, selections, counts, unit_stakes, line_odds, max_payouts) with ordinality
        as l (owner, play_way, rule, selection, units, unit_stake, odds, max_payout, place)
      where ids[l.owner] is not null
      order by l.owner, l.place
      returning id, "slipId", stake, "maxPayout")
    select array_agg(id), array_agg("slipId"), array_agg(stake), array_agg("maxPayout") into line_ids, line_slips, line_stakes, line_payouts
    from (select * from made order by id) as each;
    if true = any (limited) then
      for counted in
        select a."gameId", a.phase, array_agg(l.id) as lines, array_agg(a."userId") as users
        from unnest(asked) as a join unnest(line_ids, line_slips) as l (id, "slipId") on l."slipId" = a.id
        where limited[a.place] and not a."testAccount" group by 1, 2 order by 1, 2
      loop
        perform betting_patience();
        over := take_limits(counted."gameId", counted.phase, counted.lines, counted.users);
        if over is not null then
          raise exception 'a limit would be exceeded' using errcode = 'BE041', detail = over::text;
        end if;
      end loop;
    end if;
    select array_agg(d.draws), array_agg(open_report_day(report_day(d.draws - interval '1 second'))) into ends, days
    from (select distinct a.draws from unnest(asked) as a where a.problem is null order by a.draws) as d;
    -- What may have waited for others looks once more at what may have been stopped meanwhile, and is told of it by looking anew.
    if (waiting or true = any (limited)) and exists (
      select from unnest(asked) as a left join game g on g.id = a."gameId" left join game_catalogue c on c."gameId" = a."gameId"
      where a.problem is null and (g.status and g."betStatus" and c.version = catalogues[a.place]) is not true) then
      raise exception 'not as it was' using errcode = 'BE010';
    end if;
    closing := clock_timestamp();
    insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash",
      "createTime", day)
    overriding system value
    select a.id, a.number, a."userId", a."gameId", a."planId", a.phase, a.draws, a.stake, a.accept,
      case when a.agent is null then '[]' else agent_chain(a.agent) end, a."testAccount", a.content, closing,
      days[array_position(ends, a.draws)]
    -- Whoever keeps a player from betting waits for the account, which is held here.
    from unnest(asked) as a join player u on u.id = a."userId" and not u.frozen and (u."excludedUntil" is null or u."excludedUntil" <= closing)
    where a.problem is null and a.closes > closing order by a.place;
    get diagnostics taken = row_count;
    if taken < cardinality(array_remove(ids, null)) then
      raise exception 'closed, or not as it was' using errcode = case when exists (
        select from unnest(asked) as a where a.problem is null and a.closes <= closing) then 'BE016' else 'BE010' end;
    end if;
    -- Whose account is held meanwhile: nobody else counts their losses, or limits them anew.
    watched := array(select r."userId" from player_limit r where r.kind = 'LOSS' and r."userId" = any (users));
    if cardinality(watched) > 0 then
      over := take_losses(watched, ids, closing);
      if over is not null then
        raise exception 'a limit of a player would be exceeded' using errcode = 'BE042', detail = over::text;
      end if;
    end if;
  end if;
  return query
  select a.place, a.problem, a.detail, a.id, a.stake, l.ids, l.stakes, l.payouts from unnest(asked) as a left join (
    select "slipId", array_agg(id) as ids, array_agg(stake) as stakes, array_agg(payout) as payouts
    from unnest(line_ids, line_slips, line_stakes, line_payouts) as l (id, "slipId", stake, payout) group by "slipId") as l on l."slipId" = a.id
  order by a.place;
end $$;
