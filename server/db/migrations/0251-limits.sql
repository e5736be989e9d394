-- 限额: what bets are refused for, and how much of it the slips of a phase have taken.

-- Of a play way, else of its game, else of all games (neither is said): for each kind the most specific row that says it counts, and
-- what is null is said by the next. Limits (minStake to maxLoss) refuse slips, caps (payoutCap…) cut what is paid.
create table bet_limit (
  id bigint generated always as identity primary key,
  version integer not null default 1,
  "gameId" bigint,
  "playWayId" bigint,
  "minStake" numeric check ("minStake" > 0),
  "maxStake" numeric check ("maxStake" > 0),
  "maxLineStake" numeric check ("maxLineStake" > 0),
  "maxUserStake" numeric check ("maxUserStake" > 0),
  "maxNumberPayout" numeric check ("maxNumberPayout" > 0),
  "maxLoss" numeric check ("maxLoss" > 0),
  "payoutCapUnit" numeric check ("payoutCapUnit" > 0),
  "payoutCapLine" numeric check ("payoutCapLine" > 0),
  "payoutCapSlip" numeric check ("payoutCapSlip" > 0),
  "payoutCapUser" numeric check ("payoutCapUser" > 0),
  "createTime" timestamptz not null default now(),
  constraint bet_limit_game foreign key ("gameId") references game on delete cascade,
  constraint bet_limit_play_way foreign key ("playWayId") references play_way on delete cascade,
  constraint bet_limit_of unique nulls not distinct ("gameId", "playWayId"),
  check ("playWayId" is null or "gameId" is not null)
);
create index bet_limit_play_way on bet_limit ("playWayId");
create trigger bet_limit_version before update on bet_limit for each row execute function grow_version();

-- What counts for a play way of a game, whether it is still there or not. A scope is the row that says a limit, as 'w' and its play way,
-- 'g' for the game, 'a' for all games: what is limited together is added up by it.
create function limits_of("ofGame" bigint, "ofPlayWay" bigint)
returns table ("minStake" numeric, "maxStake" numeric, "maxLineStake" numeric, "maxUserStake" numeric, "userScope" text,
  "maxNumberPayout" numeric, "maxLoss" numeric, "lossScope" text, "payoutCapUnit" numeric, "payoutCapLine" numeric,
  "payoutCapSlip" numeric, "slipScope" text, "payoutCapUser" numeric, "payScope" text)
language sql stable rows 1 as $$
  select coalesce(w."minStake", g."minStake", a."minStake"), coalesce(w."maxStake", g."maxStake", a."maxStake"),
    coalesce(w."maxLineStake", g."maxLineStake", a."maxLineStake"),
    coalesce(w."maxUserStake", g."maxUserStake", a."maxUserStake"),
    case when w."maxUserStake" is not null then 'w' || "ofPlayWay" when g."maxUserStake" is not null then 'g' else 'a' end,
    coalesce(w."maxNumberPayout", g."maxNumberPayout", a."maxNumberPayout"),
    coalesce(w."maxLoss", g."maxLoss", a."maxLoss"),
    case when w."maxLoss" is not null then 'w' || "ofPlayWay" when g."maxLoss" is not null then 'g' else 'a' end,
    coalesce(w."payoutCapUnit", g."payoutCapUnit", a."payoutCapUnit"), coalesce(w."payoutCapLine", g."payoutCapLine", a."payoutCapLine"),
    coalesce(w."payoutCapSlip", g."payoutCapSlip", a."payoutCapSlip"),
    case when w."payoutCapSlip" is not null then 'w' || "ofPlayWay" when g."payoutCapSlip" is not null then 'g' else 'a' end,
    coalesce(w."payoutCapUser", g."payoutCapUser", a."payoutCapUser"),
    case when w."payoutCapUser" is not null then 'w' || "ofPlayWay" when g."payoutCapUser" is not null then 'g' else 'a' end
  from (values (1)) as one
    left join bet_limit w on w."playWayId" = "ofPlayWay"
    left join bet_limit g on g."gameId" = "ofGame" and g."playWayId" is null
    left join bet_limit a on a."gameId" is null
$$;

