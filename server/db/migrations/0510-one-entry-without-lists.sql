-- A credit alone, as most come, was posted by the lists that many of them need: what takes lists apart and puts them together is made ready
-- anew in each transaction. One entry of the usual kind is posted without them. How much that came to is in decision 0510.

-- As in 0500-credits-made-ready-sooner.sql, but for an entry alone.
create or replace function post_held(held posting_account[], slots integer[], types text[], amounts numeric[], numbers text[],
  descs text[], sources text[], times timestamptz[], alone boolean)
returns posting_result[] language plpgsql as $$
declare
  results posting_result[];
  rows posting_row[];
  debts account_debt[];
  a posting_account;
  h posting_row;
  d account_debt;
  kind text;
  direction text;
  taken numeric;
  available numeric;
  frozen numeric;
  rest numeric;
  problem text;
  own posting_row;
  total numeric;
  moment timestamptz;
  chained bytea;
  of_row bigint;
begin
  if cardinality(slots) = 1 and cardinality(held) = 1 and sources[1] is null then
    a := held[1];
    kind := types[1];
    direction := ledger_direction(kind);
    taken := as_money(amounts[1]);
    available := a."availableAmount" + case direction when 'IN' then taken else -taken end;
    -- An account that is not there has no debt to compare, so that it goes on below as whatever else is not as usual.
    if a.debt = 0 and taken > 0 and available >= 0 and available + a."freezeAmount" < 1000000000000
        and kind not in ('FREEZE', 'UNFREEZE') then
      total := as_money(available + a."freezeAmount");
      moment := coalesce(times[1], now());
      chained := ledger_hash(a."lastHash", a."userId", a."lastSeq" + 1, a."totalAmount", taken, total, direction, kind, numbers[1], descs[1],
        moment);
      insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo",
        "desc", "createTime", hash)
      values (a."userId", a."lastSeq" + 1, a."totalAmount", taken, total, direction, kind, numbers[1], descs[1], moment, chained)
      returning id into of_row;
      update account set "totalAmount" = total, "availableAmount" = as_money(available), "lastSeq" = a."lastSeq" + 1, "lastHash" = chained
      where account.id = a.id;
      return array[row(of_row, a."userId", a."totalAmount", total, total, 0, null)::posting_result];
    end if;
  end if;
  for i in 1 .. coalesce(cardinality(slots), 0) loop
    a := held[slots[i]];
    kind := types[i];
    direction := ledger_direction(kind);
    taken := as_money(amounts[i]);
    rest := 0;
    if kind in ('FREEZE', 'UNFREEZE') or sources[i] is not null then
      available := a."availableAmount";
      frozen := a."freezeAmount";
      if kind = 'FREEZE' then
        available := available - taken;
        frozen := as_money(frozen + taken);
      elsif kind = 'UNFREEZE' then
        available := available + taken;
        frozen := as_money(frozen - taken);
      elsif direction = 'IN' then
        available := available + taken;
      elsif sources[i] = 'FROZEN' then
        frozen := as_money(frozen - taken);
      else
        rest := case when sources[i] = 'OWING' then greatest(taken - available, 0) else 0 end;
        taken := as_money(taken - rest);
        available := available - taken;
      end if;
    else
      available := a."availableAmount" + case direction when 'IN' then taken else -taken end;
      frozen := a."freezeAmount";
    end if;
    if a.id is null or available < 0 or frozen < 0 or available + frozen >= 1000000000000
        or a.debt > 0 and kind in ('FREEZE', 'WITHDRAW') then
      problem := case
        when a.id is null then 'MN002'
        when a.debt > 0 and kind in ('FREEZE', 'WITHDRAW') then 'MN005'
        when available < 0 or frozen < 0 then 'MN001'
        else 'MN003' end;
      if not alone then
        raise exception 'entry % of user % cannot be posted', i, a."userId" using errcode = problem;
      end if;
      results := array_append(results, row(null, a."userId", a."totalAmount", a."totalAmount", a."totalAmount", rest, problem)::posting_result);
      continue;
    end if;
    loop
      if kind in ('FREEZE', 'UNFREEZE') or taken = 0 then
        h := row(null, a."userId", null, a."totalAmount", null, a."totalAmount", null, kind, numbers[i], descs[i],
          coalesce(times[i], now()), null)::posting_row;
        a."availableAmount" := as_money(available);
        a."freezeAmount" := frozen;
      else
        -- What pays a debt off has no order number: one number may come in twice, as a payout and as a refund.
        h := row(nextval('account_history_id_seq'), a."userId", a."lastSeq" + 1, a."totalAmount", taken,
          as_money(a."totalAmount" + case direction when 'IN' then taken else -taken end), direction, kind,
          case when kind <> 'DEBT_REPAYMENT' then numbers[i] end,
          case when kind <> 'DEBT_REPAYMENT' then descs[i] else '偿还欠款' end, coalesce(times[i], now()),
          null)::posting_row;
        h.hash := ledger_hash(a."lastHash", h."userId", h."accountSeq", h."originAmount", h.amount, h."newAmount", h.direction,
          kind, h."bizOrderNo", h."desc", h."createTime");
        rows := array_append(rows, h);
        a := row(a.id, a."userId", h."newAmount", as_money(available), frozen, h."accountSeq", h.hash, a.debt, a."debtSeq",
          a."debtHash")::posting_account;
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
      own := h;
      kind := 'DEBT_REPAYMENT';
      direction := ledger_direction(kind);
      taken := as_money(least(a.debt, available));
      available := available - taken;
      rest := 0;
    end loop;
    held[slots[i]] := a;
    if kind <> types[i] then
      -- Its own row, not the one that paid a debt off.
      h := own;
    end if;
    results := array_append(results, row(h.id, a."userId", h."originAmount", h."newAmount", a."totalAmount", rest, null)::posting_result);
  end loop;
  insert into account_history (id, "userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType", "bizOrderNo",
    "desc", "createTime", hash)
  overriding system value
  select r.id, r."userId", r."accountSeq", r."originAmount", r.amount, r."newAmount", r.direction, r."changeType", r."bizOrderNo",
    r."desc", r."createTime", r.hash
  from unnest(rows) as r;
  if cardinality(held) = 1 then
    update account set "totalAmount" = a."totalAmount", "availableAmount" = a."availableAmount", "freezeAmount" = a."freezeAmount",
      "lastSeq" = a."lastSeq", "lastHash" = a."lastHash", debt = a.debt, "debtSeq" = a."debtSeq", "debtHash" = a."debtHash"
    where account.id = a.id;
  else
    update account set "totalAmount" = n."totalAmount", "availableAmount" = n."availableAmount", "freezeAmount" = n."freezeAmount",
      "lastSeq" = n."lastSeq", "lastHash" = n."lastHash", debt = n.debt, "debtSeq" = n."debtSeq", "debtHash" = n."debtHash"
    from unnest(held) as n where account.id = n.id;
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
  return results;
