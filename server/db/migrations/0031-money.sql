-- A sum of money as it stands on the wire: at most 4 decimals, at least 2. Stored so, it needs no dressing when read.
create function as_money(value numeric) returns numeric language sql immutable strict parallel safe
  return round(value, least(4, greatest(2, min_scale(value))));

create table player (
  id bigint generated always as identity primary key,
  username text,
  "realName" text,
  "nickName" text not null,
  "agentId" bigint,
  level integer not null default 0,
  phone text,
  "parentId" bigint references player,
  email text,
  "createTime" timestamptz not null default now()
);
create unique index player_username on player (lower(username)) where username is not null;
create index player_agent on player ("agentId", id) where "agentId" is not null;
create index player_parent on player ("parentId") where "parentId" is not null;
create index player_level on player (level, id);
create index player_time on player ("createTime");

-- An operator searches inside names and numbers. Without the extension these searches read the whole table.
do $$
begin
  create extension if not exists pg_trgm;
exception when others then
  raise notice 'pg_trgm is not available: %', sqlerrm;
end $$;
do $$
declare
  name text;
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    foreach name in array array['username', 'realName', 'nickName', 'phone', 'email'] loop
      execute format('create index %I on player using gin (%I gin_trgm_ops)', 'player_search_' || lower(name), name);
    end loop;
  end if;
end $$;

create trigger player_counted_insert after insert on player
  referencing new table as added for each statement execute function count_plain();
create trigger player_counted_delete after delete on player
  referencing old table as removed for each statement execute function count_plain();

-- A player's money, and the end of the chain of their ledger.
create table account (
  id bigint generated always as identity primary key,
  "userId" bigint not null unique references player,
  "totalAmount" numeric not null default 0.00,
  "availableAmount" numeric not null default 0.00 check ("availableAmount" >= 0),
  "freezeAmount" numeric not null default 0.00 check ("freezeAmount" >= 0),
  "lastSeq" bigint not null default 0,
  "lastHash" bytea not null default '',
  "createTime" timestamptz not null default now(),
  check ("totalAmount" = "availableAmount" + "freezeAmount"),
  constraint account_total_limit check ("totalAmount" < 1000000000000)
) with (fillfactor = 80);
create trigger account_counted_insert after insert on account
  referencing new table as added for each statement execute function count_plain();
create trigger account_counted_delete after delete on account
  referencing old table as removed for each statement execute function count_plain();

create function ledger_direction("changeType" text) returns text language sql immutable strict parallel safe
  return case when "changeType" in ('WITHDRAW', 'BET', 'MANUAL_DEDUCTION') then 'OUT' else 'IN' end;

-- The ledger. Rows are written by post_entry only, once and for all.
create table account_history (
  id bigint generated always as identity primary key,
  "userId" bigint not null references account ("userId"),
  "accountSeq" bigint not null,
  "originAmount" numeric not null,
  amount numeric not null check (amount > 0),
  "newAmount" numeric not null check ("newAmount" >= 0),
  direction text not null,
  "changeType" text not null check ("changeType" in ('RECHARGE', 'WITHDRAW', 'BET', 'WIN', 'RETURN', 'REBATE',
    'RECHARGE_GIVE', 'MANUAL_ADDITION', 'MANUAL_DEDUCTION', 'INVITE_REWARD')),
  "bizOrderNo" text,
  "desc" text,
  "createTime" timestamptz not null default now(),
  hash bytea not null,
  check (direction = ledger_direction("changeType")),
  check ("newAmount" = case direction when 'IN' then "originAmount" + amount else "originAmount" - amount end),
  constraint account_history_seq unique ("userId", "accountSeq")
);
-- A business order moves money of one kind once.
create unique index account_history_biz on account_history ("bizOrderNo", "changeType") where "bizOrderNo" is not null;
create index account_history_type on account_history ("changeType", id);
create index account_history_type_time on account_history ("changeType", "createTime");
create trigger account_history_append_only before update or delete or truncate on account_history
  for each statement execute function refuse_change();
revoke update, delete, truncate on account_history from public, current_user;