-- What of its rules tells how lines add up. "cellSeparator" stands between the numbers of a line where each number is added up by itself;
-- null where lines are added up whole, as those of units of several numbers, and of play ways with more than a thousand. "book" is the same
-- for copies of one way of reading a draw by which at most one number wins; null where several may. "mayPush": some draw gives
-- stakes back. "lineCap" is the most that a number of a line can be paid.
alter table slip_rules add column "cellSeparator" text, add column book text, add column "mayPush" boolean not null default true,
  add column "lineCap" numeric;

-- What slips have taken of the limits of their phase; there only where limits are set. USER: what a player has staked, by scope. NUMBER: what
-- a number pays, or '' what lines pay that are added up whole. CELL and BOOK lead to LOSS: of a play way ("owner") whose numbers exclude one
-- another, what the house pays if a number comes, and the play way's bound by it; LOSS adds bounds up by scope.
create table limit_counter (
  "gameId" bigint not null,
  phase text not null,
  kind text not null check (kind in ('USER', 'NUMBER', 'CELL', 'BOOK', 'LOSS')),
  scope text not null,
  owner bigint not null,
  number text not null,
  taken numeric not null,
  -- Of a BOOK: the worst of its cells, and whether it cannot fall below nothing because all stakes may be given back.
  worst numeric not null default 0,
  "isFloored" boolean not null default false,
  bound numeric not null generated always as (case when "isFloored" then greatest(taken + worst, 0) else taken + worst end) stored,
  primary key ("gameId", phase, kind, scope, owner, number)
) with (fillfactor = 70);

-- What lines take of the limits that are set: `amount` of a counter whose `most` is the limit. Of a BOOK the amount is what lines add to
-- its bound besides its cells: less their stakes, and what they pay where several of their numbers may come. Where stakes may be given back,
-- what is lost by others counts for nothing: a number then counts with what it pays less what was staked on it, and lines added up whole
-- with what they pay less one unit that won.
create function limit_takes("ofGame" bigint, lines bigint[], users bigint[])
returns table (kind text, scope text, owner bigint, number text, amount numeric, "isFloored" boolean, most numeric)
language sql stable rows 10 as $$
  with line as materialized (
    select l.id, l."playWayId", l.stake, l."unitStake", l."maxPayout", l.selection, l.odds, r.book, r."cellSeparator", r."mayPush",
      r."lineCap", u."userId", m."maxUserStake", m."userScope", m."maxNumberPayout", m."maxLoss", m."lossScope"
    from unnest(lines, users) as u (id, "userId") join slip_line l on l.id = u.id join slip_rules r on r.id = l."rulesId",
      lateral limits_of("ofGame", l."playWayId") as m
  ), cell as materialized (
    select l."playWayId", c.number, l.book, l."mayPush", l."unitStake", l."maxNumberPayout", l."maxLoss", l."lossScope",
      least(trunc(l."unitStake" * c.odds, 4), l."lineCap") as payout
    from line l, lateral (
      select o.number, o.odds from jsonb_to_recordset(case jsonb_typeof(l.odds) when 'array' then l.odds else '[]' end)
        as o (number text, odds numeric)
      union all
      select o.number, (l.odds #>> '{}')::numeric from string_to_table(l.selection, l."cellSeparator") as o (number)
        where jsonb_typeof(l.odds) = 'string') as c
    where l."cellSeparator" is not null and (l."maxNumberPayout" is not null or l."maxLoss" is not null and l.book is not null)
  )
  select 'USER', "userScope", "userId", '', sum(stake), false, min("maxUserStake") from line
    where "maxUserStake" is not null group by 2, 3
  union all
  select 'NUMBER', '', "playWayId", number, sum(payout), false, min("maxNumberPayout") from cell
    where "maxNumberPayout" is not null group by 3, 4
  union all
  select 'NUMBER', '', "playWayId", '', sum("maxPayout"), false, min("maxNumberPayout") from line
    where "maxNumberPayout" is not null and "cellSeparator" is null group by 3
  union all
  select 'CELL', "lossScope", "playWayId", book || ' ' || number, sum(case when "mayPush" then payout - "unitStake" else payout end),
    "mayPush", min("maxLoss") from cell
    where "maxLoss" is not null and book is not null group by 2, 3, 4, 6
  union all
  select 'BOOK', "lossScope", "playWayId", coalesce(book, ''),
    sum(case when book is null then case when "mayPush" then greatest("maxPayout" - "unitStake", 0) else "maxPayout" - stake end
      when "mayPush" then 0 else -stake end), bool_or("mayPush" and book is not null), min("maxLoss") from line
    where "maxLoss" is not null group by 2, 3, 4
$$;

-- Adds what lines take to the counters, in their order, by one statement; tells the first limit that is exceeded, if any: what is left of
-- it, as {kind, most, left, playWayId, number}. Cells come before the books that they decide, books before the sums of their bounds.
create function take_limits("ofGame" bigint, "ofPhase" text, lines bigint[], users bigint[]) returns jsonb language sql volatile as $$
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
      set taken = c.taken + excluded.taken, worst = greatest(c.worst, excluded.worst)
    returning new.scope, new.bound - coalesce(old.bound, 0) as more
  ), loss as (
    insert into limit_counter as c ("gameId", phase, kind, scope, owner, number, taken)
    select "ofGame", "ofPhase", 'LOSS', scope, 0, '', sum(more) from book group by scope order by scope
    on conflict ("gameId", phase, kind, scope, owner, number) do update set taken = c.taken + excluded.taken
    returning c.scope, c.taken, c.taken - coalesce(old.taken, 0) as more
  )
  select jsonb_build_object('kind', over.kind, 'most', as_money(over.most)::text, 'left', as_money(greatest(over.before, 0))::text,
    'playWayId', over.owner, 'number', over.number)
  from (
    select t.kind, t.owner, t.number, t.most, t.most - (o.taken - t.amount) as before
    from own o join take t using (kind, scope, owner, number) where t.kind in ('USER', 'NUMBER') and o.taken > t.most
    union all
    select 'LOSS', 0, '', t.most, t.most - (l.taken - l.more)
    from loss l join (select scope, min(most) as most from take where kind = 'BOOK' group by scope) as t using (scope) where l.taken > t.most
  ) as over
  order by array_position(array['USER', 'NUMBER', 'LOSS'], over.kind), over.owner, over.number limit 1
