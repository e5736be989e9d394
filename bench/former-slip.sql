-- The slip that new figures are compared with: the functions of before slips were gathered, one statement a slip. Kept here only to be measured
-- against.
create or replace function former_slip_line(l slip_line) returns jsonb language sql stable
  return jsonb_build_object('id', (l).id, 'units', (l).units, 'stake', ((l).stake)::text, 'odds', (l).odds, 'maxPayout', ((l)."maxPayout")::text);

create or replace function former_slip_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[], sources text[] default null::text[], times timestamptz[] default null::timestamptz[], alone boolean default false) returns table(place integer, id bigint, "userId" bigint, "originAmount" numeric, "newAmount" numeric, "totalAmount" numeric, owed numeric, problem text) language plpgsql set plan_cache_mode=force_generic_plan as $$
#variable_conflict use_column
declare
  accounts account[];
  slots integer[];
  rows account_history[] := '{}';
  debts account_debt[] := '{}';
  a account;
  h account_history;
  d account_debt;
  kind text;
  taken numeric;
  available numeric;
  frozen numeric;
  rest numeric;
begin
  select array_agg(l.one) into accounts
  from (select one from account as one where "userId" = any (users) order by "userId" for no key update) as l;
  if cardinality(users) = 1 then
    slots := array[1];
  else
    -- The accounts lie in the order of users, so an entry's is found by its rank; no join, whose plan would be a guess.
    select array_agg(r.slot order by r.place) into slots
    from (select place, dense_rank() over (order by "userId") as slot from unnest(users) with ordinality as u ("userId", place)) as r;
    if cardinality(accounts) < (select max(slot) from unnest(slots) as slot) then
      -- Some users do not exist: their places are held by nothing.
      select array_agg(one order by u."userId") into accounts
      from (select distinct "userId" from unnest(users) as "userId") as u left join account as one using ("userId");
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

create or replace function former_slip(of_user bigint, of_biz text, of_game bigint, of_phase text, accept text, content bytea, catalogue bigint, draw_time timestamptz, play_ways bigint[], rules bigint[], selections text[], counts integer[], unit_stakes numeric[], line_odds text[], max_payouts numeric[], limited boolean default false, needs_test boolean default false) returns table("slipId" bigint, stake numeric, lines jsonb) language plpgsql set plan_cache_mode=force_generic_plan as $$
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
      (select jsonb_agg(former_slip_line(l) order by l.id) from slip_line l where l."slipId" = known.id);
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
  perform former_slip_entries(array[of_user], array['BET'], array[whole], array['B' || slip_id],
    array[ground.name || ' 第 ' || of_phase || ' 期']);
  with made as (
    insert into slip_line ("slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout")
    select slip_id, l.play_way, l.rule, l.selection, l.units, as_money(l.unit_stake), as_money(l.units * l.unit_stake), l.odds::jsonb,
      as_money(l.max_payout)
    from unnest(play_ways, rules, selections, counts, unit_stakes, line_odds, max_payouts) with ordinality
      as l (play_way, rule, selection, units, unit_stake, odds, max_payout, place)
    order by l.place
    returning slip_line)
  select jsonb_agg(former_slip_line(made.slip_line) order by (made.slip_line).id) into told from made;
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