create function count_ledger() returns trigger language plpgsql as $$
begin
  insert into list_delta
  select 'account_history', "changeType", "createTime"::date, id >> 11, count(*) from added group by 2, 3, 4;
  return null;
end $$;
create trigger account_history_counted after insert on account_history
  referencing new table as added for each statement execute function count_ledger();

-- A row's link in the chain: SHA-256 over the link before and the row's content as a JSON array. Whoever can compute
-- SHA-256 can prove an account without this database: see scripts/ledger-verify.ts.
create function ledger_hash(previous bytea, "userId" bigint, seq bigint, origin numeric, amount numeric, after numeric,
  direction text, "changeType" text, "bizOrderNo" text, "desc" text, "time" timestamptz)
returns bytea language sql immutable parallel safe
  return sha256(previous || convert_to(json_build_array("userId", seq, origin::text, amount::text, after::text, direction,
    "changeType", "bizOrderNo", "desc", (extract(epoch from "time") * 1000000)::bigint)::text, 'UTF8'));

-- Moves money: locks the account, writes the ledger row, updates the account. Money in goes to what is available; money
-- out comes from there, or from what is frozen. Raises MN001 (not enough), MN002 (no such user), MN003 (too much).
create function post_entry(p_user bigint, p_type text, p_amount numeric, p_biz text, p_desc text,
  p_frozen boolean default false, p_time timestamptz default now())
returns account_history language plpgsql as $$
declare
  a account;
  h account_history;
  available numeric;
  frozen numeric;
begin
  select * into a from account where "userId" = p_user for no key update;
  if not found then
    raise exception 'no account of user %', p_user using errcode = 'MN002';
  end if;
  h."userId" := p_user;
  h."accountSeq" := a."lastSeq" + 1;
  h.direction := ledger_direction(p_type);
  h.amount := as_money(p_amount);
  available := a."availableAmount";
  frozen := a."freezeAmount";
  if h.direction = 'IN' then
    available := available + h.amount;
  elsif p_frozen then
    frozen := frozen - h.amount;
  else
    available := available - h.amount;
  end if;
  if available < 0 or frozen < 0 then
    raise exception 'not enough' using errcode = 'MN001';
  end if;
  h."originAmount" := a."totalAmount";
  h."newAmount" := as_money(available + frozen);
  if h."newAmount" >= 1000000000000 then
    raise exception 'too much' using errcode = 'MN003';
  end if;
  h.hash := ledger_hash(a."lastHash", p_user, h."accountSeq", h."originAmount", h.amount, h."newAmount", h.direction,
    p_type, p_biz, p_desc, p_time);
  insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType",
    "bizOrderNo", "desc", "createTime", hash)
  values (p_user, h."accountSeq", h."originAmount", h.amount, h."newAmount", h.direction, p_type, p_biz, p_desc, p_time,
    h.hash)
  returning * into h;
  update account set "totalAmount" = h."newAmount", "availableAmount" = as_money(available),
    "freezeAmount" = as_money(frozen), "lastSeq" = h."accountSeq", "lastHash" = h.hash
  where "userId" = p_user;
  return h;
end $$;

-- Posts all entries of a JSON array or none, in order; one whose order number and type were posted before answers what
-- was posted then. Accounts are locked in the order of their users first, so that batches never wait for each other in
-- a circle. `at` (for data of the past) defaults to now.
create function post_entries(entries jsonb) returns setof account_history language plpgsql as $$
declare
  e record;
  h account_history;
begin
  perform from account where "userId" in (select (x ->> 'userId')::bigint from jsonb_array_elements(entries) x)
    order by "userId" for no key update;
  for e in
    select x.* from jsonb_to_recordset(entries)
      as x ("userId" bigint, "changeType" text, amount numeric, "bizOrderNo" text, "desc" text, at timestamptz)
  loop
    select * into h from account_history where "bizOrderNo" = e."bizOrderNo" and "changeType" = e."changeType";
    if not found then
      h := post_entry(e."userId", e."changeType", e.amount, e."bizOrderNo", e."desc", false, coalesce(e.at, now()));
    end if;
    return next h;
  end loop;