$$;

-- Gives back what lines took, where there are counters of it. The worst of a book's cells is looked for anew once nobody else can change it.
create function give_back_limits("ofGame" bigint, "ofPhase" text, lines bigint[], users bigint[]) returns void language plpgsql as $$
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
        and w.scope = c.scope and w.owner = c.owner and w.number like c.number || ' %'), 0)
    from take t
    where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'BOOK'
      and (t.kind, t.scope, t.owner, t.number) = (c.kind, c.scope, c.owner, c.number)
    returning new.scope, new.bound - old.bound as more
  )
  update limit_counter c set taken = c.taken + b.more
  from (select scope, sum(more) as more from book group by scope order by scope) as b
  where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'LOSS' and c.scope = b.scope;
end $$;

-- Whether any limit of a game needs counters.
create function counts_limits("ofGame" bigint) returns boolean language sql stable
  return exists (select from bet_limit where ("gameId" = "ofGame" or "gameId" is null)
    and ("maxUserStake" is not null or "maxNumberPayout" is not null or "maxLoss" is not null));

-- Counts a phase anew, by the limits that are set now. The caller sees to it that nobody bets meanwhile.
create function recount_limits("ofGame" bigint, "ofPhase" text) returns void language plpgsql as $$
declare
  lines bigint[];
  users bigint[];
begin
  delete from limit_counter c where c."gameId" = "ofGame" and c.phase = "ofPhase";
  if counts_limits("ofGame") then
    select array_agg(l.id), array_agg(s."userId") into lines, users
    from slip s join slip_line l on l."slipId" = s.id
    where s."gameId" = "ofGame" and s.phase = "ofPhase" and not s."testAccount" and l.status not in ('CANCELLED', 'VOID');
    perform take_limits("ofGame", "ofPhase", lines, users);
  end if;
end $$;

-- A change of limits holds for whoever bets after it, and counts what was bet before: bettors of phases that are open, or about to be, are
-- waited for and kept waiting until it commits. Copies of the catalogue that servers work by are old from then on.
create function apply_limits() returns trigger language plpgsql as $$
declare
  games bigint[];
  every boolean;
  open record;
