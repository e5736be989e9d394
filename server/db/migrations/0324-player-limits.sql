-- Limits that players set themselves: what they pay in, and what they lose, a day, a week or a month of the platform's clock.

-- Who asked to be excluded until a moment is, whoever would have it otherwise: before it comes it can be put off, and nothing else.
create function keep_exclusion() returns trigger language plpgsql as $$
begin
  raise exception 'player % is excluded until %', old.id, old."excludedUntil" using errcode = 'PL001';
end $$;
create trigger player_stays_excluded before update of "excludedUntil" on player
  for each row when (old."excludedUntil" > clock_timestamp() and (new."excludedUntil" is null or new."excludedUntil" < old."excludedUntil"))
  execute function keep_exclusion();

-- `amount` holds until "nextTime", "nextAmount" from then on; where that is null there is no limit from then on. A row stays when its limit
-- is lifted: losses of whoever ever limited them are counted on.
create table player_limit (
  id bigint generated always as identity primary key,
  version integer not null default 1,
  "userId" bigint not null references player,
  kind text not null check (kind in ('DEPOSIT', 'LOSS')),
  period text not null check (period in ('DAY', 'WEEK', 'MONTH')),
  amount numeric not null check (amount > 0),
  "nextAmount" numeric,
  "nextTime" timestamptz,
  "createTime" timestamptz not null default now(),
  constraint player_limit_of unique ("userId", kind, period),
  constraint player_limit_next check ("nextAmount" > amount and "nextTime" is not null or "nextAmount" is null)
);
create index player_limit_loss on player_limit ("userId") where kind = 'LOSS';
create trigger player_limit_version before update on player_limit for each row execute function grow_version();

create function limit_at(l player_limit, at timestamptz) returns numeric language sql immutable
  return case when l."nextTime" <= at then l."nextAmount" else l.amount end;

-- What players who limit their losses have lost by the slips of a day, the day on which those were placed: their stakes less what came back
-- and was paid. What is not settled counts as lost.
create table player_loss (
  "userId" bigint not null,
  day date not null,
  loss numeric not null,
  primary key ("userId", day)
) with (fillfactor = 80);

-- What settlements changed of it: added to it when the player bets again, so that a settlement waits for no bettor.
create table player_loss_delta ("userId" bigint not null, day date not null, amount numeric not null);
create index player_loss_delta_user on player_loss_delta ("userId", day);
create index player_loss_day on player_loss (day);
create index player_loss_delta_day on player_loss_delta (day);

create function losses_used("ofUser" bigint, period text, at timestamptz) returns numeric language sql stable
  return (select coalesce(sum(each.loss), 0) from (
    select l.loss from player_loss l
      where l."userId" = "ofUser" and l.day between date_trunc(lower(losses_used.period), losses_used.at)::date and losses_used.at::date
    union all select d.amount from player_loss_delta d
      where d."userId" = "ofUser" and d.day between date_trunc(lower(losses_used.period), losses_used.at)::date and losses_used.at::date) as each);

-- What was paid in of a period, or is about to be: orders that were refused count for nothing.
create function deposits_used("ofUser" bigint, period text, at timestamptz) returns numeric language sql stable
  return (select coalesce(sum(d.amount), 0) from deposit d
    where d."userId" = "ofUser" and d.status <> 'FAIL' and d."createTime" >= date_trunc(lower(deposits_used.period), deposits_used.at)
      and d."createTime" < date_trunc(lower(deposits_used.period), deposits_used.at) + ('1 ' || deposits_used.period)::interval);

