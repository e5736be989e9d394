drop function post_entries(bigint[], text[], numeric[], text[], text[], text[], timestamptz[], boolean, boolean);

-- What it does is said in 0161-posting-with-debts.sql and 0276-slips-together.sql. `held`: the accounts of all these users, each once and in
-- the order of users, whom the caller has locked and read in this transaction; they are not looked up again.
create function post_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[],
  sources text[] default null, times timestamptz[] default null, alone boolean default false, passing boolean default false,
  held posting_account[] default null)
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
  if held is not null then
    accounts := held;
  elsif passing then
    select array_agg(one::posting_account) into accounts
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where "userId" = any (users) order by "userId" for no key update skip locked) as one;
  else
    select array_agg(one::posting_account) into accounts
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where "userId" = any (users) order by "userId" for no key update) as one;
  end if;
  if cardinality(users) = 1 then
    slots := array[1];
  else
    -- The accounts lie in the order of users, so an entry's is found by its rank; no join, whose plan would be a guess.
    select array_agg(r.slot order by r.place) into slots
    from (select place, dense_rank() over (order by "userId") as slot from unnest(users) with ordinality as u ("userId", place)) as r;
    if coalesce(cardinality(accounts), 0) < (select max(slot) from unnest(slots) as slot) then
      -- Some users have no account, or one that somebody else holds: their places are held by nothing.
      select array_agg(one order by u."userId") into accounts
      from (select distinct "userId" from unnest(users) as "userId") as u left join unnest(accounts) as one using ("userId");
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
  if cardinality(accounts) = 1 then
    update account set "totalAmount" = a."totalAmount", "availableAmount" = a."availableAmount", "freezeAmount" = a."freezeAmount",
      "lastSeq" = a."lastSeq", "lastHash" = a."lastHash", debt = a.debt, "debtSeq" = a."debtSeq", "debtHash" = a."debtHash"
    where account.id = a.id;
  else
    update account set "totalAmount" = n."totalAmount", "availableAmount" = n."availableAmount", "freezeAmount" = n."freezeAmount",
      "lastSeq" = n."lastSeq", "lastHash" = n."lastHash", debt = n.debt, "debtSeq" = n."debtSeq", "debtHash" = n."debtHash"
    from unnest(accounts) as n where account.id = n.id;
  end if;
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

-- Money moved by hand, each thing known of the moves in an array of its own: they were read from JSON five times over, which cost one move
-- more than posting it. What it does is said in 0162-moves-by-hand.sql.
drop function move_by_hand(jsonb, boolean);
create function move_by_hand(accounts bigint[], types text[], amounts numeric[], descs text[], remarked boolean[], operators bigint[],
  names text[], calls text[], summaries text[], inputs jsonb[], addresses text[], msgs text[], statuses integer[], keys text[],
  requests bytea[], answers bytea[], waiting boolean)
returns table (place integer, problem text, above numeric) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  held posting_account[];
  ids bigint[];
  owners bigint[];
  users bigint[] := '{}';
  able integer[] := '{}';
  known text[] := '{}';
  kept integer;
  ready integer[];
  problems text[];
  before numeric[];
  after numeric[];
  slot integer;
begin
  if waiting then
    select array_agg(one::posting_account), array_agg(id), array_agg("userId") into held, ids, owners
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where id = any (accounts) order by "userId" for no key update) as one;
  else
    select array_agg(one::posting_account), array_agg(id), array_agg("userId") into held, ids, owners
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where id = any (accounts) order by "userId" for no key update skip locked) as one;
  end if;
  select value::numeric into above from param_setting where key = 'account.remarkAbove' and value ~ '^[0-9]{1,12}([.][0-9]{1,4})?$';
  above := coalesce(nullif(above, 0), 'Infinity');
  -- Those that may be posted once their key is theirs; of several under one key the first.
  for i in 1 .. cardinality(accounts) loop
    slot := array_position(ids, accounts[i]);
    users := array_append(users, owners[slot]);
    if slot is not null and (remarked[i] or amounts[i] <= above) then
      if keys[i] is null then
        able := array_append(able, i);
      elsif array_position(known, operators[i] || ' ' || keys[i]) is null then
        known := array_append(known, operators[i] || ' ' || keys[i]);
        able := array_append(able, i);
      end if;
    end if;
  end loop;
  ready := able;
  if cardinality(known) > 0 then
    insert into idempotency_key ("operatorId", key, "requestHash", status, answer)
    select operators[i], keys[i], requests[i], statuses[i], answers[i] from unnest(able) as i where keys[i] is not null
    order by operators[i], keys[i]
    on conflict ("operatorId", key) do update
      set "requestHash" = excluded."requestHash", status = excluded.status, answer = excluded.answer, "createTime" = now()
      where idempotency_key."createTime" < now() - interval '24 hours';
    get diagnostics kept = row_count;
    if kept < cardinality(known) then
      ready := array(select i from unnest(able) as i where keys[i] is null or exists (select from idempotency_key k
        where k."operatorId" = operators[i] and k.key = keys[i] and k.xmin = pg_current_xact_id()::xid) order by i);
    end if;
  end if;
  if cardinality(ready) = cardinality(accounts) then
    select array_agg(p.problem), array_agg(p."originAmount"), array_agg(p."totalAmount") into problems, before, after
    from post_entries(users, types, amounts, null, descs, alone => true, held => held) as p;
  elsif cardinality(ready) > 0 then
    select array_agg(p.problem), array_agg(p."originAmount"), array_agg(p."totalAmount") into problems, before, after
    from (select array_agg(users[i] order by i) as users, array_agg(types[i] order by i) as types, array_agg(amounts[i] order by i) as amounts,
        array_agg(descs[i] order by i) as descs from unnest(ready) as i) as e,
      lateral post_entries(e.users, e.types, e.amounts, null, e.descs, alone => true) as p;
  end if;
  insert into change_record ("operatorId", "userName", call, summary, "targetId", input, before, after, address, outcome, msg)
  select operators[i], names[i], calls[i], summaries[i], accounts[i]::text, inputs[i], jsonb_build_object('totalAmount', before[p]::text),
    jsonb_build_object('totalAmount', after[p]::text), addresses[i], 'SUCCESS', msgs[i]
  from unnest(ready) with ordinality as r (i, p) where problems[p] is null;
  for i in 1 .. cardinality(accounts) loop
    place := i;
    slot := array_position(ready, i);
    if slot is not null then
      problem := problems[slot];
      if problem is not null and keys[i] is not null then
        delete from idempotency_key k where k."operatorId" = operators[i] and k.key = keys[i];
      end if;
    elsif users[i] is null then
      problem := 'MN002';
      if not waiting and exists (select from account where id = accounts[i]) then
        problem := 'BUSY';
      end if;
    elsif not remarked[i] and amounts[i] > above then
      problem := 'MN006';
    elsif exists (select from idempotency_key k where k."operatorId" = operators[i] and k.key = keys[i]) then
      problem := 'KEPT';
    else
      problem := 'BUSY';
    end if;
    return next;
  end loop;
end $$;