begin
  if tg_op = 'DELETE' then
    select array_agg("gameId"), bool_or("gameId" is null) into games, every from removed;
  else
    select array_agg("gameId"), bool_or("gameId" is null) into games, every from added;
  end if;
  for open in
    select p."gameId", p.phase from draw_plan p
    where p.status = 'WAITTING' and p."startTime" <= clock_timestamp() + interval '1 minute'
      and p."endTime" >= clock_timestamp() - interval '10 seconds' and (every or p."gameId" = any (games))
    order by p."gameId", p.phase
  loop
    perform pg_advisory_xact_lock(betting_key(open."gameId", open.phase));
    perform recount_limits(open."gameId", open.phase);
  end loop;
  update game_catalogue c set version = c.version + 1 where every or c."gameId" = any (games);
  return null;
end $$;
create trigger bet_limit_applied_insert after insert on bet_limit referencing new table as added
  for each statement execute function apply_limits();
create trigger bet_limit_applied_update after update on bet_limit referencing new table as added
  for each statement execute function apply_limits();
create trigger bet_limit_applied_delete after delete on bet_limit referencing old table as removed
  for each statement execute function apply_limits();

-- Lines that a void covers give back what they took, and take it again when the void is undone. A line that is cancelled gives back by
-- cancel_slip.
create function give_back_voids() returns trigger language plpgsql as $$
declare
  of record;
begin
  for of in
    select s."gameId", s.phase, a.status = 'VOID' as gone, array_agg(a.id) as lines, array_agg(s."userId") as users
    from added a join removed r on r.id = a.id join slip s on s.id = a."slipId"
    where (a.status = 'VOID') <> (r.status = 'VOID') and not s."testAccount"
      and exists (select from limit_counter c where c."gameId" = s."gameId" and c.phase = s.phase)
    group by 1, 2, 3 order by 1, 2, 3
  loop
    if of.gone then
      perform give_back_limits(of."gameId", of.phase, of.lines, of.users);
    else
      perform take_limits(of."gameId", of.phase, of.lines, of.users);
    end if;
  end loop;
  return null;
end $$;
create trigger slip_line_voided after update on slip_line referencing old table as removed new table as added
  for each statement execute function give_back_voids();

drop function place_slip(bigint, text, bigint, text, text, bytea, bigint, timestamptz, bigint[], bigint[], text[], integer[], numeric[],
  text[], numeric[]);

-- Places a slip, or tells the one that was placed under the same number (BE021 where its content was another). One statement is
-- one transaction: the money moves and the slip is there, or nothing happened. Refused with
-- BE010 what the caller works by is no longer so, BE011 game off, BE012 betting off, BE013 the game takes no bets, BE014 no such phase, BE015 not
-- open yet, BE016 closed, BE017 not promised, BE018 no such player, BE019 frozen, BE020 excluded until (detail), BE040 a limit that only test accounts
-- may pass (`needs_test`), BE041 a limit that it would exceed (detail: take_limits), and what post_entries tells. Counters of limits are
-- taken where some are set (`limited`); test accounts stand in none.
-- Locks are taken in this order everywhere: slip, account, counters of limits. The check of the clock is the last thing that may wait
-- for nobody: its instant is the slip's createTime.
create function place_slip(of_user bigint, of_biz text, of_game bigint, of_phase text, accept text, content bytea, catalogue bigint,
  draw_time timestamptz, play_ways bigint[], rules bigint[], selections text[], counts integer[], unit_stakes numeric[], line_odds text[],
  max_payouts numeric[], limited boolean default false, needs_test boolean default false)
returns table ("slipId" bigint, stake numeric, lines jsonb)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  known record;
  ground record;
  closing timestamptz;
  slip_id bigint;
  told jsonb;
  over jsonb;
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
  if needs_test and not ground.test_account then
    raise exception 'a limit stands in the way' using errcode = 'BE040';
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
  perform betting_patience();
  if limited and not ground.test_account then
    select take_limits(of_game, of_phase, array_agg((t ->> 'id')::bigint), array_agg(of_user)) into over from jsonb_array_elements(told) as t;
    if over is not null then
      raise exception 'a limit would be exceeded' using errcode = 'BE041', detail = over::text;
    end if;
    perform betting_patience();
  end if;
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

-- Takes a slip back before its phase closes, and gives its stake back. BE030: no such slip, BE031: it is not pending, BE016: closed.
create or replace function cancel_slip(of_slip bigint, who text, why text) returns void language plpgsql as $$
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
  if not s."testAccount" then
    perform give_back_limits(s."gameId", s.phase, array_agg(l.id), array_agg(s."userId")) from slip_line l where l."slipId" = s.id;
    perform betting_patience();
  end if;
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
end $$;
