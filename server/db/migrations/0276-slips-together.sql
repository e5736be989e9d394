-- Types of its own for what posting carries from its accounts to its rows: those of a table bring its checks and defaults along, to be read
-- anew in each statement.
create type posting_account as (id bigint, "userId" bigint, "totalAmount" numeric, "availableAmount" numeric, "freezeAmount" numeric,
  "lastSeq" bigint, "lastHash" bytea, debt numeric, "debtSeq" bigint, "debtHash" bytea);
create type posting_row as (id bigint, "userId" bigint, "accountSeq" bigint, "originAmount" numeric, amount numeric, "newAmount" numeric,
  direction text, "changeType" text, "bizOrderNo" text, "desc" text, "createTime" timestamptz, hash bytea);

-- The same block as ever, in words that PostgreSQL can take into a statement: it would not while a part of them was said to hang on the zone,
-- and started a statement of its own for each row.
create or replace function time_block(at timestamptz) returns bigint language sql immutable strict parallel safe
  return floor(extract(epoch from at - to_timestamp(0)))::bigint >> 10;

drop function post_entries(bigint[], text[], numeric[], text[], text[], text[], timestamptz[], boolean);

-- What it does is said in 0161-posting-with-debts.sql. `passing`: an account that somebody else holds is not waited for, its entries' problem
-- is BUSY.
create function post_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[],
  sources text[] default null, times timestamptz[] default null, alone boolean default false, passing boolean default false)
returns table (place integer, id bigint, "userId" bigint, "originAmount" numeric, "newAmount" numeric, "totalAmount" numeric, owed numeric,
  problem text)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  accounts posting_account[];
  slots integer[];
  rows posting_row[] := '{}';
  debts account_debt[] := '{}';
  a posting_account;
  h posting_row;
  d account_debt;
  kind text;
  taken numeric;
  available numeric;
  frozen numeric;
  rest numeric;
begin
  if passing then
    select array_agg(held::posting_account) into accounts
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where "userId" = any (users) order by "userId" for no key update skip locked) as held;
  else
    select array_agg(held::posting_account) into accounts
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where "userId" = any (users) order by "userId" for no key update) as held;
  end if;
  if cardinality(users) = 1 then
    slots := array[1];
  else
    -- The accounts lie in the order of users, so an entry's is found by its rank; no join, whose plan would be a guess.
    select array_agg(r.slot order by r.place) into slots
    from (select place, dense_rank() over (order by "userId") as slot from unnest(users) with ordinality as u ("userId", place)) as r;
    if coalesce(cardinality(accounts), 0) < (select max(slot) from unnest(slots) as slot) then
      -- Some users have no account, or one that somebody else holds: their places are held by nothing.
      select array_agg(held order by u."userId") into accounts
      from (select distinct "userId" from unnest(users) as "userId") as u left join unnest(accounts) as held using ("userId");
    end if;
  end if;
  for i in 1 .. coalesce(cardinality(users), 0) loop
    a := accounts[slots[i]];
    kind := types[i];
    taken := as_money(amounts[i]);
    available := a."availableAmount";
    frozen := a."freezeAmount";
    rest := 0;
    if kind = 'FREEZE' then
      available := available - taken;
      frozen := frozen + taken;
    elsif kind = 'UNFREEZE' then
      available := available + taken;
      frozen := frozen - taken;
    elsif ledger_direction(kind) = 'IN' then
      available := available + taken;
    elsif sources[i] = 'FROZEN' then
      frozen := frozen - taken;
    elsif sources[i] = 'OWING' then
      rest := greatest(taken - available, 0);
      taken := taken - rest;
      available := available - taken;
    else
      available := available - taken;
    end if;
    place := i;
    id := null;
    "userId" := users[i];
    "originAmount" := a."totalAmount";
    "newAmount" := a."totalAmount";
    "totalAmount" := a."totalAmount";
    owed := rest;
    problem := case
      when a.id is null then 'MN002'
      when a.debt > 0 and kind in ('FREEZE', 'WITHDRAW') then 'MN005'
      when available < 0 or frozen < 0 then 'MN001'
      when available + frozen >= 1000000000000 then 'MN003' end;
    if problem is not null then
      if passing and a.id is null then
        if exists (select from account as one where one."userId" = users[i]) then
          problem := 'BUSY';
        end if;
      end if;
      if not alone then
        raise exception 'entry % of user % cannot be posted', i, users[i] using errcode = problem;
      end if;
      return next;
      continue;
    end if;
    h."bizOrderNo" := numbers[i];
    h."desc" := descs[i];
    h."createTime" := coalesce(times[i], now());
    loop
      h."accountSeq" := null;
      if kind not in ('FREEZE', 'UNFREEZE') and taken > 0 then
        h.id := nextval('account_history_id_seq');
        h."userId" := a."userId";
        h."accountSeq" := a."lastSeq" + 1;
        h.direction := ledger_direction(kind);
        h."changeType" := kind;
        h.amount := as_money(taken);
        h."originAmount" := a."totalAmount";
        h."newAmount" := as_money(case h.direction when 'IN' then a."totalAmount" + taken else a."totalAmount" - taken end);
        h.hash := ledger_hash(a."lastHash", h."userId", h."accountSeq", h."originAmount", h.amount, h."newAmount", h.direction,
          kind, h."bizOrderNo", h."desc", h."createTime");
        rows := array_append(rows, h);
        a."totalAmount" := h."newAmount";
        a."lastSeq" := h."accountSeq";
        a."lastHash" := h.hash;
        if id is null then
          id := h.id;
          "newAmount" := h."newAmount";
        end if;
      end if;
      if rest > 0 or kind = 'DEBT_REPAYMENT' then
        d."userId" := a."userId";
        d."debtSeq" := a."debtSeq" + 1;
        d.kind := case when rest > 0 then 'OWED' else 'REPAID' end;
        d."originDebt" := a.debt;
        d.amount := as_money(case when rest > 0 then rest else taken end);
        d."newDebt" := as_money(case when rest > 0 then a.debt + rest else a.debt - taken end);
        d."accountSeq" := h."accountSeq";
        d."changeType" := kind;
        d."bizOrderNo" := h."bizOrderNo";
        d."createTime" := h."createTime";
        d.hash := debt_hash(a."debtHash", d."userId", d."debtSeq", d.kind, d."originDebt", d.amount, d."newDebt", d."accountSeq",
          kind, d."bizOrderNo", d."createTime");
        debts := array_append(debts, d);
        a.debt := d."newDebt";
        a."debtSeq" := d."debtSeq";
        a."debtHash" := d.hash;
      end if;
      exit when a.debt = 0 or available = 0;
      -- Something became available while there is a debt.
      kind := 'DEBT_REPAYMENT';
      taken := least(a.debt, available);
      available := available - taken;
      rest := 0;
      h."bizOrderNo" := null;
      h."desc" := '偿还欠款';
    end loop;
    a."availableAmount" := as_money(available);
    a."freezeAmount" := as_money(frozen);
    accounts[slots[i]] := a;
    "totalAmount" := a."totalAmount";
    return next;
  end loop;
  insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo",
    "desc", "createTime", hash)
  overriding system value
  select r.id, r."userId", r."accountSeq", r."originAmount", r.amount, r."newAmount", r.direction, r."changeType", r."bizOrderNo",
    r."desc", r."createTime", r.hash
  from unnest(rows) as r;
  update account set "totalAmount" = n."totalAmount", "availableAmount" = n."availableAmount", "freezeAmount" = n."freezeAmount",
    "lastSeq" = n."lastSeq", "lastHash" = n."lastHash", debt = n.debt, "debtSeq" = n."debtSeq", "debtHash" = n."debtHash"
  from unnest(accounts) as n where account.id = n.id;
  if cardinality(debts) > 0 then
    insert into account_debt ("userId", "debtSeq", kind, "originDebt", amount, "newDebt", "accountSeq", "changeType", "bizOrderNo",
      "createTime", hash)
    select r."userId", r."debtSeq", r.kind, r."originDebt", r.amount, r."newDebt", r."accountSeq", r."changeType", r."bizOrderNo",
      r."createTime", r.hash
    from unnest(debts) as r;
  end if;
  -- A number that left only a debt the one time, and only a row the other, was used twice all the same.
  if array_position(sources, 'OWING') is not null then
    if exists (select from unnest(numbers, types, sources) as e (number, type, source)
        join account_history part on part."bizOrderNo" = e.number and part."changeType" = e.type
        join account_debt rest on rest."bizOrderNo" = e.number and rest."changeType" = e.type
      where e.source = 'OWING' and (rest."userId" <> part."userId" or rest."accountSeq" is distinct from part."accountSeq")) then
      raise exception 'an order number was used before' using errcode = 'unique_violation', constraint = 'account_history_biz';
    end if;
  end if;
