-- One function moves money, for whoever posts: an operator, an order, the players' site, a settlement. And what somebody could not
-- give back is a debt, which is paid first from whatever comes in.

drop function post_entries(jsonb);
drop function post_entry(bigint, text, numeric, text, text, boolean, timestamptz);

-- Without "strict" these are worked out inside the statement that calls them; nothing in gives nothing out all the same.
create or replace function as_money(value numeric) returns numeric language sql immutable parallel safe
  return round(value, least(4, greatest(2, min_scale(value))));
create or replace function ledger_direction("changeType" text) returns text language sql immutable parallel safe
  return case when "changeType" in ('WITHDRAW', 'BET', 'MANUAL_DEDUCTION', 'WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT')
    then 'OUT' else 'IN' end;
-- json_build_array is stable for the sake of types that are none of these; a function as immutable as it was would be called each time.
alter function ledger_hash stable;

-- What a player owes, and the end of the chain of their debts. As long as there is a debt nothing is available.
alter table account add column debt numeric not null default 0.00 check (debt >= 0),
  add column "debtSeq" bigint not null default 0, add column "debtHash" bytea not null default '',
  add constraint account_debt_first check (debt = 0 or "availableAmount" = 0);

-- Debts as they come and go, written by post_entries only, once and for all. "accountSeq" is the row of the ledger that belongs to
-- it: what could be taken where the rest is owed (null when nothing could), or what was paid back. No foreign key says so: checking one
-- takes a right to change the ledger, which nobody has; `npm run ledger:verify` does.
create table account_debt (
  id bigint generated always as identity primary key,
  "userId" bigint not null references account ("userId"),
  "debtSeq" bigint not null,
  kind text not null check (kind in ('OWED', 'REPAID')),
  "originDebt" numeric not null check ("originDebt" >= 0),
  amount numeric not null check (amount > 0),
  "newDebt" numeric not null check ("newDebt" >= 0),
  "accountSeq" bigint,
  "changeType" text not null check ("changeType" in ('WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT')),
  "bizOrderNo" text,
  "createTime" timestamptz not null,
  hash bytea not null,
  check ("newDebt" = case kind when 'OWED' then "originDebt" + amount else "originDebt" - amount end),
  check ((kind = 'REPAID') = ("changeType" = 'DEBT_REPAYMENT')),
  check (kind = 'REPAID' or "bizOrderNo" is not null),
  check (kind = 'OWED' or "accountSeq" is not null),
  constraint account_debt_seq unique ("userId", "debtSeq")
);
create unique index account_debt_biz on account_debt ("bizOrderNo", "changeType") where "bizOrderNo" is not null;
create trigger account_debt_append_only before update or delete or truncate on account_debt
  for each statement execute function refuse_change();
revoke update, delete, truncate on account_debt from public, current_user;

-- A debt's link in its chain, as ledger_hash makes the ledger's.
create function debt_hash(previous bytea, "userId" bigint, seq bigint, kind text, origin numeric, amount numeric, after numeric,
  "accountSeq" bigint, "changeType" text, "bizOrderNo" text, "time" timestamptz)
returns bytea language sql stable parallel safe
  return sha256(previous || convert_to(json_build_array("userId", seq, kind, origin::text, amount::text, after::text, "accountSeq",
    "changeType", "bizOrderNo", (extract(epoch from "time") * 1000000)::bigint)::text, 'UTF8'));

-- Moves money: any number of entries of any number of accounts, in the order given, with one insert into the ledger and one update
-- an account. Money in goes to what is available. Money out comes from there, or from what its source says: FROZEN, or OWING, which
-- takes what there is and leaves the rest as a debt. FREEZE and UNFREEZE move within an account and write no row. A debt is paid off
-- first from whatever becomes available. An order number and type that were posted before are an error (23505).
-- What became of each: its row in the ledger (none where nothing of the total moved), the total when all of it was done, what is owed
-- of it, and why it was refused.
-- What cannot be posted: MN001 not enough, MN002 no such user, MN003 too much, MN005 a debt stands in the way. It undoes everything,
-- or is passed over and told when entries stand alone. Accounts are locked in the order of users, so that nobody waits in a circle.
create function post_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[],
  sources text[] default null, times timestamptz[] default null, alone boolean default false)
returns table (place integer, id bigint, "userId" bigint, "originAmount" numeric, "newAmount" numeric, "totalAmount" numeric, owed numeric,
  problem text)
language plpgsql as $$
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

-- Entries of the players' site. One whose number and type were posted before is answered as it was posted then, within the same call
-- too; MN004 tells where its content was another. The others are posted, all or none.
create function post_foreign_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[])
returns table (place integer, id bigint, "userId" bigint, "originAmount" numeric, "newAmount" numeric, "totalAmount" numeric, owed numeric,
  problem text)
language plpgsql as $$
#variable_conflict use_column
declare
  fresh integer[];
begin
  -- Whoever sends the same at once waits here and then finds it posted.
  perform from account where "userId" = any (users) order by "userId" for no key update;
  select array_agg(place order by place) into fresh
  from (select distinct on (number, type) e.* from unnest(numbers, types) with ordinality as e (number, type, place)
    order by number, type, place) e
  where not exists (select from account_history h where h."bizOrderNo" = number and h."changeType" = type);
  perform post_entries(array_agg(users[i]), array_agg(types[i]), array_agg(amounts[i]), array_agg(numbers[i]), array_agg(descs[i]))
  from unnest(fresh) as i;
  return query
  select e.place::integer, h.id, h."userId", h."originAmount", h."newAmount", h."newAmount", 0.0,
    case when h."userId" <> e."userId" or h.amount <> e.amount or h."desc" is distinct from e."desc" then 'MN004' end
  from unnest(users, types, amounts, numbers, descs) with ordinality as e ("userId", type, amount, number, "desc", place)
    join account_history h on h."bizOrderNo" = e.number and h."changeType" = e.type
  order by e.place;
end $$;