end $$;

-- As in 0500-credits-made-ready-sooner.sql, but for a move alone. All that it reads has an index; the parameters, which lie in one page, would be read one and all.
create or replace function move_by_hand(accounts bigint[], types text[], amounts numeric[], descs text[], remarked boolean[],
  operators bigint[], names text[], calls text[], summaries text[], inputs jsonb[], addresses text[], msgs text[], statuses integer[],
  keys text[], requests bytea[], answers bytea[], waiting boolean)
returns table (place integer, problem text, above numeric) language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
#variable_conflict use_column
declare
  held posting_account[];
  ids bigint[];
  slots integer[];
  able integer[];
  -- Those that are posted, by their place, and what became of them.
  ready integer[];
  posted posting_result[];
  written integer;
begin
  if waiting then
    held := array(select row(id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq",
        "debtHash")::posting_account from account where id = any (accounts) order by "userId" for no key update);
  else
    held := array(select row(id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq",
        "debtHash")::posting_account from account where id = any (accounts) order by "userId" for no key update skip locked);
  end if;
  -- A regular expression, which is made ready anew each time, costs as much here as locking the account.
  above := coalesce((select case when value not in ('', '.') and translate(value, '0123456789', '') in ('', '.')
      then nullif(value::numeric, 0) end
    from param_setting where key = 'account.remarkAbove'), 'Infinity');
  -- What is not as usual of a move alone goes on below.
  if cardinality(accounts) = 1 and cardinality(held) = 1 and (remarked[1] or amounts[1] <= above) then
    insert into idempotency_key ("operatorId", key, "requestHash", status, answer)
    select operators[1], keys[1], requests[1], statuses[1], answers[1] where keys[1] is not null
    on conflict ("operatorId", key) do nothing;
    if found or keys[1] is null then
      posted := post_held(held, array[1], types, amounts, null, descs, null, null, true);
      if (posted[1]).problem is null then
        insert into change_record ("operatorId", "userName", call, summary, "targetId", input, before, after, address, outcome, msg)
        values (operators[1], names[1], calls[1], summaries[1], accounts[1]::text, inputs[1],
          jsonb_build_object('totalAmount', (posted[1])."originAmount"::text),
          jsonb_build_object('totalAmount', (posted[1])."totalAmount"::text), addresses[1], 'SUCCESS', msgs[1]);
        place := 1;
        return next;
        return;
      end if;
      delete from idempotency_key k where k."operatorId" = operators[1] and k.key = keys[1];
    end if;
  end if;
  if cardinality(held) > 1 then
    ids := array(select id from unnest(held));
  else
    ids := array[(held[1]).id];
  end if;
  -- Those that may be posted once their key is theirs.
  for i in 1 .. cardinality(accounts) loop
    slots := array_append(slots, array_position(ids, accounts[i]));
    if slots[i] is not null and (remarked[i] or amounts[i] <= above) then
      able := array_append(able, i);
    end if;
  end loop;
  -- Twice under one key in here is once: the first. Keys are taken as they come: two batches would have to share two keys, in opposite order
  -- and for other accounts, to wait for each other; PostgreSQL then ends one of them, and each of its moves goes alone.
  loop
    insert into idempotency_key ("operatorId", key, "requestHash", status, answer)
    select operators[i], keys[i], requests[i], statuses[i], answers[i] from unnest(able) as i where keys[i] is not null
    on conflict ("operatorId", key) do nothing;
    get diagnostics written = row_count;
    exit when written = cardinality(accounts);
    -- A key of more than a day ago counts as never used.
    delete from idempotency_key k using unnest(able) as i
    where k."operatorId" = operators[i] and k.key = keys[i] and k."createTime" < now() - interval '24 hours';
    exit when not found;
  end loop;
  if written = cardinality(accounts) then
    ready := able;
    posted := post_held(held, slots, types, amounts, null, descs, null, null, true);
  else
    -- Of several under one key the first.
    ready := array(select i from unnest(able) as i
      where keys[i] is null or exists (select from idempotency_key k
          where k."operatorId" = operators[i] and k.key = keys[i] and k.xmin = pg_current_xact_id()::xid)
        and not exists (select from unnest(able) as j where j < i and operators[j] = operators[i] and keys[j] = keys[i])
      order by i);
    if cardinality(ready) > 0 then
      select post_held(held, array_agg(slots[i] order by i), array_agg(types[i] order by i), array_agg(amounts[i] order by i), null,
        array_agg(descs[i] order by i), null, null, true) into posted
      from unnest(ready) as i;
    end if;
  end if;
  insert into change_record ("operatorId", "userName", call, summary, "targetId", input, before, after, address, outcome, msg)
  select operators[i], names[i], calls[i], summaries[i], accounts[i]::text, inputs[i],
    jsonb_build_object('totalAmount', (posted[p])."originAmount"::text), jsonb_build_object('totalAmount', (posted[p])."totalAmount"::text),
    addresses[i], 'SUCCESS', msgs[i]
  from unnest(ready) with ordinality as r (i, p) where (posted[p]).problem is null;
  get diagnostics written = row_count;
  if written = cardinality(accounts) then
    for i in 1 .. written loop
      place := i;
      return next;
    end loop;
    return;
  end if;
  for i in 1 .. cardinality(accounts) loop
    place := i;
    if i = any (ready) then
      problem := (posted[array_position(ready, i)]).problem;
      if problem is not null and keys[i] is not null then
        delete from idempotency_key k where k."operatorId" = operators[i] and k.key = keys[i];
      end if;
    elsif slots[i] is null then
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