end $$;

create table deposit (
  id bigint generated always as identity primary key,
  "userId" bigint not null references player,
  amount numeric not null check (amount > 0),
  "usdtAmount" numeric check ("usdtAmount" > 0),
  "bankOrderNo" text not null unique,
  "fromName" text,
  "fromAccountNo" text,
  type text not null check (type in ('BANK_TRANSFER', 'USDT_TRANSFER', 'THIRD_PARTY')),
  status text not null default 'PROCESSING' check (status in ('SUCCESS', 'FAIL', 'PROCESSING')),
  "createTime" timestamptz not null default now(),
  "successTime" timestamptz,
  reviewer text,
  "reviewTime" timestamptz,
  remark text,
  check ((status = 'PROCESSING') = ("reviewTime" is null)),
  check ((status = 'SUCCESS') = ("successTime" is not null))
) with (fillfactor = 90);

create table withdrawal (
  id bigint generated always as identity primary key,
  "userId" bigint not null references player,
  amount numeric not null check (amount > 0),
  "usdtAmount" numeric check ("usdtAmount" > 0),
  "bankOrderNo" text unique,
  "fromName" text,
  "fromAccountNo" text,
  type text check (type in ('BANK_TRANSFER', 'USDT_TRANSFER', 'THIRD_PARTY')),
  "receiveAccountNo" text not null,
  "receiveRealName" text,
  "receiveAlias" text,
  status text not null default 'PROCESSING' check (status in ('SUCCESS', 'FAIL', 'PROCESSING')),
  "createTime" timestamptz not null default now(),
  "successTime" timestamptz,
  reviewer text,
  "reviewTime" timestamptz,
  remark text,
  check ((status = 'PROCESSING') = ("reviewTime" is null)),
  check ((status = 'SUCCESS') = ("successTime" is not null))
) with (fillfactor = 90);

-- Orders are counted by status and type.
create function count_orders() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), "createTime"::date, id >> 11, count(*) from added group by 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), "createTime"::date, id >> 11, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

-- What left PROCESSING stays as it was decided.
create function refuse_second_decision() returns trigger language plpgsql as $$
begin
  raise exception 'order % has been decided', old.id using errcode = 'insufficient_privilege';
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['deposit', 'withdrawal'] loop
    execute format('create index %I on %I ("userId", id)', name || '_user', name);
    execute format('create index %I on %I (status, id)', name || '_status', name);
    execute format('create index %I on %I ("createTime", status, type)', name || '_time', name);
    execute format('create trigger %I after insert on %I referencing new table as added
      for each statement execute function count_orders()', name || '_counted_insert', name);
    execute format('create trigger %I after update on %I referencing old table as removed new table as added
      for each statement execute function count_orders()', name || '_counted_update', name);
    execute format('create trigger %I after delete on %I referencing old table as removed
      for each statement execute function count_orders()', name || '_counted_delete', name);
    execute format('create trigger %I before update on %I for each row when (old.status <> ''PROCESSING'')
      execute function refuse_second_decision()', name || '_decided_once', name);
  end loop;
end $$;

-- Counts everything anew: needed when the platform's zone, and with it what a day is, changes.
create function recount_lists() returns void language plpgsql as $$
begin
  lock table player, account, account_history, deposit, withdrawal in share mode;
  delete from list_delta;
  delete from list_count;
  insert into list_delta select 'player', '', "createTime"::date, id >> 11, count(*) from player group by 3, 4;
  insert into list_delta select 'account', '', "createTime"::date, id >> 11, count(*) from account group by 3, 4;
  insert into list_delta
  select 'account_history', "changeType", "createTime"::date, id >> 11, count(*) from account_history group by 2, 3, 4;
  insert into list_delta
  select 'deposit', status || ':' || type, "createTime"::date, id >> 11, count(*) from deposit group by 2, 3, 4;
  insert into list_delta
  select 'withdrawal', status || ':' || coalesce(type, ''), "createTime"::date, id >> 11, count(*) from withdrawal group by 2, 3, 4;
  perform fold_list_deltas();
end $$;