-- The limit that would be exceeded first, as {period, most, left}; nothing where none would be.
create function loss_over("ofUser" bigint, more numeric, at timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object('period', l.period, 'most', as_money(l.most)::text, 'left', as_money(greatest(l.most - l.used, 0))::text)
  from (select k.period, limit_at(k, at) as most, losses_used("ofUser", k.period, at) as used from player_limit k
    where k.kind = 'LOSS' and k."userId" = "ofUser" offset 0) as l
  where l.used + more > l.most order by l.most - l.used limit 1
$$;

-- Counts what slips may lose that were placed at an instant, for players whose accounts are held; tells the first limit that would be exceeded.
create function take_losses(watched bigint[], slips bigint[], at timestamptz) returns jsonb language plpgsql as $$
declare
  own record;
  over jsonb;
begin
  for own in
    select s."userId", sum(s.stake) as stake from slip s where s.id = any (slips) and s."userId" = any (watched) group by 1 order by 1
  loop
    with moved as (
      delete from player_loss_delta d where d."userId" = own."userId" returning d.day, d.amount
    )
    insert into player_loss as l ("userId", day, loss)
    select own."userId", m.day, sum(m.amount) from moved m group by m.day
    on conflict ("userId", day) do update set loss = l.loss + excluded.loss;
    over := loss_over(own."userId", own.stake, at);
    if over is not null then
      return over;
    end if;
    insert into player_loss as l ("userId", day, loss) values (own."userId", at::date, own.stake)
    on conflict ("userId", day) do update set loss = l.loss + excluded.loss;
  end loop;
  return null;
end $$;

create function move_losses() returns trigger language plpgsql as $$
begin
  if exists (select from player_limit where kind = 'LOSS') then
    insert into player_loss_delta ("userId", day, amount)
    select a."userId", a."createTime"::date, sum(r.refund + r.payout - a.refund - a.payout)
    from added a join removed r using (id)
    where exists (select from player_limit l where l.kind = 'LOSS' and l."userId" = a."userId")
    group by 1, 2 having sum(r.refund + r.payout - a.refund - a.payout) <> 0;
  end if;
  return null;
end $$;
create trigger slip_losses after update on slip
  referencing old table as removed new table as added for each statement execute function move_losses();

-- From now on losses of this player are counted, those of the week and month that run included. Slips that are settled at this moment are
-- waited for, and bettors wait for the commit: what they placed before is seen by the second look.
create function begin_losses("ofUser" bigint) returns void language plpgsql as $$
declare
  since timestamptz := least(date_trunc('week', now()), date_trunc('month', now()));
begin
  perform from slip s where s."userId" = "ofUser" and s."createTime" >= since order by s.id for share;
  perform from account where "userId" = "ofUser" for no key update;
  perform from slip s where s."userId" = "ofUser" and s."createTime" >= since order by s.id for share;
  insert into player_loss ("userId", day, loss)
  select "ofUser", s."createTime"::date, sum(s.stake - s.refund - s.payout) from slip s
  where s."userId" = "ofUser" and s."createTime" >= since group by 2;
end $$;

create function deposits_one_by_one("ofUser" bigint) returns void language sql volatile
  return pg_advisory_xact_lock(hashtextextended('deposits/' || "ofUser", 0));

-- A limit holds for whoever bets or pays in after its commit: those who are about to are waited for, or wait.
create function hold_limited() returns trigger language plpgsql as $$
begin
  if new.kind = 'DEPOSIT' then
    perform deposits_one_by_one(new."userId");
  elsif tg_op = 'INSERT' and not exists (select from player_limit l where l.kind = 'LOSS' and l."userId" = new."userId") then
    perform begin_losses(new."userId");
  else
    perform from account where "userId" = new."userId" for no key update;
  end if;
  return new;
end $$;
create trigger player_limit_held before insert or update on player_limit for each row execute function hold_limited();

-- What a player's order is refused for, as {problem, until, period, most, left}; nothing where nothing is. Orders of one player go one after the other
-- until they commit. Periods are those of the transaction's beginning, which is the order's "createTime".
create function deposit_in_the_way("ofUser" bigint, more numeric) returns jsonb language plpgsql as $$
begin
  perform deposits_one_by_one("ofUser");
  return (
    select jsonb_strip_nulls(jsonb_build_object('until', substr(w."excludedUntil"::text, 1, 19), 'problem', w.problem,
      'period', w.period, 'most', as_money(w.most)::text, 'left', as_money(greatest(w.most - w.used, 0))::text))
    from (
      select p."excludedUntil", l.*, case when p.id is null then 'ABSENT' when p.frozen then 'FROZEN' when p."excludedUntil" > now() then 'EXCLUDED'
        when l.period is not null then 'LIMIT' end as problem
      from (values (1)) as one left join player p on p.id = "ofUser" left join lateral (
        select k.period, k.most, k.used from (
          select r.period, limit_at(r, now()) as most, deposits_used("ofUser", r.period, now()) as used from player_limit r
          where r.kind = 'DEPOSIT' and r."userId" = "ofUser" offset 0) as k
        where k.used + more > k.most order by k.most - k.used limit 1) as l on true) as w
    where w.problem is not null);
end $$;

-- As in 0276-slips-together.sql; besides BE042 the player's limit of losses would be exceeded (detail: loss_over). It is told of a slip before
-- money moves; where several slips of one player exceed it together, or others come between, it is raised.
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
      least(p."endTime" - g."stopBetSecond" * interval '1 second', to_timestamp((b.rules #>> '{beacon,time}')::float8)) as closes,
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
        when p.status <> 'WAITTING' or least(p."endTime" - g."stopBetSecond" * interval '1 second',
          to_timestamp((b.rules #>> '{beacon,time}')::float8)) <= clock_timestamp() then 'BE016'
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
      left join player u on u.id = w."userId") as w;
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
    closing := clock_timestamp();
    insert into slip (id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash",
      "createTime", day)
    overriding system value
    select a.id, a.number, a."userId", a."gameId", a."planId", a.phase, a.draws, a.stake, a.accept,
      case when a.agent is null then '[]' else agent_chain(a.agent) end, a."testAccount", a.content, closing,
      days[array_position(ends, a.draws)]
    from unnest(asked) as a where a.problem is null and a.closes > closing order by a.place;
    get diagnostics taken = row_count;
    if taken < cardinality(array_remove(ids, null)) then
      raise exception 'closed' using errcode = 'BE016';
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