end $$;

-- A slip on its way: what was asked for, what it goes by, and what stands in its way.
create type placing_slip as (place integer, problem text, detail text, id bigint, number text, "userId" bigint, "gameId" bigint, phase text,
  "planId" bigint, draws timestamptz, closes timestamptz, stake numeric, accept text, content bytea, agent bigint,
  "testAccount" boolean, "desc" text);

-- Whoever knows the day already need not have it looked for row by row.
drop trigger slip_day_set on slip;
create trigger slip_day_set before insert on slip for each row when (new.day is null) execute function set_slip_day();

drop function place_slip(bigint, text, bigint, text, text, bytea, bigint, timestamptz, bigint[], bigint[], text[], integer[], numeric[],
  text[], numeric[], boolean, boolean);
drop function told_line(slip_line);

-- Places slips, each by itself, in one statement that is one transaction: of each its money moves and it is there, or nothing happened but
-- its problem. Lines name the slip that they are of by its place (`owners`). A problem is
-- KNOWN that very slip was placed before under its number ("slipId"), BUSY somebody holds what it needs, for whoever would not wait (`waiting`,
-- of a single slip), BE010 what the caller works by is no longer so, BE011 game off, BE012 betting off, BE013 the game takes no bets, BE014 no
-- such phase, BE015 not open yet, BE016 closed, BE017 not promised, BE018 no such player, BE019 frozen, BE020 excluded until (detail), BE021
-- the number stands for another slip, BE040 a limit that only test accounts may pass (`for_tests`), and what post_entries tells.
-- What is learnt only after the others' money moved is raised and undoes all: BE003 it took too long, BE016, and BE041 a limit that would be
-- exceeded (detail: take_limits). Counters of limits are taken where some are set (`limited`); test accounts stand in none.
-- Locks are taken in this order everywhere: slip, account, counters of limits. The check of the clock is the last thing that may wait
-- for nobody: its instant is the slips' createTime.
create function place_slips(users bigint[], numbers text[], games bigint[], phases text[], accepts text[], contents bytea[],
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
  select array_agg(row(w.place, w.problem, case w.problem when 'BE020' then substr(w.excluded::text, 1, 19) end,
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
  end if;
  return query
  select a.place, a.problem, a.detail, a.id, a.stake, l.ids, l.stakes, l.payouts from unnest(asked) as a left join (
    select "slipId", array_agg(id) as ids, array_agg(stake) as stakes, array_agg(payout) as payouts
    from unnest(line_ids, line_slips, line_stakes, line_payouts) as l (id, "slipId", stake, payout) group by "slipId") as l on l."slipId" = a.id
  order by a.place;
end $$;
