-- The schema as all migrations leave it, to be read instead of them. Made by `npm run schema`, never by hand.

create extension pg_trgm;
-- Functions may name tables that come after them.
set check_function_bodies = off;

create type posting_account as (
  id bigint,
  "userId" bigint,
  "totalAmount" numeric,
  "availableAmount" numeric,
  "freezeAmount" numeric,
  "lastSeq" bigint,
  "lastHash" bytea,
  debt numeric,
  "debtSeq" bigint,
  "debtHash" bytea
);

create type posting_row as (
  id bigint,
  "userId" bigint,
  "accountSeq" bigint,
  "originAmount" numeric,
  amount numeric,
  "newAmount" numeric,
  direction text,
  "changeType" text,
  "bizOrderNo" text,
  "desc" text,
  "createTime" timestamptz,
  hash bytea
);

create type placing_slip as (
  place integer,
  problem text,
  detail text,
  id bigint,
  number text,
  "userId" bigint,
  "gameId" bigint,
  phase text,
  "planId" bigint,
  draws timestamptz,
  closes timestamptz,
  stake numeric,
  accept text,
  content bytea,
  agent bigint,
  "testAccount" boolean,
  "desc" text
);

create type limit_take as (
  kind text,
  scope text,
  owner bigint,
  number text,
  amount numeric,
  "isFloored" boolean
);

create type limit_count as (
  "gameId" bigint,
  phase text,
  first bigint,
  mark bigint,
  takes limit_take[]
);

create type posting_result as (
  id bigint,
  "userId" bigint,
  "originAmount" numeric,
  "newAmount" numeric,
  "totalAmount" numeric,
  owed numeric,
  problem text
);

create table schema_migration (
  name text primary key,
  checksum text not null,
  "applyTime" timestamptz not null default now()
);

-- Grows the version of a row that changed. Its arguments name the columns that do not count.
create function grow_version() returns trigger language plpgsql as $$
declare
  uncounted constant text[] := tg_argv[0:] || array['version', 'editDate'];
begin
  new.version := old.version + (to_jsonb(new) - uncounted is distinct from to_jsonb(old) - uncounted)::int;
  return new;
end $$;

create table operator (
  id bigint generated always as identity primary key,
  "userName" text not null,
  "userNo" text generated always as (lpad((10000 + id)::text, 5, '0')) stored,
  "passwordHash" text not null,
  "googleSecret" bytea,
  "googleSteps" bigint[] not null default '{}'::bigint[],
  "createDate" timestamptz not null default now(),
  "editDate" timestamptz not null default now(),
  "checkedHash" text,
  version integer not null default 1,
  disabled boolean not null default false,
  "passwordTemporary" boolean not null default false,
  "lastLoginTime" timestamptz,
  "lastLoginAddress" text,
  email text
);
create unique index operator_user_name on operator (lower("userName"));
create trigger operator_version before update on operator
  for each row
  execute function grow_version('passwordHash', 'checkedHash', 'googleSecret', 'googleSteps', 'userNo', 'lastLoginTime', 'lastLoginAddress');

create table role (
  id bigint generated always as identity primary key,
  "desc" text not null,
  name text not null unique,
  "createDate" timestamptz not null default now(),
  "editDate" timestamptz not null default now(),
  version integer not null default 1
);
create trigger role_version before update on role for each row execute function grow_version();

create table menu (
  id bigint generated always as identity primary key,
  title text not null,
  type text not null check (type in ('FOLDER', 'MENU', 'BTN')),
  "iconClass" text,
  path text,
  "urlExpression" text,
  index integer not null default 0,
  "parentId" bigint references menu,
  "createDate" timestamptz not null default now(),
  "editDate" timestamptz not null default now(),
  version integer not null default 1
);
create unique index menu_path on menu (path) where path is not null;
create index menu_parent on menu ("parentId");
create trigger menu_version before update on menu for each row execute function grow_version();

create table operator_role (
  "operatorId" bigint not null references operator on delete cascade,
  "roleId" bigint not null references role on delete cascade,
  primary key ("operatorId", "roleId")
);
create index operator_role_role on operator_role ("roleId");

create table role_menu (
  "roleId" bigint not null references role on delete cascade,
  "menuId" bigint not null references menu on delete cascade,
  primary key ("roleId", "menuId")
);
create index role_menu_menu on role_menu ("menuId");

create table access_epoch (
  singleton boolean default true primary key check (singleton),
  epoch bigint not null default 0
);

-- Puts back the orders that a session had taken when it ends, except those that are being decided at this moment.
create function put_back_taken() returns trigger language plpgsql as $$
begin
  update deposit set "takenBy" = null, "takenIn" = null, "takenUntil" = null where id in (
    select id from deposit where "takenBy" = old."operatorId" and "takenIn" = old.id for no key update skip locked);
  update withdrawal set "takenBy" = null, "takenIn" = null, "takenUntil" = null where id in (
    select id from withdrawal where "takenBy" = old."operatorId" and "takenIn" = old.id for no key update skip locked);
  return null;
end $$;

create table session (
  id uuid primary key,
  "operatorId" bigint not null references operator on delete cascade,
  address text not null,
  "createTime" timestamptz not null default now(),
  "revokeTime" timestamptz,
  agent text not null default '',
  "stepUpTime" timestamptz,
  "trialRoleId" bigint references role on delete set null,
  "trialUntil" timestamptz
);
create index session_operator on session ("operatorId");
create index session_trial on session ("trialRoleId") where "trialRoleId" is not null;
create trigger session_over after update of "revokeTime" on session
  for each row when (old."revokeTime" is null and new."revokeTime" is not null) execute function put_back_taken();
create trigger session_gone after delete on session for each row execute function put_back_taken();

create table access_token (
  hash bytea primary key,
  "sessionId" uuid not null references session on delete cascade,
  "expireTime" timestamptz not null
);
create index access_token_expiry on access_token ("expireTime");
create index access_token_session on access_token ("sessionId");

create table refresh_token (
  hash bytea primary key,
  "sessionId" uuid not null references session on delete cascade,
  "expireTime" timestamptz not null,
  "spendTime" timestamptz
);
create index refresh_token_expiry on refresh_token ("expireTime");
create index refresh_token_session on refresh_token ("sessionId");

create table sign_in_failure (
  kind text not null check (kind in ('account', 'address', 'password', 'code')),
  subject text not null,
  count integer not null,
  "blockedUntil" timestamptz,
  "updateTime" timestamptz not null default now(),
  address text,
  primary key (kind, subject)
);
create index sign_in_failure_age on sign_in_failure ("updateTime");

-- Counts the rows of a list by their outcome.
create function count_by_outcome() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_delta select tg_table_name::text, outcome, time_block("createTime"), id >> 9, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta select tg_table_name::text, outcome, time_block("createTime"), id >> 9, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

-- Makes a table append-only: its rows are neither changed nor deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the table is append-only', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;

-- Change records are not deleted before their time, by nobody.
create function refuse_early_deletion() returns trigger language plpgsql as $$
begin
  if exists (select from removed where "createTime" >= change_records_kept_since()) then
    raise exception 'DELETE on % is refused: the table is append-only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

create table change_record (
  id bigint generated always as identity primary key,
  "createTime" timestamptz not null default now(),
  "operatorId" bigint,
  "userName" text not null,
  call text not null,
  summary text not null,
  "targetId" text,
  input jsonb not null,
  before jsonb,
  after jsonb,
  address text not null,
  outcome text not null check (outcome in ('SUCCESS', 'PREPARED', 'REFUSED', 'DENIED', 'FAULT')),
  msg text
) with (vacuum_truncate = off);
create index change_record_time on change_record ("createTime");
create index change_record_operator on change_record ("operatorId", id);
create index change_record_user_name on change_record (lower("userName"), id desc);
create index change_record_target on change_record ("targetId", id desc);
create index change_record_outcome on change_record (outcome, id desc) where outcome <> 'SUCCESS';
create index change_record_note on change_record ((coalesce(after, before) ->> 'userId'), id desc)
  where call in ('addUserNote', 'updateUserNote', 'pinUserNote', 'deleteUserNote');
create index change_record_call on change_record (call, summary, id);
create trigger change_record_append_only before update or truncate on change_record
  for each statement execute function refuse_change();
create trigger change_record_kept after delete on change_record
  referencing old table as removed for each statement execute function refuse_early_deletion();
create trigger change_record_counted_insert after insert on change_record
  referencing new table as added for each statement execute function count_by_outcome();
create trigger change_record_counted_delete after delete on change_record
  referencing old table as removed for each statement execute function count_by_outcome();
revoke delete, truncate, update on change_record from public, current_user;

create table idempotency_key (
  "operatorId" bigint not null,
  key text not null,
  "requestHash" bytea not null,
  status integer,
  answer bytea,
  "createTime" timestamptz not null default now(),
  claim uuid,
  primary key ("operatorId", key)
) with (vacuum_truncate = off);
create index idempotency_key_age on idempotency_key ("createTime");

create table seed_row (
  key text primary key,
  value text not null
);

create table game_category (
  id bigint generated always as identity primary key,
  name text not null unique,
  "iconClass" text,
  index integer not null default 0,
  version integer not null default 1
);
create index game_category_order on game_category (index, id);
create trigger game_category_version before update on game_category for each row execute function grow_version();

-- Begins the catalogue version of a new game.
create function add_catalogue() returns trigger language plpgsql as $$
begin
  insert into game_catalogue ("gameId") values (new.id) on conflict do nothing;
  return null;
end $$;

-- Grows the catalogue version of a game that changed itself.
create function grow_own_catalogue() returns trigger language plpgsql as $$
begin
  update game_catalogue c set version = c.version + 1 where c."gameId" = new.id;
  return null;
end $$;

-- Remembers the stopBetSecond that held until a change, for phases whose betting had begun.
create function keep_former_stop() returns trigger language plpgsql as $$
begin
  insert into former_stop values (old.id, clock_timestamp(), old."stopBetSecond") on conflict do nothing;
  return null;
end $$;

create table game (
  id bigint generated always as identity primary key,
  name text not null unique,
  "categoryId" bigint not null references game_category,
  phase text not null check (phase ~ '^[0-9]{1,20}$'),
  "phaseTime" timestamptz not null default now(),
  "phaseRule" text not null default 'RUNNING' check ("phaseRule" in ('RUNNING', 'DAILY', 'YEARLY')),
  "openRate" integer not null check ("openRate" >= 1),
  "stopBetSecond" integer not null,
  introduce text,
  status boolean not null default false,
  "betStatus" boolean not null default false,
  version integer not null default 1,
  "resultRule" jsonb,
  "agreeSources" integer not null default 1 check ("agreeSources" between 1 and 20),
  check ("stopBetSecond" >= 0 and "stopBetSecond" < "openRate")
);
create index game_category_id on game ("categoryId", id desc);
create trigger game_version before update on game for each row execute function grow_version();
create trigger game_catalogued after insert on game for each row execute function add_catalogue();
create trigger game_catalogued_rule after update on game
  for each row when (old."resultRule" is distinct from new."resultRule") execute function grow_own_catalogue();
create constraint trigger game_former_stop after update on game deferrable initially deferred
  for each row when (old."stopBetSecond" <> new."stopBetSecond" and old."stopBetSecond" >= 2)
  execute function keep_former_stop();

create table bet_time_range (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  start time(0) not null,
  "end" time(0) not null,
  "openRate" integer check ("openRate" >= 1),
  weekdays smallint[] check (weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[] and cardinality(weekdays) between 1 and 6)
);
create index bet_time_range_game on bet_time_range ("gameId", start);

-- Grows the catalogue version of the games whose betting rules changed: servers then read them anew.
create function grow_catalogue() returns trigger language plpgsql as $$
declare
  games bigint[];
begin
  if tg_table_name = 'odds' then
    if tg_op = 'INSERT' then
      games := array(select distinct p."gameId" from added a join play_way p on p.id = a."playWayId");
    else
      games := array(select distinct p."gameId" from removed r join play_way p on p.id = r."playWayId");
    end if;
  elsif tg_op = 'INSERT' then
    games := array(select distinct a."gameId" from added a);
  else
    games := array(select distinct r."gameId" from removed r);
  end if;
  update game_catalogue c set version = c.version + 1 where c."gameId" = any (games);
  return null;
end $$;

create table game_number (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  number text not null,
  "desc" text,
  version integer not null default 1,
  unique ("gameId", number)
);
create index game_number_game on game_number ("gameId", id);
create trigger game_number_version before update on game_number for each row execute function grow_version();
create trigger game_number_catalogued after update on game_number
  referencing old table as removed for each statement execute function grow_catalogue();

create table bet_latitude (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  name text not null,
  "resultIndex" text not null,
  "resultHandlerName" text not null,
  "handlerOptions" text,
  version integer not null default 1,
  unique ("gameId", name)
);
create index bet_latitude_game on bet_latitude ("gameId", id);
create trigger bet_latitude_version before update on bet_latitude for each row execute function grow_version();
create trigger bet_latitude_catalogued after update on bet_latitude
  referencing old table as removed for each statement execute function grow_catalogue();

create table play_way_category (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  "parentCategoryId" bigint references play_way_category,
  name text not null,
  "countOfRows" integer not null check ("countOfRows" between 1 and 100),
  "hideName" boolean not null default false,
  version integer not null default 1,
  unique nulls not distinct ("gameId", "parentCategoryId", name)
);
create index play_way_category_top on play_way_category (id desc) where "parentCategoryId" is null;
create index play_way_category_parent on play_way_category ("parentCategoryId");
create trigger play_way_category_version before update on play_way_category for each row execute function grow_version();
create trigger play_way_category_catalogued after update on play_way_category
  referencing old table as removed for each statement execute function grow_catalogue();

create table play_way (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  "subCategoryId" bigint not null references play_way_category,
  "betLatitudeId" bigint not null references bet_latitude,
  name text not null,
  "showRate" text,
  version integer not null default 1,
  selection jsonb,
  "oddsFrom" text not null default 'NUMBER' check ("oddsFrom" in ('NUMBER', 'OUTCOME', 'LOWEST')),
  outcomes jsonb not null default '[]'::jsonb,
  stopped boolean not null default false,
  unique ("subCategoryId", name)
);
create index play_way_game on play_way ("gameId", id desc);
create index play_way_latitude on play_way ("betLatitudeId");
create trigger play_way_version before update on play_way for each row execute function grow_version();
create trigger play_way_catalogued_insert after insert on play_way
  referencing new table as added for each statement execute function grow_catalogue();
create trigger play_way_catalogued_update after update on play_way
  referencing old table as removed for each statement execute function grow_catalogue();
create trigger play_way_catalogued_delete after delete on play_way
  referencing old table as removed for each statement execute function grow_catalogue();

create table odds (
  id bigint generated always as identity primary key,
  "playWayId" bigint not null references play_way on delete cascade,
  "numberId" bigint not null references game_number,
  odds numeric not null check (odds > 0),
  stopped boolean not null default false,
  version integer not null default 1,
  unique ("playWayId", "numberId")
);
create index odds_number on odds ("numberId");
create trigger odds_catalogued_insert after insert on odds
  referencing new table as added for each statement execute function grow_catalogue();
create trigger odds_catalogued_update after update on odds
  referencing old table as removed for each statement execute function grow_catalogue();
create trigger odds_catalogued_delete after delete on odds
  referencing old table as removed for each statement execute function grow_catalogue();
create trigger odds_version before update on odds for each row execute function grow_version();

-- Counts the rows of a list that is counted by time alone.
create function count_plain() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta select tg_table_name, '', time_block("createTime"), id >> 9, count(*) from added group by 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta select tg_table_name, '', time_block("createTime"), id >> 9, -count(*) from removed group by 3, 4;
  end if;
  return null;
end $$;

-- An exclusion can be prolonged, and not shortened, before it ends (PL001).
create function keep_exclusion() returns trigger language plpgsql as $$
begin
  raise exception 'player % is excluded until %', old.id, old."excludedUntil" using errcode = 'PL001';
end $$;

-- The characters of a text that are not ASCII, in small letters: by them a part of a Chinese name is found.
create function wide_letters(value text) returns text[] language sql immutable parallel safe
  return string_to_array(regexp_replace(lower(value), '[ -~]+', '', 'g'), null::text);

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
  "createTime" timestamptz not null default now(),
  "testAccount" boolean not null default false,
  frozen boolean not null default false,
  "freezeReason" text,
  "excludedUntil" timestamptz,
  version integer not null default 1,
  constraint player_freeze_reason check (frozen = ("freezeReason" is not null))
);
create unique index player_username on player (lower(username)) where username is not null;
create index player_agent on player ("agentId", id) where "agentId" is not null;
create index player_parent on player ("parentId") where "parentId" is not null;
create index player_level on player (level, id);
create index player_time on player ("createTime");
create index player_search_username on player using gin (username gin_trgm_ops);
create index player_search_realname on player using gin ("realName" gin_trgm_ops);
create index player_search_nickname on player using gin ("nickName" gin_trgm_ops);
create index player_search_phone on player using gin (phone gin_trgm_ops);
create index player_search_email on player using gin (email gin_trgm_ops);
create index player_frozen on player (id) where frozen;
create index player_test on player (id) where "testAccount";
create index player_letters_username on player using gin (wide_letters(username));
create index player_letters_realname on player using gin (wide_letters("realName"));
create index player_letters_nickname on player using gin (wide_letters("nickName"));
create trigger player_counted_insert after insert on player
  referencing new table as added for each statement execute function count_plain();
create trigger player_counted_delete after delete on player
  referencing old table as removed for each statement execute function count_plain();
create trigger player_version before update on player for each row execute function grow_version();
create trigger player_stays_excluded before update of "excludedUntil" on player
  for each row when (old."excludedUntil" > clock_timestamp() and (new."excludedUntil" is null or new."excludedUntil" < old."excludedUntil"))
  execute function keep_exclusion();

-- What holds of every account: the total is available and frozen money, neither below zero, and nothing is available while something is owed.
create function is_balance("totalAmount" numeric, "availableAmount" numeric, "freezeAmount" numeric, debt numeric) returns boolean language plpgsql immutable parallel safe as $$
begin
  return "totalAmount" = "availableAmount" + "freezeAmount" and "availableAmount" >= 0 and "freezeAmount" >= 0
    and "totalAmount" < 1000000000000 and (debt = 0 or debt > 0 and "availableAmount" = 0);
end $$;

create table account (
  id bigint generated always as identity primary key,
  "userId" bigint not null unique references player,
  "totalAmount" numeric not null default 0.00,
  "availableAmount" numeric not null default 0.00,
  "freezeAmount" numeric not null default 0.00,
  "lastSeq" bigint not null default 0,
  "lastHash" bytea not null default '\x'::bytea,
  "createTime" timestamptz not null default now(),
  debt numeric not null default 0.00,
  "debtSeq" bigint not null default 0,
  "debtHash" bytea not null default '\x'::bytea,
  constraint account_balance check (is_balance("totalAmount", "availableAmount", "freezeAmount", debt))
) with (fillfactor = 80);
create trigger account_counted_insert after insert on account
  referencing new table as added for each statement execute function count_plain();
create trigger account_counted_delete after delete on account
  referencing old table as removed for each statement execute function count_plain();

-- Counts ledger rows by their change type.
create function count_ledger() returns trigger language plpgsql as $$
begin
  insert into list_delta
  select text 'account_history', "changeType", time_block("createTime"), id >> 9, count(*) from added group by 2, 3, 4;
  return null;
end $$;

-- What holds of every ledger row: its change type fits its direction, and its new amount follows from the one before.
create function is_ledger_row(direction text, "changeType" text, "originAmount" numeric, amount numeric, "newAmount" numeric) returns boolean language plpgsql immutable parallel safe as $$
begin
  return amount > 0 and "newAmount" >= 0 and case direction
    when 'IN' then "newAmount" = "originAmount" + amount
      and "changeType" in ('RECHARGE', 'WIN', 'RETURN', 'REBATE', 'RECHARGE_GIVE', 'MANUAL_ADDITION', 'INVITE_REWARD', 'BET_REFUND')
    when 'OUT' then "newAmount" = "originAmount" - amount
      and "changeType" in ('WITHDRAW', 'BET', 'MANUAL_DEDUCTION', 'WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT')
    else false end;
end $$;

create table account_history (
  id bigint generated always as identity primary key,
  "userId" bigint not null references account("userId"),
  "accountSeq" bigint not null,
  "originAmount" numeric not null,
  amount numeric not null,
  "newAmount" numeric not null,
  direction text not null,
  "changeType" text not null,
  "bizOrderNo" text,
  "desc" text,
  "createTime" timestamptz not null default now(),
  hash bytea not null,
  constraint account_history_seq unique ("userId", "accountSeq"),
  constraint account_history_row check (is_ledger_row(direction, "changeType", "originAmount", amount, "newAmount"))
);
create unique index account_history_biz on account_history ("bizOrderNo", "changeType") where "bizOrderNo" is not null;
create index account_history_type on account_history ("changeType", id);
create index account_history_type_time on account_history ("changeType", "createTime") include (id);
create trigger account_history_append_only before delete or update or truncate on account_history
  for each statement execute function refuse_change();
create trigger account_history_counted after insert on account_history
  referencing new table as added for each statement execute function count_ledger();
revoke delete, truncate, update on account_history from public, current_user;

-- Counts orders by status and payment type.
create function count_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into list_delta
    select tg_table_name, key, "timeBlock", "idBlock", sum(n) from (
      select status || ':' || coalesce(type, '') as key, time_block("createTime") as "timeBlock", id >> 9 as "idBlock", 1 as n from added
      union all
      select status || ':' || coalesce(type, ''), time_block("createTime"), id >> 9, -1 from removed
    ) as moved group by 2, 3, 4 having sum(n) <> 0;
  elsif tg_op = 'INSERT' then
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), time_block("createTime"), id >> 9, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), time_block("createTime"), id >> 9, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

-- Appends what came or changed to `happening`, under the noun that the trigger names.
create function note_happening() returns trigger language plpgsql as $$
declare
  named jsonb := to_jsonb(new);
begin
  insert into happening (noun, "rowId", what, "userId", "gameId", status)
  values (tg_argv[0], (named->>'id')::bigint, case tg_op when 'INSERT' then 'ADDED' else 'CHANGED' end,
    (named->>'userId')::bigint, (named->>'gameId')::bigint, named->>'status');
  return null;
end $$;

-- Keeps a decided order as it was decided.
create function refuse_second_decision() returns trigger language plpgsql as $$
begin
  raise exception 'order % has been decided', old.id using errcode = 'insufficient_privilege';
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
  "takenBy" bigint references operator on delete set null,
  "takenIn" uuid,
  "takenUntil" timestamptz,
  check ((status = 'PROCESSING') = ("reviewTime" is null)),
  constraint deposit_check1 check ((status = 'SUCCESS') = ("successTime" is not null)),
  constraint deposit_taken check ("takenBy" is null or status = 'PROCESSING'),
  constraint deposit_taken_whole check ("takenBy" is null or "takenIn" is not null and "takenUntil" is not null)
) with (fillfactor = 90);
create index deposit_user on deposit ("userId", id);
create index deposit_status on deposit (status, id);
create index deposit_time on deposit ("createTime", status, type);
create index deposit_sums on deposit ("createTime") include (amount) where status = 'SUCCESS';
create index deposit_taken_by on deposit ("takenBy") where "takenBy" is not null;
create index deposit_amount on deposit (amount, id) include (status, type, "createTime");
create trigger deposit_counted_insert after insert on deposit
  referencing new table as added for each statement execute function count_orders();
create trigger deposit_counted_update after update on deposit
  referencing old table as removed new table as added for each statement execute function count_orders();
create trigger deposit_counted_delete after delete on deposit
  referencing old table as removed for each statement execute function count_orders();
create trigger deposit_decided_once before update on deposit
  for each row when (old.status <> 'PROCESSING') execute function refuse_second_decision();
create trigger deposit_told_added after insert on deposit for each row execute function note_happening('deposit');
create trigger deposit_told after update of status on deposit
  for each row when (old.status is distinct from new.status) execute function note_happening('deposit');
create trigger deposit_take_told after update of "takenBy" on deposit
  for each row when (old."takenBy" is distinct from new."takenBy" and old.status = new.status)
  execute function note_happening('deposit');

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
  "takenBy" bigint references operator on delete set null,
  "takenIn" uuid,
  "takenUntil" timestamptz,
  check ((status = 'PROCESSING') = ("reviewTime" is null)),
  constraint withdrawal_check1 check ((status = 'SUCCESS') = ("successTime" is not null)),
  constraint withdrawal_taken check ("takenBy" is null or status = 'PROCESSING'),
  constraint withdrawal_taken_whole check ("takenBy" is null or "takenIn" is not null and "takenUntil" is not null)
) with (fillfactor = 90);
create index withdrawal_user on withdrawal ("userId", id);
create index withdrawal_status on withdrawal (status, id);
create index withdrawal_time on withdrawal ("createTime", status, type);
create index withdrawal_sums on withdrawal ("createTime") include (amount) where status = 'SUCCESS';
create index withdrawal_taken_by on withdrawal ("takenBy") where "takenBy" is not null;
create index withdrawal_waiting on withdrawal ("userId", id) where status = 'PROCESSING';
create index withdrawal_amount on withdrawal (amount, id) include (status, type, "createTime");
create trigger withdrawal_counted_insert after insert on withdrawal
  referencing new table as added for each statement execute function count_orders();
create trigger withdrawal_counted_update after update on withdrawal
  referencing old table as removed new table as added for each statement execute function count_orders();
create trigger withdrawal_counted_delete after delete on withdrawal
  referencing old table as removed for each statement execute function count_orders();
create trigger withdrawal_decided_once before update on withdrawal
  for each row when (old.status <> 'PROCESSING') execute function refuse_second_decision();
create trigger withdrawal_told_added after insert on withdrawal
  for each row execute function note_happening('withdrawal');
create trigger withdrawal_told after update of status on withdrawal
  for each row when (old.status is distinct from new.status) execute function note_happening('withdrawal');
create trigger withdrawal_take_told after update of "takenBy" on withdrawal
  for each row when (old."takenBy" is distinct from new."takenBy" and old.status = new.status)
  execute function note_happening('withdrawal');

-- Marks rebates that are prepared but not released as out of date.
create function rebates_stale() returns trigger language plpgsql as $$
begin
  lock table rebate_ground in row exclusive mode;
  update rebate_run set stale = true where status = 'PREPARED' and not stale;
  return null;
end $$;

create table param_setting (
  id bigint generated always as identity primary key,
  title text not null,
  key text not null unique,
  value text not null,
  version integer not null default 1
);
create trigger param_setting_version before update on param_setting for each row execute function grow_version();
create trigger rebate_parameters_stale after update of value on param_setting
  for each row when (new.key ~~ 'rebate.%' or new.key ~~ 'invite.%') execute function rebates_stale();

create table news_category (
  id bigint generated always as identity primary key,
  name text not null unique,
  version integer not null default 1
);
create trigger news_category_version before update on news_category for each row execute function grow_version();

create table news (
  id bigint generated always as identity primary key,
  "categoryId" bigint not null references news_category,
  title text not null,
  content text not null,
  important boolean not null default false,
  "createTime" timestamptz not null default now(),
  version integer not null default 1
);
create index news_category_id on news ("categoryId", id desc);
create trigger news_version before update on news for each row execute function grow_version();

-- While there are mail configs, one of them is active.
create function demand_active_mail_config() returns trigger language plpgsql as $$
begin
  if exists (select from mail_config) and not exists (select from mail_config where active) then
    raise exception 'one mail config must be active' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create table mail_config (
  id bigint generated always as identity primary key,
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text,
  password bytea,
  "enableStarttls" boolean not null default false,
  active boolean not null default false,
  "registerTemplate" text,
  "loginTemplate" text,
  "addReceiveAccountTemplate" text,
  "changeLoginPasswordTemplate" text,
  "changeSecondPasswordTemplate" text,
  "withdrawTemplate" text,
  version integer not null default 1
);
create unique index mail_config_active on mail_config (active) where active;
create constraint trigger mail_config_one_active after insert or delete or update on mail_config deferrable initially deferred
  for each row execute function demand_active_mail_config();
create trigger mail_config_version before update on mail_config for each row execute function grow_version('password');

create table mail_outbox (
  id bigint generated always as identity primary key,
  template text not null,
  "to" text not null,
  content bytea,
  status text not null default 'PENDING' check (status in ('PENDING', 'SENDING', 'SENT', 'FAILED')),
  attempts integer not null default 0,
  "lastError" text,
  "createTime" timestamptz not null default now(),
  "nextTime" timestamptz default now(),
  "sentTime" timestamptz,
  constraint mail_outbox_content check (status <> 'SENT' or content is null)
);
create index mail_outbox_due on mail_outbox ("nextTime") where status in ('PENDING', 'SENDING');
create index mail_outbox_status on mail_outbox (status, id desc);
create index mail_outbox_to on mail_outbox (lower("to") text_pattern_ops);
create index mail_outbox_time on mail_outbox ("createTime", id);
create trigger mail_outbox_counted_insert after insert on mail_outbox
  referencing new table as added for each statement execute function count_plain();
create trigger mail_outbox_counted_delete after delete on mail_outbox
  referencing old table as removed for each statement execute function count_plain();

create table chat_session (
  id bigint generated always as identity primary key,
  "operatorId" bigint not null references operator on delete cascade,
  "userId" bigint not null references player,
  phone text,
  "clientId" text,
  "authState" text,
  detail text,
  "lastActivityTime" timestamptz,
  "databaseKey" bytea,
  running boolean not null default false,
  place uuid,
  holder uuid,
  "holderKey" bytea,
  "leaseTime" timestamptz,
  "createTime" timestamptz not null default now(),
  constraint chat_session_held check ((holder is null) = ("holderKey" is null))
);
create index chat_session_operator on chat_session ("operatorId", id);
create index chat_session_user on chat_session ("userId");
create index chat_session_holder on chat_session (holder) where holder is not null;
create index chat_session_place on chat_session (place) where running;

create unlogged table chat_command (
  id bigint generated always as identity primary key,
  "sessionId" bigint not null references chat_session on delete cascade,
  holder uuid not null,
  sealed bytea,
  answer jsonb,
  "createTime" timestamptz not null default now()
);
create index chat_command_holder on chat_command (holder, id);

-- Refuses a plan of a phase that has a result (DR001). Holds the game against records of phases without a plan.
create function check_new_plans() returns trigger language plpgsql as $$
declare
  drawn text;
begin
  perform demand_new_snapshots();
  perform from game where id in (select a."gameId" from added a) order by id for no key update;
  select a.phase into drawn from added a join draw_record r on r.phase = a.phase and r."gameId" = a."gameId" limit 1;
  if not found then
    select a.phase into drawn from added a join early_record e on e.phase = a.phase and e."gameId" = a."gameId" limit 1;
  end if;
  if found then
    raise exception 'phase % has a result already', drawn using errcode = 'DR001', detail = drawn;
  end if;
  return null;
end $$;

-- Counts plans by game and status.
create function count_draw_plans() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into list_delta
    select 'draw_plan', key, "timeBlock", "idBlock", sum(n) from (
      select "gameId" || '/' || status, time_block("startTime"), id >> 9, 1 from added
      union all select "gameId" || '/' || status, time_block("startTime"), id >> 9, -1 from removed
    ) as moved (key, "timeBlock", "idBlock", n) group by 1, 2, 3, 4 having sum(n) <> 0;
  elsif tg_op = 'INSERT' then
    insert into list_delta
    select 'draw_plan', "gameId" || '/' || status, time_block("startTime"), id >> 9, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta
    select 'draw_plan', "gameId" || '/' || status, time_block("startTime"), id >> 9, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

-- A plan with slips is not deleted (BE002), whoever bets on it at this moment.
create function keep_plans_with_slips() returns trigger language plpgsql as $$
declare
  kept text;
begin
  perform pg_advisory_xact_lock(betting_key(near."gameId", near.phase)) from (
    select r."gameId", r.phase from removed r
    where r."startTime" <= clock_timestamp() + interval '10 minutes' and r."endTime" >= clock_timestamp() - interval '10 seconds'
    order by r.id) as near;
  select r.phase into kept from removed r
  where exists (select from slip s where s."gameId" = r."gameId" and s.phase = r.phase) limit 1;
  if found then
    raise exception 'phase % has slips', kept using errcode = 'BE002', detail = kept;
  end if;
  return null;
end $$;

-- A plan with slips keeps its times (BE002).
create function keep_times_with_slips() returns trigger language plpgsql as $$
begin
  if exists (select from slip s where s."gameId" = old."gameId" and s.phase = old.phase) then
    raise exception 'phase % has slips', old.phase using errcode = 'BE002', detail = old.phase;
  end if;
  return new;
end $$;

-- Remembers phases whose betting began without a promise: they can no longer get one.
create function keep_unpromised_phases() returns trigger language plpgsql as $$
begin
  insert into unpromised_phase
  select r."gameId", r.phase from removed r
  where r.commitment is null and r."startTime" <= clock_timestamp()
    and not exists (select from local_game l where l."gameId" = r."gameId" and l.since <= r."startTime")
  on conflict do nothing;
  return null;
end $$;

-- The plan of a void phase neither changes nor goes (DR007).
create function keep_void_plan() returns trigger language plpgsql as $$
begin
  raise exception 'phase % is void', old.phase using errcode = 'DR007', detail = old.phase;
end $$;

-- A plan waits until its draw time (DR009).
create function refuse_early_opening() returns trigger language plpgsql as $$
begin
  raise exception 'phase % is not due yet', new.phase using errcode = 'DR009', detail = new.phase;
end $$;

-- A plan or record keeps its phase, and a plan whose betting is over never waits again (DR005).
create function refuse_reversal() returns trigger language plpgsql as $$
begin
  raise exception 'the phase of a row of %, or the end of its betting, is final', tg_table_name using errcode = 'DR005', detail = old.phase;
end $$;

create table draw_plan (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game,
  phase text not null,
  "startTime" timestamptz not null,
  "endTime" timestamptz not null,
  status text not null default 'WAITTING' check (status in ('WAITTING', 'OPENING', 'OPENED', 'VOID')),
  commitment text,
  "lateTime" timestamptz,
  "unawaitedReason" text,
  unique (phase, "gameId"),
  unique ("gameId", "startTime")
);
create index draw_plan_game on draw_plan ("gameId", id);
create index draw_plan_status on draw_plan (status, id);
create index draw_plan_start on draw_plan ("startTime");
create index draw_plan_waiting on draw_plan ("endTime") where status = 'WAITTING';
create index draw_plan_opening on draw_plan ("endTime") where status = 'OPENING';
create index draw_plan_uncommitted on draw_plan ("gameId", "startTime") where commitment is null and status <> 'OPENED';
create index draw_plan_end on draw_plan ("endTime", id);
create trigger draw_plan_counted_insert after insert on draw_plan
  referencing new table as added for each statement execute function count_draw_plans();
create trigger draw_plan_counted_update after update on draw_plan
  referencing old table as removed new table as added for each statement execute function count_draw_plans();
create trigger draw_plan_counted_delete after delete on draw_plan
  referencing old table as removed for each statement execute function count_draw_plans();
create trigger draw_plan_checked after insert on draw_plan
  referencing new table as added for each statement execute function check_new_plans();
create trigger draw_plan_final before update of phase, "gameId" on draw_plan
  for each row execute function refuse_reversal();
create trigger draw_plan_forward before update of status on draw_plan
  for each row when (new.status = 'WAITTING' and old.status <> 'WAITTING') execute function refuse_reversal();
create trigger draw_plan_stays_void before delete or update of status on draw_plan
  for each row when (old.status = 'VOID') execute function keep_void_plan();
create trigger draw_plan_unpromised after delete on draw_plan
  referencing old table as removed for each statement execute function keep_unpromised_phases();
create trigger draw_plan_due before update of status on draw_plan
  for each row when (old.status = 'WAITTING' and new.status <> 'WAITTING' and new."endTime" > clock_timestamp())
  execute function refuse_early_opening();
create trigger draw_plan_made_due before insert on draw_plan
  for each row when (new.status <> 'WAITTING' and new."endTime" > clock_timestamp())
  execute function refuse_early_opening();
create trigger draw_plan_with_slips after delete on draw_plan
  referencing old table as removed for each statement execute function keep_plans_with_slips();
create trigger draw_plan_times_with_slips before update of "startTime", "endTime" on draw_plan
  for each row when (old."startTime" <> new."startTime" or old."endTime" <> new."endTime")
  execute function keep_times_with_slips();
create trigger draw_plan_told after update of status, "lateTime", "unawaitedReason" on draw_plan
  for each row when (old.status is distinct from new.status or (old."lateTime" is null) is distinct from (new."lateTime" is null) or old."unawaitedReason" is distinct from new."unawaitedReason")
  execute function note_happening('drawPlan');

create table draw_plan_day (
  "gameId" bigint not null references game on delete cascade,
  day date not null,
  primary key ("gameId", day)
);

-- Refuses a record of a phase that still waits (DR002), or other than its promise has it (DR003). Holds the plan, or without one the game.
create function check_new_records() returns trigger language plpgsql as $$
declare
  unplanned bigint[];
  wrong record;
begin
  perform demand_new_snapshots();
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select array_agg(distinct a."gameId") into unplanned from added a
  where not exists (select from draw_plan p where p.phase = a.phase and p."gameId" = a."gameId");
  if unplanned is not null then
    perform from game where id = any (unplanned) order by id for share;
  end if;
  select a.phase, p.status, a.seed, c.phase is not null as promised into wrong
  from added a
    left join draw_plan p on p.phase = a.phase and p."gameId" = a."gameId"
    left join draw_commitment c on c.phase = a.phase and c."gameId" = a."gameId"
    left join early_record e on e.phase = a.phase and e."gameId" = a."gameId"
  where p.status = 'WAITTING' or (c.phase is not null) <> (a.seed is not null) or e.phase is not null and c.phase is null
  limit 1;
  if not found then
    return null;
  elsif wrong.status = 'WAITTING' then
    raise exception 'phase % can still be bet on', wrong.phase using errcode = 'DR002', detail = wrong.phase;
  else
    raise exception 'phase % takes what was promised for it, and nothing else', wrong.phase using errcode = 'DR003', detail = wrong.phase;
  end if;
end $$;

-- Counts records by game.
create function count_draw_records() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta
    select 'draw_record', "gameId"::text, time_block("openTime"), id >> 9, count(*) from added group by 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta
    select 'draw_record', "gameId"::text, time_block("openTime"), id >> 9, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

-- A void phase gets no result (DR007).
create function refuse_results_of_void_phases() returns trigger language plpgsql as $$
declare
  void text;
begin
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select a.phase into void from added a join draw_void v on v.phase = a.phase and v."gameId" = a."gameId" limit 1;
  if found then
    raise exception 'phase % is void', void using errcode = 'DR007', detail = void;
  end if;
  return null;
end $$;

-- A promised draw is not drawn without the public value that its promise names (DR012).
create function refuse_results_without_beacon() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select a.phase into wrong from added a join draw_commitment c on c."gameId" = a."gameId" and c.phase = a.phase
  where c.rules -> 'beacon' is not null
    and not exists (select from draw_beacon b where b."gameId" = a."gameId" and b.phase = a.phase)
  limit 1;
  if found then
    raise exception 'phase % waits for a public value', wrong using errcode = 'DR012', detail = wrong;
  end if;
  return null;
end $$;

-- Begins a correction when the result of a record changes; holds the settlements of its phase while sources disagree.
create function settle_changed_record() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(new."gameId", new.phase));
  if new.result <> old.result then
    if exists (select from settlement where "recordId" = new.id and kind = 'FIRST') then
      perform begin_settlement('CORRECTION', new);
    end if;
  elsif new.conflict then
    update settlement set status = 'HELD', stopped = true, problem = '开奖结果有冲突'
    where "gameId" = new."gameId" and phase = new.phase and status = 'RUNNING'
      and not (kind = 'VOID' and "playWayId" is null and "createTimeFrom" is null and "slipId" is null);
  else
    update settlement set status = 'RUNNING', stopped = false, problem = null
    where "gameId" = new."gameId" and phase = new.phase and stopped;
  end if;
  return null;
end $$;

-- Begins a settlement for each new record whose phase has slips, or bettors at this moment.
create function settle_new_records() returns trigger language plpgsql as $$
declare
  busy bigint[];
  r draw_record;
begin
  select coalesce(array_agg(classid::bigint << 32 | objid::bigint), '{}') into busy
  from pg_locks where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database());
  for r in
    select a.* from added a
    where betting_key(a."gameId", a.phase) = any (busy)
      or exists (select from slip s where s."gameId" = a."gameId" and s.phase = a.phase)
    order by a."gameId", a.phase
  loop
    perform begin_settlement('FIRST', r);
  end loop;
  return null;
end $$;

create table draw_record (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game,
  phase text not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null default now(),
  source text,
  conflict boolean not null default false,
  seed text,
  unique (phase, "gameId")
);
create index draw_record_game on draw_record ("gameId", id);
create index draw_record_open on draw_record ("openTime");
create index draw_record_game_open on draw_record ("gameId", "openTime");
create index draw_record_conflict on draw_record (id) where conflict;
create trigger draw_record_counted_insert after insert on draw_record
  referencing new table as added for each statement execute function count_draw_records();
create trigger draw_record_counted_update after update on draw_record
  referencing old table as removed new table as added for each statement execute function count_draw_records();
create trigger draw_record_counted_delete after delete on draw_record
  referencing old table as removed for each statement execute function count_draw_records();
create trigger draw_record_checked after insert on draw_record
  referencing new table as added for each statement execute function check_new_records();
create trigger draw_record_final before update of phase, "gameId" on draw_record
  for each row execute function refuse_reversal();
create trigger draw_record_not_void after insert on draw_record
  referencing new table as added for each statement execute function refuse_results_of_void_phases();
create trigger draw_record_with_beacon after insert on draw_record
  referencing new table as added for each statement execute function refuse_results_without_beacon();
create trigger draw_record_settled after insert on draw_record
  referencing new table as added for each statement execute function settle_new_records();
create trigger draw_record_corrected after update on draw_record
  for each row when (old.result <> new.result or old.conflict <> new.conflict) execute function settle_changed_record();
create trigger draw_record_told_added after insert on draw_record
  for each row execute function note_happening('drawRecord');
create trigger draw_record_told after update of conflict, result on draw_record
  for each row when (old.conflict is distinct from new.conflict or old.result is distinct from new.result)
  execute function note_happening('drawRecord');
create trigger draw_record_stays before delete or truncate on draw_record
  for each statement execute function refuse_change();
revoke delete, truncate on draw_record from public, current_user;

create table draw_claim (
  id bigint generated always as identity primary key,
  "recordId" bigint not null references draw_record,
  source text not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null default now(),
  unique ("recordId", source, result)
);

-- Notes by whose word a record stood before a correction.
create function note_old_source() returns trigger language plpgsql as $$
begin
  new."oldSource" := coalesce((select source from draw_record where id = new."recordId"), '');
  return new;
end $$;

create table draw_correction (
  id bigint generated always as identity primary key,
  "recordId" bigint not null,
  "operatorId" bigint not null,
  "userName" text not null,
  "oldResult" text not null,
  "newResult" text not null,
  reason text not null,
  "createTime" timestamptz not null default now(),
  "oldSource" text,
  "newSource" text
);
create index draw_correction_record on draw_correction ("recordId");
create trigger draw_correction_append_only before delete or update or truncate on draw_correction
  for each statement execute function refuse_change();
create trigger draw_correction_old_source before insert on draw_correction
  for each row execute function note_old_source();

-- Refuses a promise for what is not planned or was drawn (DR004), or could be bet on without one (DR010).
create function check_new_promises() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  perform demand_new_snapshots();
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select a.phase into wrong from added a
  where not exists (select from draw_plan p where p.phase = a.phase and p."gameId" = a."gameId")
    or exists (select from draw_record r where r.phase = a.phase and r."gameId" = a."gameId")
  limit 1;
  if found then
    raise exception 'phase % is not planned or was drawn', wrong using errcode = 'DR004', detail = wrong;
  end if;
  perform from local_game where "gameId" in (select a."gameId" from added a) order by "gameId" for share;
  select a.phase into wrong from added a join draw_plan p on p.phase = a.phase and p."gameId" = a."gameId"
  where not exists (select from local_game l where l."gameId" = a."gameId" and l.since <= p."startTime")
    or exists (select from unpromised_phase u where u.phase = a.phase and u."gameId" = a."gameId")
  limit 1;
  if found then
    raise exception 'phase % could be bet on without a promise', wrong using errcode = 'DR010', detail = wrong;
  end if;
  return null;
end $$;

-- Gives promises a serial number in the order in which they were made.
create function order_promises() returns trigger language plpgsql as $$
begin
  insert into promise_order ("gameId", phase) select "gameId", phase from added;
  return null;
end $$;

create table draw_commitment (
  "gameId" bigint not null,
  phase text not null,
  rules jsonb not null,
  commitment text not null,
  seed bytea not null,
  "createTime" timestamptz not null default now(),
  primary key ("gameId", phase)
);
create trigger draw_commitment_append_only before delete or update or truncate on draw_commitment
  for each statement execute function refuse_change();
create trigger draw_commitment_checked after insert on draw_commitment
  referencing new table as added for each statement execute function check_new_promises();
create trigger draw_commitment_ordered after insert on draw_commitment
  referencing new table as added for each statement execute function order_promises();

-- Calls follow_local_spiders when a spider changes.
create function follow_local_spider() returns trigger language plpgsql as $$
begin
  perform follow_local_spiders(id) from (
    select old."gameId" where tg_op <> 'INSERT' union select new."gameId" where tg_op <> 'DELETE' order by 1) as g (id);
  return null;
end $$;

-- Remembers the name of a source that is deleted, and when it last answered.
create function keep_former_source() returns trigger language plpgsql as $$
begin
  insert into former_source as f ("gameId", name, "lastSuccessTime") values (old."gameId", old.name, old."lastSuccessTime")
  on conflict ("gameId") do update set name = excluded.name, "lastSuccessTime" = excluded."lastSuccessTime"
    where excluded."lastSuccessTime" > f."lastSuccessTime";
  return null;
end $$;

create table spider (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game,
  name text not null,
  url text,
  "spiderServiceName" text not null,
  options text,
  remark text,
  enabled boolean not null default true,
  "lastRunTime" timestamptz,
  "lastSuccessTime" timestamptz,
  "lastError" text,
  "consecutiveFailures" integer not null default 0,
  "nextRunTime" timestamptz not null default now(),
  headers text,
  "pauseMs" integer not null default 3000 check ("pauseMs" between 200 and 60000),
  host text generated always as (lower("substring"(url, '^[A-Za-z]+://([^/?#\\]+)'))) stored,
  "askedTime" timestamptz,
  answering boolean not null default true,
  version integer not null default 1,
  unique ("gameId", name)
);
create index spider_due on spider ("nextRunTime") where enabled;
create index spider_host on spider (host) where enabled;
create trigger spider_added after insert on spider
  for each row when (new."spiderServiceName" = 'LocalDrawSpider') execute function follow_local_spider();
create trigger spider_removed after delete on spider
  for each row when (old."spiderServiceName" = 'LocalDrawSpider') execute function follow_local_spider();
create trigger spider_switched after update of "gameId", enabled, "spiderServiceName" on spider
  for each row when (('LocalDrawSpider' = old."spiderServiceName" or 'LocalDrawSpider' = new."spiderServiceName") and (old."gameId" is distinct from new."gameId" or old.enabled is distinct from new.enabled or old."spiderServiceName" is distinct from new."spiderServiceName"))
  execute function follow_local_spider();
create trigger spider_version before update on spider
  for each row
  execute function grow_version('lastRunTime', 'lastSuccessTime', 'lastError', 'consecutiveFailures', 'answering', 'nextRunTime', 'askedTime', 'host');
create trigger spider_told after update of enabled, "consecutiveFailures" on spider
  for each row when ((old.enabled and old."consecutiveFailures" > 0) is distinct from (new.enabled and new."consecutiveFailures" > 0))
  execute function note_happening('spider');
create trigger spider_leaves after delete on spider
  for each row when (old."lastSuccessTime" is not null) execute function keep_former_source();
create trigger spider_moves after update of "gameId" on spider
  for each row when (old."lastSuccessTime" is not null and old."gameId" <> new."gameId")
  execute function keep_former_source();

create table outbound_host (
  host text primary key,
  "nextTime" timestamptz not null
);

create table counted_list (
  list text primary key,
  "timeBits" smallint not null check ("timeBits" between 10 and 14)
);

create table list_count (
  list text not null,
  key text not null,
  "timeBits" smallint not null,
  "idBits" smallint not null,
  "timeBlock" bigint not null,
  "idBlock" bigint not null,
  n bigint not null,
  primary key (list, key, "timeBits", "idBits", "timeBlock", "idBlock")
) with (fillfactor = 70, vacuum_truncate = off);
create index list_count_ids on list_count (list, key, "timeBits", "idBlock", "timeBlock") where "idBits" = 9;

create table list_delta (
  list text not null,
  key text not null,
  "timeBlock" bigint not null,
  "idBlock" bigint not null,
  n bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, vacuum_truncate = off);

create table early_record (
  "gameId" bigint not null,
  phase text not null,
  "recordId" bigint not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null,
  source text,
  claims jsonb not null,
  primary key (phase, "gameId")
);
create trigger early_record_append_only before delete or update or truncate on early_record
  for each statement execute function refuse_change();

create table secret_canary (
  singleton boolean default true primary key check (singleton),
  sealed bytea
);

create table draw_alarm (
  "gameId" bigint not null references game on delete cascade,
  phase text not null,
  reason text not null,
  failures integer not null default 1,
  "createTime" timestamptz not null,
  "lastTime" timestamptz not null,
  "nextTime" timestamptz not null,
  primary key ("gameId", phase)
);

-- Gives back what was bet on a phase whose promised draw cannot come.
create function settle_void_draw() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(new."gameId", new.phase));
  if exists (select from slip s where s."gameId" = new."gameId" and s.phase = new.phase) then
    insert into settlement (kind, "gameId", phase, "operatorId", "userName", reason)
    values ('VOID', new."gameId", new.phase, new."operatorId", new."userName", new.reason);
  end if;
  return null;
end $$;

-- Voids the plan of a phase that is over and has no result (DR008). Recording holds the plan too, so one of both comes first.
create function void_phase() returns trigger language plpgsql as $$
begin
  perform from draw_plan p where p."gameId" = new."gameId" and p.phase = new.phase
    and p.status = 'OPENING' and p."endTime" <= clock_timestamp() for update;
  if not found or exists (select from draw_record r where r."gameId" = new."gameId" and r.phase = new.phase) then
    raise exception 'phase % cannot be voided', new.phase using errcode = 'DR008', detail = new.phase;
  end if;
  update draw_plan set status = 'VOID' where "gameId" = new."gameId" and phase = new.phase;
  delete from draw_alarm where "gameId" = new."gameId" and phase = new.phase;
  return new;
end $$;

create table draw_void (
  "gameId" bigint not null references game,
  phase text not null,
  "operatorId" bigint not null,
  "userName" text not null,
  reason text not null,
  "createTime" timestamptz not null default now(),
  primary key ("gameId", phase)
);
create trigger draw_void_append_only before delete or update or truncate on draw_void
  for each statement execute function refuse_change();
create trigger draw_void_once before insert on draw_void for each row execute function void_phase();
create trigger draw_void_settled after insert on draw_void for each row execute function settle_void_draw();

create table login_record (
  id bigint generated always as identity primary key,
  "createTime" timestamptz not null default clock_timestamp(),
  "operatorId" bigint,
  "userName" text not null,
  address text not null,
  outcome text not null check (outcome in ('SUCCESS', 'REJECTED', 'LOCKED', 'HELD')),
  msg text not null,
  agent text not null default ''
);
create index login_record_time on login_record ("createTime");
create index login_record_user_name on login_record (lower("userName"), id desc);
create index login_record_outcome on login_record (outcome, id desc) where outcome <> 'SUCCESS';
create index login_record_locked on login_record (lower("userName"), address, "createTime") where outcome = 'LOCKED';
create trigger login_record_unaltered before update or truncate on login_record
  for each statement execute function refuse_change();
create trigger login_record_counted_insert after insert on login_record
  referencing new table as added for each statement execute function count_by_outcome();
create trigger login_record_counted_delete after delete on login_record
  referencing old table as removed for each statement execute function count_by_outcome();

create table local_game (
  "gameId" bigint primary key references game on delete cascade,
  since timestamptz
);
create index local_game_new on local_game ("gameId") where since is null;

create table unpromised_phase (
  "gameId" bigint not null,
  phase text not null,
  primary key ("gameId", phase)
);

-- Refuses a public random value outside the time in which its promise waits for it (DR011).
create function check_new_beacon() returns trigger language plpgsql as $$
declare
  promised jsonb;
begin
  perform from draw_plan p where p."gameId" = new."gameId" and p.phase = new.phase and p.status = 'OPENING' for no key update;
  if found then
    select c.rules -> 'beacon' into promised from draw_commitment c where c."gameId" = new."gameId" and c.phase = new.phase;
  end if;
  if promised is null or extract(epoch from clock_timestamp()) not between
      (promised ->> 'time')::float8 and (promised ->> 'time')::float8 + 60 * (promised ->> 'waitMinutes')::float8 then
    raise exception 'phase % takes no public value now', new.phase using errcode = 'DR011', detail = new.phase;
  end if;
  return new;
end $$;

create table draw_beacon (
  "gameId" bigint not null,
  phase text not null,
  value text not null,
  "createTime" timestamptz not null default clock_timestamp(),
  primary key ("gameId", phase)
);
create trigger draw_beacon_append_only before delete or update or truncate on draw_beacon
  for each statement execute function refuse_change();
create trigger draw_beacon_in_time before insert on draw_beacon for each row execute function check_new_beacon();

-- Counts a written-off debt in the report, for the agents of the slip it last came from.
create function count_debts_written_off() returns trigger language plpgsql as $$
begin
  insert into report_entry (kind, day, "userId", agents, "debtId", payout, "writtenOff")
  select 'WRITTEN_OFF', report_day_of_act(), a."userId", report_agents(coalesce(s.agents, '[]')), a.id, a.amount, a.amount
  from added a left join lateral (
    select s.agents, s."testAccount" from account_debt d join slip s on s.id = substring(d."bizOrderNo" from '^B([0-9]{1,18})(/|$)')::bigint
    where d."userId" = a."userId" and d.kind = 'OWED' and d."debtSeq" < a."debtSeq" order by d."debtSeq" desc limit 1) as s on true
  where a.kind = 'WRITTEN_OFF' and not coalesce(s."testAccount", (select u."testAccount" from player u where u.id = a."userId"));
  return null;
end $$;

create table account_debt (
  id bigint generated always as identity primary key,
  "userId" bigint not null references account("userId"),
  "debtSeq" bigint not null,
  kind text not null check (kind in ('OWED', 'REPAID', 'WRITTEN_OFF')),
  "originDebt" numeric not null check ("originDebt" >= 0),
  amount numeric not null check (amount > 0),
  "newDebt" numeric not null check ("newDebt" >= 0),
  "accountSeq" bigint,
  "changeType" text not null check ("changeType" in ('WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT', 'DEBT_WRITE_OFF')),
  "bizOrderNo" text,
  "createTime" timestamptz not null,
  hash bytea not null,
  constraint account_debt_seq unique ("userId", "debtSeq"),
  constraint account_debt_sum check ("newDebt" = case kind when 'OWED' then "originDebt" + amount else "originDebt" - amount end),
  constraint account_debt_why check ( case kind when 'REPAID' then "changeType" = 'DEBT_REPAYMENT' when 'WRITTEN_OFF' then "changeType" = 'DEBT_WRITE_OFF' else "changeType" in ('WIN_REVERSAL', 'REFUND_REVERSAL') end),
  constraint account_debt_number check (kind <> 'OWED' or "bizOrderNo" is not null),
  constraint account_debt_row check ( case kind when 'REPAID' then "accountSeq" is not null when 'WRITTEN_OFF' then "accountSeq" is null else true end)
);
create unique index account_debt_biz on account_debt ("bizOrderNo", "changeType") where "bizOrderNo" is not null;
create trigger account_debt_append_only before delete or update or truncate on account_debt
  for each statement execute function refuse_change();
create trigger account_debt_reported after insert on account_debt
  referencing new table as added for each statement execute function count_debts_written_off();
revoke delete, truncate, update on account_debt from public, current_user;

create table pending_google_key (
  "operatorId" bigint primary key references operator on delete cascade,
  secret bytea not null,
  "createTime" timestamptz not null default now()
);

create table recovery_code (
  "operatorId" bigint not null references operator on delete cascade,
  hash bytea not null,
  "spendTime" timestamptz,
  primary key ("operatorId", hash)
);

create table session_use (
  "sessionId" uuid primary key references session on delete cascade,
  "useTime" timestamptz not null,
  address text not null
);

create table operator_address (
  id bigint generated always as identity primary key,
  "operatorId" bigint not null references operator on delete cascade,
  origin text not null,
  address text not null,
  agent text not null,
  "firstTime" timestamptz not null default now(),
  "lastTime" timestamptz not null default now(),
  noted boolean not null,
  unique ("operatorId", origin)
);
create index operator_address_age on operator_address ("lastTime");

-- A decided approval is final.
create function keep_decided_approval() returns trigger language plpgsql as $$
begin
  if old.status <> 'PENDING' then raise exception 'approval % is decided', old.id; end if;
  return new;
end $$;

create table approval (
  id bigint generated by default as identity primary key,
  "createTime" timestamptz not null default clock_timestamp(),
  "expireTime" timestamptz not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'RELEASED', 'REJECTED', 'WITHDRAWN')),
  call text not null,
  summary text not null,
  "targetId" text,
  release text not null,
  why text not null,
  reason text,
  input jsonb not null,
  sealed bytea,
  before jsonb,
  after jsonb,
  digest bytea not null,
  "makerId" bigint not null,
  maker text not null,
  "makerSession" uuid not null,
  "makerAddress" text not null,
  "makerAgent" text not null,
  "checkerId" bigint,
  checker text,
  "checkerAddress" text,
  "decideTime" timestamptz,
  "decideReason" text,
  access jsonb,
  check ((status = 'PENDING') = ("decideTime" is null)),
  constraint approval_check1 check (status <> 'RELEASED' or "checkerId" <> "makerId"),
  constraint approval_sealed check (status = 'PENDING' or sealed is null)
);
create index approval_pending on approval ("expireTime") where status = 'PENDING';
create index approval_time on approval ("createTime");
create index approval_released on approval ("makerId", "targetId") where status = 'RELEASED';
create trigger approval_decided before update on approval for each row execute function keep_decided_approval();
create trigger approval_told_added after insert on approval for each row execute function note_happening('approval');
create trigger approval_told after update of status on approval
  for each row when (old.status is distinct from new.status) execute function note_happening('approval');

create table slip_rules (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  "playWayId" bigint not null,
  "playWayName" text not null,
  "categoryName" text not null,
  "subCategoryName" text not null,
  rules jsonb not null,
  "createTime" timestamptz not null default now(),
  "cellSeparator" text,
  book text,
  "mayPush" boolean not null default true,
  "lineCap" numeric,
  "fewDraws" boolean not null default false
);
create trigger slip_rules_append_only before delete or update or truncate on slip_rules
  for each statement execute function refuse_change();
revoke delete, truncate, update on slip_rules from public, current_user;

-- Counts slips by game and status.
create function count_slips() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_delta
    select 'slip', "gameId" || '/' || status, time_block("createTime"), id >> 9, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta
    select 'slip', key, "timeBlock", "idBlock", sum(n) from (
      select "gameId" || '/' || status, time_block("createTime"), id >> 9, 1 from added
      union all select "gameId" || '/' || status, time_block("createTime"), id >> 9, -1 from removed
    ) as moved (key, "timeBlock", "idBlock", n) group by 1, 2, 3, 4 having sum(n) <> 0;
  end if;
  return null;
end $$;

-- Counts slips in the report when they are placed.
create function count_slips_placed() returns trigger language plpgsql as $$
begin
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, slips, "waySlips", stake, payout, refund, unsettled)
  select a.day, a."userId", a."gameId", w."playWayId", report_agents(a.agents), count(*) filter (where w.place = 1), count(*),
    sum(w.stake), sum(w.payout), sum(w.refund), sum(w.unsettled)
  from added a, lateral (
    select l."playWayId", row_number() over (order by l."playWayId") as place, sum(l.stake) as stake, sum(l.payout) as payout,
      sum(l.refund) as refund, sum(case when l.status in ('PENDING', 'HELD') then l.stake else 0 end) as unsettled
    from slip_line l where l."slipId" = a.id group by l."playWayId" offset 0) as w
  where not a."testAccount"
  group by 1, 2, 3, 4, 5;
  if not found and exists (select from added where not "testAccount") then
    raise exception 'slips come with their lines or after them';
  end if;
  return null;
end $$;

-- Adds new slips to the exposure, except those of test accounts.
create function expose_slips() returns trigger language plpgsql as $$
begin
  insert into exposure_delta
  select s."gameId", s.phase, l."playWayId", l."rulesId", e.number, e.stake, e.units, e.payout, e.selection, e."unitStake"
  from added s join slip_line l on l."slipId" = s.id, lateral exposed(array[l]) as e
  where not s."testAccount";
  return null;
end $$;

-- What decides a slip is final, and a cancelled slip stays so (BE001).
create function keep_slip() returns trigger language plpgsql as $$
begin
  raise exception 'what decides row % of % is final', old.id, tg_table_name using errcode = 'BE001';
end $$;

-- Corrects the counted losses of a player when slips are settled.
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

-- Sets the day of the report on which a new slip counts.
create function set_slip_day() returns trigger language plpgsql as $$
begin
  new.day := open_report_day(report_day(new."drawTime" - interval '1 second'));
  return new;
end $$;

create table slip (
  id bigint generated always as identity primary key,
  "bizNo" text not null unique,
  "userId" bigint not null,
  "gameId" bigint not null,
  "planId" bigint not null,
  phase text not null,
  "drawTime" timestamptz not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'HELD', 'WON', 'LOST', 'PUSHED', 'CANCELLED', 'VOID')),
  stake numeric not null check (stake > 0),
  payout numeric not null default 0.00 check (payout >= 0),
  refund numeric not null default 0.00,
  "acceptOdds" text not null check ("acceptOdds" in ('SAME', 'BETTER', 'ANY')),
  agents jsonb not null default '[]'::jsonb,
  "testAccount" boolean not null,
  "contentHash" bytea not null,
  "createTime" timestamptz not null,
  "settleTime" timestamptz,
  "cancelledBy" text,
  "cancelReason" text,
  day date not null,
  check (refund >= 0 and refund <= stake),
  constraint slip_check1 check ("createTime" < "drawTime")
) with (fillfactor = 90);
create index slip_phase_user on slip ("gameId", phase, "userId");
create index slip_game on slip ("gameId", id);
create index slip_user on slip ("userId", id);
create index slip_time on slip ("createTime") include (id, "gameId", status);
create index slip_unsettled on slip (status, id) where status in ('PENDING', 'HELD', 'CANCELLED', 'VOID');
create index slip_day on slip (day, id);
create index slip_test on slip (id) where "testAccount";
create trigger slip_final before update of id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents, "testAccount", "contentHash", "createTime" on slip
  for each row execute function keep_slip();
create trigger slip_stays_cancelled before update on slip
  for each row when (old.status = 'CANCELLED') execute function keep_slip();
create trigger slip_stays before delete or truncate on slip for each statement execute function refuse_change();
create trigger slip_counted_insert after insert on slip
  referencing new table as added for each statement execute function count_slips();
create trigger slip_counted_update after update on slip
  referencing old table as removed new table as added for each statement execute function count_slips();
create trigger slip_exposed after insert on slip
  referencing new table as added for each statement execute function expose_slips();
create trigger slip_day_final before update of day on slip for each row execute function keep_slip();
create trigger slip_reported after insert on slip
  referencing new table as added for each statement execute function count_slips_placed();
create trigger slip_day_set before insert on slip for each row when (new.day is null) execute function set_slip_day();
create trigger slip_losses after update on slip
  referencing old table as removed new table as added for each statement execute function move_losses();
revoke delete, truncate on slip from public, current_user;

-- Counts in the report what settling or cancelling changed of lines.
create function count_lines_changed() returns trigger language plpgsql as $$
begin
  with difference as materialized (
    select "lineId", "slipId", "playWayId", sum(payout) as payout, sum(refund) as refund, sum(unsettled) as unsettled, bool_or(acted) as acted
    from (
      select id as "lineId", "slipId", "playWayId", payout, refund, case when status in ('PENDING', 'HELD') then stake else 0 end as unsettled,
        status in ('VOID', 'CANCELLED') as acted from added
      union all
      select id, "slipId", "playWayId", -payout, -refund, case when status in ('PENDING', 'HELD') then -stake else 0 end,
        status in ('VOID', 'CANCELLED') from removed
    ) as line group by 1, 2, 3 having sum(payout) <> 0 or sum(refund) <> 0 or sum(unsettled) <> 0
  ), changed as materialized (
    select s.day, s."userId", s."gameId", s.agents, d.* from difference d join slip s on s.id = d."slipId" where not s."testAccount"
  ), days as materialized (
    select each.day, open_report_day(each.day) as counted from (select distinct day from changed order by day) as each
  ), today as materialized (
    select report_day_of_act() as day where exists (select from changed where acted)
  ), part as materialized (
    select c.day as own, case when p.is_money and c.acted then (select day from today) else d.counted end as day, c."userId", c."gameId",
      c."playWayId", report_agents(c.agents) as agents, c."lineId", p.payout, p.refund, p.unsettled
    from changed c join days d on d.day = c.day, lateral (values
      (true, c.payout, c.refund, 0), (false, 0, 0, c.unsettled)) as p (is_money, payout, refund, unsettled)
    where p.payout <> 0 or p.refund <> 0 or p.unsettled <> 0
  ), moved as (
    insert into report_entry (kind, day, "userId", "gameId", "playWayId", agents, "lineId", payout, refund, unsettled)
    select 'MOVED', day, "userId", "gameId", "playWayId", agents, "lineId", sum(payout), sum(refund), sum(unsettled)
    from part where day <> own group by day, "userId", "gameId", "playWayId", agents, "lineId"
  )
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, payout, refund, unsettled)
  select day, "userId", "gameId", "playWayId", agents, sum(payout), sum(refund), sum(unsettled)
  from part where day = own group by 1, 2, 3, 4, 5;
  return null;
end $$;

-- Counts slips by the play ways of their lines.
create function count_slip_lines() returns trigger language plpgsql as $$
begin
  insert into list_delta
  select 'slip_line', "playWayId"::text, 0, "slipId" >> 9, count(distinct "slipId") from added group by 2, 4;
  return null;
end $$;

-- Takes lines off the exposure when they are cancelled or void, and adds them when that is undone.
create function expose_lines_anew() returns trigger language plpgsql as $$
begin
  if not exists (select from added where status in ('CANCELLED', 'VOID'))
      and not exists (select from removed where status in ('CANCELLED', 'VOID')) then
    return null;
  end if;
  insert into exposure_delta
  select s."gameId", s.phase, a."playWayId", a."rulesId", e.number, e.stake * w.sign, e.units * w.sign, e.payout * w.sign, e.selection,
    e."unitStake" * w.sign
  from (
    select a.id, case when a.status in ('CANCELLED', 'VOID') then -1 else 1 end as sign from added a join removed r using (id)
    where (a.status in ('CANCELLED', 'VOID')) <> (r.status in ('CANCELLED', 'VOID'))
  ) as w join slip_line a on a.id = w.id join slip s on s.id = a."slipId", lateral exposed(array[a]) as e
  where not s."testAccount";
  return null;
end $$;

-- Gives back to the counters of limits what lines took that became void, and takes it again where the void is undone.
create function give_back_voids() returns trigger language plpgsql as $$
declare
  of record;
begin
  if not exists (select from added where status = 'VOID') and not exists (select from removed where status = 'VOID') then
    return null;
  end if;
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

create table slip_line (
  id bigint generated always as identity primary key,
  "slipId" bigint not null,
  "playWayId" bigint not null,
  "rulesId" bigint not null,
  selection text not null,
  units integer not null check (units between 1 and 100000),
  "unitStake" numeric not null check ("unitStake" > 0),
  stake numeric not null,
  odds jsonb not null,
  "maxPayout" numeric not null check ("maxPayout" >= 0),
  status text not null default 'PENDING' check (status in ('PENDING', 'HELD', 'WON', 'LOST', 'PUSHED', 'CANCELLED', 'VOID')),
  "winningUnits" integer not null default 0 check ("winningUnits" >= 0),
  "pushedUnits" integer not null default 0 check ("pushedUnits" >= 0),
  payout numeric not null default 0.00 check (payout >= 0),
  refund numeric not null default 0.00,
  check (refund >= 0 and refund <= stake),
  constraint slip_line_check1 check (stake = (units::numeric * "unitStake")),
  constraint slip_line_check2 check (("winningUnits" + "pushedUnits") <= units)
) with (fillfactor = 80);
create index slip_line_slip on slip_line ("slipId");
create index slip_line_play_way on slip_line ("playWayId", "slipId");
create trigger slip_line_final before update of id, "slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout" on slip_line
  for each row execute function keep_slip();
create trigger slip_line_stays_cancelled before update on slip_line
  for each row when (old.status = 'CANCELLED') execute function keep_slip();
create trigger slip_line_stays before delete or truncate on slip_line
  for each statement execute function refuse_change();
create trigger slip_line_counted after insert on slip_line
  referencing new table as added for each statement execute function count_slip_lines();
create trigger slip_line_voided after update on slip_line
  referencing old table as removed new table as added for each statement execute function give_back_voids();
create trigger slip_line_exposed_anew after update on slip_line
  referencing old table as removed new table as added for each statement execute function expose_lines_anew();
create trigger slip_line_reported after update on slip_line
  referencing old table as removed new table as added for each statement execute function count_lines_changed();
revoke delete, truncate on slip_line from public, current_user;

create table game_catalogue (
  "gameId" bigint primary key references game on delete cascade,
  version bigint not null default 1,
  "limitsTime" timestamptz
);

create table settlement (
  id bigint generated always as identity primary key,
  "gameId" bigint not null,
  phase text not null,
  kind text not null check (kind in ('FIRST', 'CORRECTION', 'VOID', 'UNVOID')),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'HELD', 'DONE')),
  stopped boolean not null default false,
  "recordId" bigint,
  result text,
  local boolean not null default false,
  "playWayId" bigint,
  "createTimeFrom" timestamptz,
  "createTimeTo" timestamptz,
  "slipId" bigint,
  undoes bigint unique references settlement,
  "operatorId" bigint,
  "userName" text,
  reason text,
  total integer not null default 0,
  slips integer not null default 0,
  stake numeric not null default 0.00,
  payout numeric not null default 0.00,
  refund numeric not null default 0.00,
  "startTime" timestamptz not null default now(),
  "gatheredTime" timestamptz,
  "endTime" timestamptz,
  problem text,
  days date[],
  check ((kind in ('VOID', 'UNVOID')) or "recordId" is not null and result is not null),
  constraint settlement_check1 check ((kind = 'UNVOID') = (undoes is not null)),
  constraint settlement_check2 check (not stopped or status = 'HELD'),
  constraint settlement_check3 check ((status = 'DONE') <= ("endTime" is not null)),
  constraint settlement_range check (("createTimeFrom" is null) = ("createTimeTo" is null))
);
create index settlement_phase on settlement ("gameId", phase, id);
create index settlement_unfinished on settlement (status, id) where status <> 'DONE';
create index settlement_record on settlement ("recordId");
create index settlement_ended on settlement ("endTime");
create index settlement_voids on settlement ("startTime") where kind = 'VOID';
create index settlement_kind on settlement (kind, id) where kind <> 'FIRST';
create trigger settlement_told_added after insert on settlement
  for each row execute function note_happening('settlement');
create trigger settlement_told after update of status on settlement
  for each row when (old.status is distinct from new.status and ('HELD' = old.status or 'HELD' = new.status))
  execute function note_happening('settlement');

create table settlement_batch (
  "settlementId" bigint not null references settlement,
  no integer not null,
  slips bigint[] not null,
  settled integer not null default 0,
  stake numeric not null default 0.00,
  payout numeric not null default 0.00,
  refund numeric not null default 0.00,
  primary key ("settlementId", no)
);

create table slip_hold (
  "slipId" bigint primary key,
  "settlementId" bigint not null references settlement,
  reason text not null check (reason in ('UNREADABLE', 'UNPOSTED', 'BIG_WIN')),
  problem text not null,
  payout numeric,
  released boolean not null default false,
  failures integer not null default 1,
  "nextTime" timestamptz,
  "createTime" timestamptz not null default now()
);
create index slip_hold_settlement on slip_hold ("settlementId", "slipId");
create index slip_hold_next on slip_hold ("nextTime") where "nextTime" is not null;

create table slip_settlement (
  "slipId" bigint not null,
  n integer not null check (n > 0),
  "settlementId" bigint not null,
  status text not null check (status in ('PENDING', 'WON', 'LOST', 'PUSHED', 'VOID')),
  payout numeric not null check (payout >= 0),
  refund numeric not null check (refund >= 0),
  "movedPayout" numeric not null,
  "movedRefund" numeric not null,
  "createTime" timestamptz not null default now(),
  id bigint generated always as identity,
  primary key ("slipId", n)
);
create unique index slip_settlement_once on slip_settlement ("settlementId", "slipId");
create unique index slip_settlement_id on slip_settlement (id);
create trigger slip_settlement_append_only before delete or update or truncate on slip_settlement
  for each statement execute function refuse_change();
revoke delete, truncate, update on slip_settlement from public, current_user;

-- A result that was entered by hand is final (DR013), but for its outcome, which is told once.
create function keep_draw_entry() returns trigger language plpgsql as $$
begin
  raise exception 'entry % is final', old.id using errcode = 'DR013';
end $$;

create table draw_entry (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game,
  phase text not null,
  result text not null,
  evidence text not null,
  reason text not null,
  "operatorId" bigint not null,
  "userName" text not null,
  "createTime" timestamptz not null default now(),
  "dueTime" timestamptz not null,
  outcome text check (outcome in ('RECORDED', 'OUTDONE'))
);
create unique index draw_entry_waiting on draw_entry ("gameId", phase) where outcome is null;
create index draw_entry_due on draw_entry ("dueTime") where outcome is null;
create trigger draw_entry_final before update on draw_entry
  for each row when (old.outcome is not null or (to_jsonb(old.*) - 'outcome') <> (to_jsonb(new.*) - 'outcome'))
  execute function keep_draw_entry();
create trigger draw_entry_stays before delete or truncate on draw_entry
  for each statement execute function refuse_change();

create table draw_word (
  "gameId" bigint not null references game on delete cascade,
  phase text not null,
  source text not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null default now(),
  "spiderId" bigint,
  address text,
  primary key ("gameId", phase, source)
);
create index draw_word_time on draw_word ("createTime");

create table bets_proof (
  day date primary key,
  "startTime" timestamptz not null default clock_timestamp(),
  "endTime" timestamptz,
  slips integer,
  broken integer,
  problems text[] not null default '{}'::text[]
);

create table list_layout (
  "operatorId" bigint not null references operator on delete cascade,
  screen text not null,
  layout jsonb not null,
  primary key ("operatorId", screen)
);

create table list_view (
  id bigint generated always as identity primary key,
  "operatorId" bigint not null references operator on delete cascade,
  "roleId" bigint references role on delete cascade,
  screen text not null,
  name text not null,
  address text not null,
  unique ("operatorId", screen, name)
);
create index list_view_role on list_view ("roleId") where "roleId" is not null;

create table list_start (
  "operatorId" bigint not null references operator on delete cascade,
  screen text not null,
  "viewId" bigint not null references list_view on delete cascade,
  primary key ("operatorId", screen)
);
create index list_start_view on list_start ("viewId");

-- Puts changed limits in force, and counts anew what was bet before where they add up other sums.
create function apply_limits() returns trigger language plpgsql as $$
declare
  games bigint[];
  every boolean;
  "isCounted" boolean;
  open record;
  done limit_count[] := '{}';
  each limit_count;
begin
  if tg_op = 'DELETE' then
    select array_agg("gameId"), bool_or("gameId" is null), bool_or(counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") <> '')
      into games, every, "isCounted" from removed;
  elsif tg_op = 'INSERT' then
    select array_agg("gameId"), bool_or("gameId" is null), bool_or(counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") <> '')
      into games, every, "isCounted" from added;
  else
    select array_agg(a."gameId") || array_agg(r."gameId"), bool_or(a."gameId" is null or r."gameId" is null), bool_or(a.kinds <> r.kinds
        or a.kinds <> '' and (a."gameId", a."playWayId") is distinct from (r."gameId", r."playWayId"))
      into games, every, "isCounted"
    from (select *, counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") as kinds from added) as a
      join (select *, counted_kinds("maxUserStake", "maxNumberPayout", "maxLoss") as kinds from removed) as r using (id);
  end if;
  perform pg_advisory_xact_lock(hashtextextended('limits', 0));
  if "isCounted" then
    for open in select * from phases_to_bet(games, every) loop
      done := done || count_ahead(open."gameId", open.phase);
    end loop;
  end if;
  for open in select * from phases_to_bet(games, every) loop
    perform pg_advisory_xact_lock(betting_key(open."gameId", open.phase));
    if "isCounted" then
      select * into each from unnest(done) as d where d."gameId" = open."gameId" and d.phase = open.phase;
      if found then
        perform count_rest(each);
      else
        perform recount_limits(open."gameId", open.phase);
      end if;
    end if;
  end loop;
  update game_catalogue c
    set version = c.version + 1, "limitsTime" = case when "isCounted" then clock_timestamp() else c."limitsTime" end
    where every or c."gameId" = any (games);
  return null;
end $$;

create table bet_limit (
  id bigint generated always as identity primary key,
  version integer not null default 1,
  "gameId" bigint constraint bet_limit_game references game on delete cascade,
  "playWayId" bigint constraint bet_limit_play_way references play_way on delete cascade,
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
  constraint bet_limit_of unique nulls not distinct ("gameId", "playWayId"),
  check ("playWayId" is null or "gameId" is not null)
);
create index bet_limit_play_way on bet_limit ("playWayId");
create trigger bet_limit_version before update on bet_limit for each row execute function grow_version();
create trigger bet_limit_applied_insert after insert on bet_limit
  referencing new table as added for each statement execute function apply_limits();
create trigger bet_limit_applied_delete after delete on bet_limit
  referencing old table as removed for each statement execute function apply_limits();
create trigger bet_limit_applied_update after update on bet_limit
  referencing old table as removed new table as added for each statement execute function apply_limits();

create table limit_counter (
  "gameId" bigint not null,
  phase text not null,
  kind text not null check (kind in ('USER', 'NUMBER', 'CELL', 'BOOK', 'LOSS')),
  scope text not null,
  owner bigint not null,
  number text not null,
  taken numeric not null,
  worst numeric not null default 0,
  "isFloored" boolean not null default false,
  bound numeric not null generated always as ( case when "isFloored" then greatest(taken + worst, 0) else taken + worst end) stored,
  "boundBefore" numeric not null default 0,
  primary key ("gameId", phase, kind, scope, owner, number)
) with (fillfactor = 70);

create table exposure (
  "gameId" bigint not null,
  phase text not null,
  "playWayId" bigint not null,
  "rulesId" bigint not null,
  number text not null,
  stake numeric not null,
  units bigint not null,
  payout numeric not null,
  primary key ("gameId", phase, "playWayId", "rulesId", number)
) with (fillfactor = 70);

create table exposure_choice (
  "gameId" bigint not null,
  phase text not null,
  "rulesId" bigint not null,
  hash bytea not null,
  selection text not null,
  stake numeric not null,
  "unitStake" numeric not null,
  primary key ("gameId", phase, "rulesId", hash)
) with (fillfactor = 70);

create table exposure_delta (
  "gameId" bigint not null,
  phase text not null,
  "playWayId" bigint not null,
  "rulesId" bigint not null,
  number text not null,
  stake numeric not null,
  units bigint not null,
  payout numeric not null,
  selection text,
  "unitStake" numeric
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, vacuum_truncate = off);
create index exposure_delta_phase on exposure_delta ("gameId", phase);

create table report_closed_day (
  day date primary key,
  "closeTime" timestamptz not null default clock_timestamp(),
  slips bigint not null,
  players bigint not null,
  stake numeric not null,
  payout numeric not null,
  refund numeric not null,
  rebate numeric not null,
  "writtenOff" numeric not null,
  unsettled numeric not null
);
create trigger report_closed_day_append_only before delete or update or truncate on report_closed_day
  for each statement execute function refuse_change();
revoke delete, truncate, update on report_closed_day from public, current_user;

create table report_delta (
  day date not null,
  "userId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  agents bigint[] not null,
  slips bigint not null default 0,
  "waySlips" bigint not null default 0,
  stake numeric not null default 0,
  payout numeric not null default 0,
  refund numeric not null default 0,
  rebate numeric not null default 0,
  "writtenOff" numeric not null default 0,
  unsettled numeric not null default 0
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, vacuum_truncate = off);

-- Counts report_entry in the report.
create function count_report_entries() returns trigger language plpgsql as $$
begin
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, payout, refund, rebate, "writtenOff", unsettled)
  select day, "userId", "gameId", "playWayId", agents, sum(payout), sum(refund), sum(rebate), sum("writtenOff"), sum(unsettled)
  from added group by 1, 2, 3, 4, 5;
  return null;
end $$;

create table report_entry (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('MOVED', 'REBATE', 'WRITTEN_OFF')),
  day date not null,
  "userId" bigint not null,
  "gameId" bigint not null default '-1'::integer,
  "playWayId" bigint not null default '-1'::integer,
  agents bigint[] not null,
  "lineId" bigint,
  "debtId" bigint unique,
  payout numeric not null default 0,
  refund numeric not null default 0,
  rebate numeric not null default 0,
  "writtenOff" numeric not null default 0,
  unsettled numeric not null default 0,
  "createTime" timestamptz not null default clock_timestamp(),
  check ((kind = 'MOVED') = ("lineId" is not null)),
  constraint report_entry_check1 check ((kind = 'WRITTEN_OFF') = ("debtId" is not null))
);
create index report_entry_line on report_entry ("lineId") where "lineId" is not null;
create index report_entry_day on report_entry (day);
create trigger report_entry_append_only before delete or update or truncate on report_entry
  for each statement execute function refuse_change();
create trigger report_entry_counted after insert on report_entry
  referencing new table as added for each statement execute function count_report_entries();
revoke delete, truncate, update on report_entry from public, current_user;

create table report_player (
  level smallint not null check (level between 0 and 2),
  "userId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  day date not null,
  agents bigint[] not null,
  slips bigint not null,
  stake numeric not null,
  payout numeric not null,
  refund numeric not null,
  rebate numeric not null,
  "writtenOff" numeric not null,
  unsettled numeric not null,
  primary key (level, "userId", "gameId", "playWayId", day, agents)
) with (fillfactor = 80);
create index report_player_day on report_player using brin (day) with (pages_per_range='32', autosummarize='on');

create table report_sum (
  level smallint not null check (level between 0 and 2),
  "agentId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  day date not null,
  slips bigint not null,
  players bigint not null default 0,
  stake numeric not null,
  payout numeric not null,
  refund numeric not null,
  rebate numeric not null,
  "writtenOff" numeric not null,
  unsettled numeric not null,
  primary key (level, "agentId", "gameId", "playWayId", day)
) with (fillfactor = 70);

create table report_return (
  level smallint not null,
  "agentId" bigint not null,
  "gameId" bigint not null,
  "playWayId" bigint not null,
  day date not null,
  before date not null,
  n bigint not null,
  primary key (level, "agentId", "gameId", "playWayId", day, before)
) with (fillfactor = 70);

create table agent (
  id bigint generated by default as identity primary key,
  name text not null,
  "parentId" bigint references agent,
  "userId" bigint not null references player,
  "createTime" timestamptz not null default now(),
  version integer not null default 1,
  check ("parentId" <> id)
);
create index agent_parent on agent ("parentId");
create index agent_user on agent ("userId");
create trigger agent_version before update on agent for each row execute function grow_version();
create trigger agent_stale after update on agent for each statement execute function rebates_stale();

create table agent_rate (
  id bigint generated always as identity primary key,
  "agentId" bigint not null references agent,
  "validFrom" date not null,
  rate numeric not null check (rate >= 0 and rate < 1),
  version integer not null default 1,
  constraint agent_rate_from unique ("agentId", "validFrom")
);
create trigger agent_rate_version before update on agent_rate for each row execute function grow_version();
create trigger agent_rate_stale after insert or delete or update on agent_rate
  for each statement execute function rebates_stale();

create table rebate_rate (
  id bigint generated always as identity primary key,
  level integer not null check (level between 0 and 1000),
  "categoryId" bigint not null references game_category,
  rate numeric not null check (rate >= 0 and rate < 1),
  "validFrom" date not null,
  version integer not null default 1,
  constraint rebate_rate_from unique (level, "categoryId", "validFrom")
);
create index rebate_rate_category on rebate_rate ("categoryId");
create trigger rebate_rate_version before update on rebate_rate for each row execute function grow_version();
create trigger rebate_rate_stale after insert or delete or update on rebate_rate
  for each statement execute function rebates_stale();

-- Released rebates are final (BE001).
create function keep_run() returns trigger language plpgsql as $$
begin
  raise exception 'the rebates of % are released', old.day using errcode = 'BE001';
end $$;

create table rebate_run (
  day date primary key,
  status text not null default 'PREPARED' check (status in ('PREPARED', 'PAYING', 'DONE')),
  stale boolean not null default false,
  "seenTime" timestamptz not null,
  opposing text not null check (opposing in ('BOTH', 'DIFFERENCE')),
  "ownSlips" boolean not null,
  turnover numeric not null default 0.00,
  unsettled integer not null default 0,
  corrected date[] not null default '{}'::date[],
  payees integer not null default 0,
  rebate numeric not null default 0.00,
  returned numeric not null default 0.00,
  invited numeric not null default 0.00,
  digest text not null default '',
  "prepareTime" timestamptz not null default clock_timestamp(),
  "operatorId" bigint,
  "userName" text,
  "releaseTime" timestamptz,
  "doneTime" timestamptz,
  check ((status = 'PREPARED') = ("releaseTime" is null)),
  constraint rebate_run_check1 check ((status = 'DONE') = ("doneTime" is not null))
);
create unique index rebate_run_prepared on rebate_run ((true)) where status = 'PREPARED';
create index rebate_run_paying on rebate_run (day) where status = 'PAYING';
create trigger rebate_run_final before delete or update of day, "seenTime", opposing, "ownSlips", turnover, unsettled, corrected, payees, rebate, returned, invited, digest on rebate_run
  for each row when (old.status <> 'PREPARED') execute function keep_run();

-- Rows of released rebates are final, but for being marked as posted.
create function keep_released() returns trigger language plpgsql as $$
begin
  if exists (select from rebate_run r where r.day = old."runDay" and r.status <> 'PREPARED') then
    raise exception 'the rebates of % are released', old."runDay" using errcode = 'BE001';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create table rebate_turnover (
  day date not null,
  "userId" bigint not null,
  "gameId" bigint not null,
  agents bigint[] not null,
  "runDay" date not null references rebate_run(day),
  level integer not null,
  "categoryId" bigint not null,
  turnover numeric not null check (turnover >= 0),
  primary key (day, "userId", "gameId", agents, "runDay")
);
create index rebate_turnover_run on rebate_turnover ("runDay");
create index rebate_turnover_user on rebate_turnover ("userId");
create trigger rebate_turnover_final before delete or update on rebate_turnover
  for each row execute function keep_released();

create table rebate_agent (
  "runDay" date not null references rebate_run(day),
  "agentId" bigint not null,
  "userId" bigint not null,
  rate numeric not null,
  primary key ("runDay", "agentId")
);
create trigger rebate_agent_final before delete or update on rebate_agent for each row execute function keep_released();

create table rebate_share (
  "runDay" date not null references rebate_run(day),
  day date not null,
  "userId" bigint not null,
  kind text not null check (kind in ('REBATE', 'RETURN')),
  agents bigint[] not null,
  amount numeric not null,
  primary key ("runDay", "userId", kind, day, agents)
);
create index rebate_share_day on rebate_share (day);
create trigger rebate_share_final before delete or update on rebate_share for each row execute function keep_released();

create table rebate_item (
  "runDay" date not null references rebate_run(day),
  "userId" bigint not null,
  kind text not null check (kind in ('REBATE', 'RETURN', 'INVITE_REWARD')),
  due numeric not null,
  carried numeric not null default 0.00 check (carried <= 0),
  amount numeric not null check (amount >= 0),
  rest numeric not null default 0.00 check (rest <= 0),
  "postTime" timestamptz,
  problem text,
  "nextTime" timestamptz,
  "testAccount" boolean not null default false,
  primary key ("runDay", "userId", kind),
  check ((due + carried) = (amount + rest)),
  constraint rebate_item_check1 check (amount = 0 or rest = 0)
);
create index rebate_item_user on rebate_item ("userId", kind, "runDay" desc);
create index rebate_item_unpaid on rebate_item ("runDay", "userId") where "postTime" is null and amount > 0;
create trigger rebate_item_final before delete or update of due, carried, amount, rest, "testAccount" on rebate_item
  for each row execute function keep_released();

create table invite_reward (
  "invitedId" bigint primary key,
  "inviterId" bigint not null,
  "runDay" date not null references rebate_run(day),
  deposit numeric not null,
  turnover numeric not null,
  amount numeric not null check (amount > 0)
);
create index invite_reward_run on invite_reward ("runDay", "inviterId");
create trigger invite_reward_final before delete or update on invite_reward
  for each row execute function keep_released();

create table rebate_ground (
  nothing boolean primary key
);

create table turnover_requirement (
  id bigint generated always as identity primary key,
  "userId" bigint not null references player,
  "historyId" bigint not null unique,
  kind text not null check (kind in ('RECHARGE', 'RECHARGE_GIVE')),
  amount numeric not null,
  times numeric not null check (times > 0),
  required numeric not null check (required >= 0),
  "createTime" timestamptz not null,
  "doneTime" timestamptz
);
create index turnover_requirement_open on turnover_requirement ("userId", id) where "doneTime" is null;

create table phase_cleaning (
  what text primary key check (what in ('LIMITS', 'EXPOSURE')),
  "endTime" timestamptz not null,
  "planId" bigint not null
);

create table turnover_counted (
  "requirementId" bigint not null references turnover_requirement on delete cascade,
  "gameId" bigint not null,
  phase text not null,
  turnover numeric not null,
  opposing text check (opposing in ('BOTH', 'DIFFERENCE')),
  primary key ("requirementId", "gameId", phase)
);

create table turnover_mark (
  one boolean default true primary key check (one),
  "endTime" timestamptz not null,
  "settlementId" bigint not null default 0,
  "waysSince" timestamptz not null default clock_timestamp()
);

create table happening (
  xid bigint not null default pg_current_xact_id()::text::bigint,
  id bigint generated always as identity,
  "createTime" timestamptz not null default clock_timestamp(),
  noun text not null,
  "rowId" bigint not null,
  what text not null check (what in ('ADDED', 'CHANGED')),
  "userId" bigint,
  "gameId" bigint,
  status text,
  primary key (xid, id)
);

create table user_note (
  id bigint generated always as identity primary key,
  "userId" bigint not null references player,
  note text not null,
  pinned boolean not null default false,
  "authorId" bigint references operator on delete set null,
  author text not null,
  "createTime" timestamptz not null default now(),
  "editTime" timestamptz,
  version integer not null default 1
);
create index user_note_user on user_note ("userId", pinned desc, id desc);
create index user_note_author on user_note ("authorId") where "authorId" is not null;
create trigger user_note_version before update on user_note for each row execute function grow_version();

create table seal (
  kind text not null check (kind in ('LEDGER', 'DEBT', 'CHANGE', 'DRAW', 'CORRECTION', 'SLIP', 'OUTCOME', 'RULES', 'PROMISE', 'SOURCE', 'CORRECTED_SOURCE')),
  no bigint not null check (no > 0),
  "firstNo" bigint not null,
  rows integer not null check (rows > 0),
  "fromId" bigint not null,
  "toId" bigint not null,
  late boolean not null,
  "fromTime" timestamptz not null,
  "toTime" timestamptz not null,
  digest bytea not null,
  marks bytea not null,
  mac bytea not null,
  "createTime" timestamptz not null,
  primary key (kind, no),
  check ("fromId" <= "toId")
);
create index seal_ids on seal (kind, "toId") where not late;
create index seal_late on seal (kind, "toId") where late;
create trigger seal_append_only before delete or update or truncate on seal
  for each statement execute function refuse_change();
revoke delete, truncate, update on seal from public, current_user;

create table seal_gap (
  id bigint generated always as identity primary key,
  kind text not null,
  ids text not null,
  writers text[] not null
);

create table anchor (
  id bigint primary key check (id > 0),
  code text not null unique,
  content text not null,
  "createTime" timestamptz not null default clock_timestamp()
);
create trigger anchor_append_only before delete or update or truncate on anchor
  for each statement execute function refuse_change();
revoke delete, truncate, update on anchor from public, current_user;

create table anchor_sending (
  "anchorNo" bigint not null,
  way text not null check (way in ('MAIL', 'WEBHOOK')),
  attempts integer not null default 0,
  "lastError" text,
  "nextTime" timestamptz default now(),
  "sentTime" timestamptz,
  primary key ("anchorNo", way),
  check ("nextTime" is null or "sentTime" is null)
);
create index anchor_sending_due on anchor_sending ("nextTime") where "nextTime" is not null;

-- Makes a changed limit of a player hold for whoever bets or pays in after its commit.
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
create trigger player_limit_held before insert or update on player_limit for each row execute function hold_limited();

create table player_loss (
  "userId" bigint not null,
  day date not null,
  loss numeric not null,
  primary key ("userId", day)
) with (fillfactor = 80);
create index player_loss_day on player_loss (day);

create table player_loss_delta (
  "userId" bigint not null,
  day date not null,
  amount numeric not null
);
create index player_loss_delta_user on player_loss_delta ("userId", day);
create index player_loss_delta_day on player_loss_delta (day);

create table access_event (
  epoch bigint primary key,
  "operatorIds" bigint[] not null,
  "roleIds" bigint[] not null,
  "sessionIds" text[] not null
);

create table former_source (
  "gameId" bigint primary key references game on delete cascade,
  name text not null,
  "lastSuccessTime" timestamptz not null
);

create table former_stop (
  "gameId" bigint not null references game on delete cascade,
  until timestamptz not null,
  "stopBetSecond" integer not null,
  primary key ("gameId", until)
);

create table promise_order (
  id bigint generated always as identity primary key,
  "gameId" bigint not null,
  phase text not null,
  "createTime" timestamptz not null default clock_timestamp()
);
create trigger promise_order_append_only before delete or update or truncate on promise_order
  for each statement execute function refuse_change();
revoke delete, truncate, update on promise_order from public, current_user;

create table operator_language (
  "operatorId" bigint primary key references operator on delete cascade,
  language text not null check (language in ('zh', 'en'))
);

-- Adds some of list_delta to list_count. Returns how many rows it took, null while another one folds.
create function fold_list_deltas() returns bigint language plpgsql as $$
declare
  folded bigint;
  empty tid[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_list_deltas', 0)) then
    return null;
  end if;
  with gone as (
    delete from list_delta where ctid in (select ctid from list_delta limit 50000) returning list, key, "timeBlock", "idBlock", n
  ), spread as (
    insert into list_count as c (list, key, "timeBits", "idBits", "timeBlock", "idBlock", n)
    select g.list, k.key, b.time, b.id, case b.time when 63 then 0 else g."timeBlock" >> (b.time - 10) end,
      case b.id when 63 then 0 else g."idBlock" >> (b.id - 9) end, sum(g.n)
    from gone g
      join counted_list l using (list)
      cross join lateral (values ('*'), (nullif(g.key, ''))) k (key)
      cross join lateral (values
        (63, 63), (63, 23), (63, 16), (63, 9), (15, 16), (15, 9), (l."timeBits", 16), (l."timeBits", 9)) b (time, id)
    where k.key is not null
    group by 1, 2, 3, 4, 5, 6
    having sum(g.n) <> 0
    order by 1, 2, 3, 4, 5, 6
    on conflict (list, key, "timeBits", "idBits", "timeBlock", "idBlock") do update set n = c.n + excluded.n
    returning c.ctid, c.n
  )
  select (select count(*) from gone), (select array_agg(ctid) from spread where n = 0) into folded, empty;
  delete from list_count where ctid = any (empty) and n = 0;
  return folded;
end $$;

-- An amount with two decimals, or more (up to four) where it needs them; null stays null.
create function as_money(value numeric) returns numeric language sql immutable parallel safe
  return round(value, least(4, greatest(2, min_scale(value))));

-- Whether a change type brings money IN or takes it OUT.
create function ledger_direction("changeType" text) returns text language sql immutable parallel safe
  return case when ("changeType" in ('WITHDRAW', 'BET', 'MANUAL_DEDUCTION', 'WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT')) then 'OUT' else 'IN' end;

-- The link of a ledger row in the chain of its account: SHA-256 of the link before and the row as a JSON array.
create function ledger_hash(previous bytea, "userId" bigint, seq bigint, origin numeric, amount numeric, after numeric, direction text, "changeType" text, "bizOrderNo" text, "desc" text, "time" timestamptz) returns bytea language sql stable parallel safe
  return sha256((previous || convert_to((json_build_array("userId", seq, (origin)::text, (amount)::text, (after)::text, direction, "changeType", "bizOrderNo", "desc", ((extract(epoch from "time") * (1000000)::numeric))::bigint))::text, 'UTF8'::name)));

-- The number of the 1,024 seconds in which a moment lies.
create function time_block(at timestamptz) returns bigint language sql immutable strict parallel safe
  return ((floor(extract(epoch from (at - to_timestamp((0)::double precision)))))::bigint >> 10);

-- A range of time, both ends included, as the fewest blocks of 2^bits seconds.
create function time_blocks("from" timestamptz, "to" timestamptz, finest integer) returns table(bits integer, first bigint, last bigint) language sql immutable strict parallel safe rows 5 as $$
  with seconds as (
    select floor(extract(epoch from "from"))::bigint as a, floor(extract(epoch from "to"))::bigint + 1 as z
  ), small as (
    select a, z, (a + (1 << finest) - 1) >> finest as small_a, z >> finest as small_z from seconds
  ), large as (
    select *, (small_a + (1 << 15 - finest) - 1) >> 15 - finest as large_a, small_z >> 15 - finest as large_z from small
  ), sides as (
    select *, least(small_z, large_a << 15 - finest) as left_z, least(z, small_a << finest) as head_z from large
  )
  select b.bits, b.first, b.past - 1 from sides, lateral (values
    (15, large_a, large_z),
    (finest, small_a, left_z),
    (finest, greatest(large_z << 15 - finest, left_z), small_z),
    (0, a, head_z),
    (0, greatest(small_z << finest, head_z), z)) as b (bits, first, past)
$$;

-- How many rows a part of a counted list has, and below which id its row number `skipped` lies.
create function locate_rows(of_list text, keys text[], "from" timestamptz, "to" timestamptz, skipped bigint, edge_blocks bigint[], edge_counts bigint[]) returns table("totalCount" bigint, bound bigint, skip bigint) language plpgsql stable set plan_cache_mode=force_generic_plan as $$
declare
  counted_keys text[] := coalesce(keys, array['*']);
begin
  return query
  with stretch as materialized (
    select 63 as bits, 0::bigint as first, 0::bigint as last where "from" is null
    union all
    select b.* from counted_list l, time_blocks("from", "to", l."timeBits") as b
    where "from" is not null and l.list = of_list and b.bits > 0 and b.first <= b.last
  ), live as materialized (
    select d."idBlock" as block, d.n from list_delta d
    where d.list = of_list and (keys is null or d.key = any (keys)) and exists (
      select from stretch s where s.bits = 63 or d."timeBlock" >> s.bits - 10 between s.first and s.last)
    union all
    select * from unnest(edge_blocks, edge_counts)
  ), huge as materialized (
    select b.block, sum(b.n) as n from (
      select "idBlock" as block, l.n from list_count l
      where "from" is null and l.list = of_list and l.key = any (counted_keys) and l."timeBits" = 63 and l."idBits" = 23 and l."timeBlock" = 0
      union all select live.block >> 14, live.n from live where "from" is null) as b
    group by b.block
  ), part as materialized (
    select b.block << 7 as lowest, b.before from (select *, sum(huge.n) over (order by block desc) - huge.n as before from huge) as b
    where b.before + b.n > skipped and b.before <= skipped
  ), large as materialized (
    select b.block, sum(b.n) as n from (
      select c.block, c.n from part, lateral (
        select "idBlock" as block, l.n from list_count l where l.list = of_list and l.key = any (counted_keys) and l."timeBits" = 63
          and l."idBits" = 16 and l."timeBlock" = 0 and "idBlock" between part.lowest and part.lowest + 127 offset 0) as c
      union all select live.block >> 7, live.n from part, live where live.block >> 7 between part.lowest and part.lowest + 127
      union all
      select c.block, c.n from stretch s, lateral (
        select "idBlock" as block, l.n from list_count l where l.list = of_list and l.key = any (counted_keys) and l."timeBits" = s.bits
          and l."idBits" = 16 and l."timeBlock" between s.first and s.last offset 0) as c
      where "from" is not null
      union all select live.block >> 7, live.n from live where "from" is not null) as b
    group by b.block
  ), hit as materialized (
    select b.block << 7 as lowest, b.before from (
      select *, coalesce((select part.before from part), 0) + sum(large.n) over (order by block desc) - large.n as before from large) as b
    where b.before + b.n > skipped and b.before <= skipped
  ), small as (
    select b.block, sum(b.n) as n from (
      select c.block, c.n from hit, stretch s, lateral (
        select "idBlock" as block, l.n from list_count l where l.list = of_list and l.key = any (counted_keys) and l."timeBits" = s.bits
          and l."idBits" = 9 and l."timeBlock" between s.first and s.last and "idBlock" between hit.lowest and hit.lowest + 127 offset 0) as c
      union all select live.block, live.n from hit, live where live.block between hit.lowest and hit.lowest + 127) as b
    group by b.block
  ), found as (
    select b.block, skipped - b.before as rest
    from (select small.*, hit.before + sum(small.n) over (order by block desc) - small.n as before from hit, small) as b
    where b.before + b.n > skipped and b.before <= skipped
  )
  select (select coalesce(sum(all_rows.n), 0) from (select huge.n from huge union all select large.n from large where "from" is not null) as all_rows)::bigint, (found.block + 1 << 9) - 1, found.rest::bigint
  from (values (1)) as one left join found on true;
end $$;

-- Refuses to write draws under repeatable read, which would not see what others just committed (DR006).
create function demand_new_snapshots() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') = 'repeatable read' then
    raise exception 'draws cannot be written under repeatable read' using errcode = 'DR006';
  end if;
end $$;

-- The moment since when change records are kept.
create function change_records_kept_since() returns timestamptz language sql stable as $$
  select case coalesce(max(days), 0) when 0 then '-infinity' else now() - make_interval(hours => 24 * greatest(max(days), 90)) end
  from (select value::integer as days from param_setting
    where key = 'retention.changeRecordDays' and value ~ '^[0-9]{1,5}$') as retention
$$;

-- Deletes some of the change records that need not be kept; gives how many. It has the right to delete only while it runs.
create function delete_old_change_records(most integer) returns bigint language plpgsql security definer set search_path="$user", public as $$
declare
  since timestamptz := change_records_kept_since();
  deleted bigint;
begin
  if not exists (select from change_record where "createTime" < since)
    or not pg_try_advisory_xact_lock(hashtextextended('rights', 0)) then
    return 0;
  end if;
  grant delete on change_record to current_user;
  delete from change_record where id in (
    select id from change_record where "createTime" < since order by "createTime" limit most);
  get diagnostics deleted = row_count;
  revoke delete on change_record from current_user;
  return deleted;
end $$;
revoke execute on function delete_old_change_records(integer) from public;

-- Keeps local_game: whether a game draws by itself, by an enabled LocalDrawSpider, and since when.
create function follow_local_spiders(game_id bigint) returns void language plpgsql as $$
begin
  perform from game where id = game_id for no key update;
  if exists (select from spider where "gameId" = game_id and enabled and "spiderServiceName" = 'LocalDrawSpider') then
    insert into local_game ("gameId", since) values (game_id, case when not exists (
      select from draw_plan where "gameId" = game_id and commitment is null and status in ('WAITTING', 'OPENING')
        and "startTime" <= clock_timestamp() + interval '1 minute') then '-infinity'::timestamptz end)
    on conflict do nothing;
  else
    delete from local_game where "gameId" = game_id;
  end if;
end $$;

-- The link of a debt in the chain of its account, made as ledger_hash makes one.
create function debt_hash(previous bytea, "userId" bigint, seq bigint, kind text, origin numeric, amount numeric, after numeric, "accountSeq" bigint, "changeType" text, "bizOrderNo" text, "time" timestamptz) returns bytea language sql stable parallel safe
  return sha256((previous || convert_to((json_build_array("userId", seq, kind, (origin)::text, (amount)::text, (after)::text, "accountSeq", "changeType", "bizOrderNo", ((extract(epoch from "time") * (1000000)::numeric))::bigint))::text, 'UTF8'::name)));

-- Posts entries of the players’ site. One that was posted before is answered as it was then; MN004: with other content.
create function post_foreign_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[]) returns table(place integer, id bigint, "userId" bigint, "originAmount" numeric, "newAmount" numeric, "totalAmount" numeric, owed numeric, problem text) language plpgsql set plan_cache_mode=force_generic_plan as $$
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

-- Writes off a part of what a player owes; gives the debt before and after. MN002: no such account, MN007: less is owed.
create function write_off_debt(account_id bigint, amount numeric) returns table(before numeric, after numeric) language plpgsql as $$
declare
  a account;
  d account_debt;
begin
  select * into a from account where id = account_id for no key update;
  if not found then
    raise exception 'no account %', account_id using errcode = 'MN002';
  elsif amount > a.debt then
    raise exception 'account % does not owe so much', account_id using errcode = 'MN007';
  end if;
  d."userId" := a."userId";
  d."debtSeq" := a."debtSeq" + 1;
  d.kind := 'WRITTEN_OFF';
  d."changeType" := 'DEBT_WRITE_OFF';
  d."originDebt" := a.debt;
  d.amount := as_money(amount);
  d."newDebt" := as_money(a.debt - amount);
  d."createTime" := now();
  d.hash := debt_hash(a."debtHash", d."userId", d."debtSeq", d.kind, d."originDebt", d.amount, d."newDebt", null, d."changeType", null,
    d."createTime");
  insert into account_debt ("userId", "debtSeq", kind, "originDebt", amount, "newDebt", "changeType", "createTime", hash)
  values (d."userId", d."debtSeq", d.kind, d."originDebt", d.amount, d."newDebt", d."changeType", d."createTime", d.hash);
  update account set debt = d."newDebt", "debtSeq" = d."debtSeq", "debtHash" = d.hash where id = a.id;
  return query select d."originDebt", d."newDebt";
end $$;

-- The advisory lock of a phase: whoever bets holds it shared, a settlement takes it exclusively and then sees every slip.
create function betting_key("gameId" bigint, phase text) returns bigint language sql immutable strict parallel safe
  return hashtextextended(((('betting/' || "gameId") || '/') || phase), (0)::bigint);

-- Whether betting on a plan has begun, so that planning anew leaves it alone.
create function plan_stands(p draw_plan, at timestamptz) returns boolean language sql stable
  return (((p).status = 'WAITTING') and ((p)."startTime" <= at) and ((exists (select from game g where ((g.id = (plan_stands.p)."gameId") and g.status and g."betStatus" and (g."stopBetSecond" >= 2)))) or (exists (select from slip s where ((s."gameId" = (plan_stands.p)."gameId") and (s.phase = (plan_stands.p).phase))))));

-- Limits how long placing or cancelling waits and works, since a settlement waits for it.
create function betting_patience() returns void language plpgsql as $$
declare
  left_ms integer := 1000 - (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000)::integer;
begin
  if left_ms <= 0 then
    raise exception 'a bet took too long' using errcode = 'BE003';
  end if;
  perform set_config('lock_timeout', left_ms::text, true);
end $$;

-- Cancels a slip before its phase closes, and gives back its stake.
create function cancel_slip(of_slip bigint, who text, why text) returns void language plpgsql as $$
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
  select c.closes into strict closes from draw_plan p join game g on g.id = p."gameId",
      lateral closing_of(g.id, p.phase, g."stopBetSecond", p."startTime", p."endTime") as c
    where p.id = s."planId";
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
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
  -- It may have closed while others were waited for.
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
end $$;

-- The advisory lock under which settlements of a phase begin, so that their ids are in the order of commits.
create function settlement_key("gameId" bigint, phase text) returns bigint language sql immutable strict parallel safe
  return hashtextextended(((('settlement/' || "gameId") || '/') || phase), (0)::bigint);

-- Begins the settlement of a record, held while its sources disagree.
create function begin_settlement(p_kind text, r draw_record) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(r."gameId", r.phase));
  insert into settlement (kind, "gameId", phase, "recordId", result, "local", status, stopped, problem)
  values (p_kind, r."gameId", r.phase, r.id, r.result, r.seed is not null, case when r.conflict then 'HELD' else 'RUNNING' end,
    r.conflict, case when r.conflict then '开奖结果有冲突' end);
end $$;

-- An agent and those above, the nearest first, as a slip keeps them.
create function agent_chain(agent bigint) returns jsonb language sql stable parallel safe as $$
  with recursive up (id, "parentId", place) as (
    select a.id, a."parentId", 1 from agent a where a.id = $1
    union all
    select a.id, a."parentId", up.place + 1 from up join agent a on a.id = up."parentId" where up.place < 100
  )
  select case when $1 is null then '[]'::jsonb
    else coalesce((select jsonb_agg(jsonb_build_object('id', up.id) order by up.place) from up), jsonb_build_array(jsonb_build_object('id', $1))) end
$$;

-- The limits that hold for a play way, each with its scope: the row it comes from, so that bets under one limit are added up.
create function limits_of("ofGame" bigint, "ofPlayWay" bigint) returns table("minStake" numeric, "maxStake" numeric, "maxLineStake" numeric, "maxUserStake" numeric, "userScope" text, "maxNumberPayout" numeric, "maxLoss" numeric, "lossScope" text, "payoutCapUnit" numeric, "payoutCapLine" numeric, "payoutCapSlip" numeric, "slipScope" text, "payoutCapUser" numeric, "payScope" text) language sql stable rows 1 as $$
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

-- What lines take of each counter of limits, and the limit of that counter.
create function limit_takes("ofGame" bigint, lines bigint[], users bigint[]) returns table(kind text, scope text, owner bigint, number text, amount numeric, "isFloored" boolean, most numeric) language sql stable rows 10 as $$
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

-- Adds what lines take to the counters; gives the first limit that this exceeds as {kind, most, left, playWayId, number}.
create function take_limits("ofGame" bigint, "ofPhase" text, lines bigint[], users bigint[]) returns jsonb language sql as $$
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
      set taken = c.taken + excluded.taken, worst = greatest(c.worst, excluded.worst), "boundBefore" = c.bound
    returning c.scope, c.bound - c."boundBefore" as more
  ), more as materialized (
    select scope, sum(more) as more from book group by scope
  ), loss as (
    insert into limit_counter as c ("gameId", phase, kind, scope, owner, number, taken)
    select "ofGame", "ofPhase", 'LOSS', scope, 0, '', more from more order by scope
    on conflict ("gameId", phase, kind, scope, owner, number) do update set taken = c.taken + excluded.taken
    returning c.scope, c.taken
  )
  select jsonb_build_object('kind', over.kind, 'most', as_money(over.most)::text, 'left', as_money(greatest(over.before, 0))::text,
    'playWayId', over.owner, 'number', over.number)
  from (
    select t.kind, t.owner, t.number, t.most, t.most - (o.taken - t.amount) as before
    from own o join take t using (kind, scope, owner, number) where t.kind in ('USER', 'NUMBER') and o.taken > t.most
    union all
    select 'LOSS', 0, '', t.most, t.most - (l.taken - m.more)
    from loss l join more m using (scope) join (select scope, min(most) as most from take where kind = 'BOOK' group by scope) as t using (scope) where l.taken > t.most
  ) as over
  order by array_position(array['USER', 'NUMBER', 'LOSS'], over.kind), over.owner, over.number limit 1
$$;

-- Takes what lines took off the counters again.
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
        and w.scope = c.scope and w.owner = c.owner and w.number like c.number || ' %'), 0),
      "boundBefore" = c.bound
    from take t
    where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'BOOK'
      and (t.kind, t.scope, t.owner, t.number) = (c.kind, c.scope, c.owner, c.number)
    returning c.scope, c.bound - c."boundBefore" as more
  )
  update limit_counter c set taken = c.taken + b.more
  from (select scope, sum(more) as more from book group by scope order by scope) as b
  where c."gameId" = "ofGame" and c.phase = "ofPhase" and c.kind = 'LOSS' and c.scope = b.scope;
end $$;

-- Whether any limit of a game is counted.
create function counts_limits("ofGame" bigint) returns boolean language sql stable
  return (exists (select from bet_limit where (((bet_limit."gameId" = counts_limits."ofGame") or (bet_limit."gameId" is null)) and ((bet_limit."maxUserStake" is not null) or (bet_limit."maxNumberPayout" is not null) or (bet_limit."maxLoss" is not null)))));

-- Counts a phase anew by the limits as they are; nobody may bet on it meanwhile.
create function recount_limits("ofGame" bigint, "ofPhase" text) returns void language plpgsql as $$
declare
  lines bigint[];
  users bigint[];
begin
  if not counts_limits("ofGame") then
    delete from limit_counter c where c."gameId" = "ofGame" and c.phase = "ofPhase";
    return;
  end if;
  select array_agg(l.id), array_agg(s."userId") into lines, users
  from slip s join slip_line l on l."slipId" = s.id
  where s."gameId" = "ofGame" and s.phase = "ofPhase" and not s."testAccount" and l.status not in ('CANCELLED', 'VOID');
  perform put_limits("ofGame", "ofPhase", array(
    select (t.kind, t.scope, t.owner, t.number, t.amount, t."isFloored")::limit_take from limit_takes("ofGame", lines, users) as t));
end $$;

-- What lines add to the exposure of their phase, by number where the rules allow it.
create function exposed(lines slip_line[]) returns table("lineId" bigint, number text, stake numeric, units bigint, payout numeric, selection text, "unitStake" numeric) language sql stable rows 2 as $$
  select l.id, c.number, l."unitStake", 1::bigint, least(trunc(l."unitStake" * c.odds, 4), r."lineCap"), null, null::numeric
  from unnest(lines) as l join slip_rules r on r.id = l."rulesId", lateral (
    select o.number, o.odds from jsonb_to_recordset(case jsonb_typeof(l.odds) when 'array' then l.odds else '[]' end)
      as o (number text, odds numeric)
    union all
    select o.number, (l.odds #>> '{}')::numeric from string_to_table(l.selection, r."cellSeparator") as o (number)
      where jsonb_typeof(l.odds) = 'string') as c
  where r."cellSeparator" is not null
  union all
  select l.id, '', l.stake, l.units::bigint, l."maxPayout", case when r."fewDraws" then l.selection end,
    case when r."fewDraws" then l."unitStake" end
  from unnest(lines) as l join slip_rules r on r.id = l."rulesId" where r."cellSeparator" is null
$$;

-- Adds exposure_delta to exposure. Returns how many rows it took, null while another one folds.
create function fold_exposure() returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_exposure', 0)) then
    return null;
  end if;
  with gone as (
    delete from exposure_delta where ctid in (select ctid from exposure_delta limit 50000) returning *
  ), cells as (
    insert into exposure as e ("gameId", phase, "playWayId", "rulesId", number, stake, units, payout)
    select "gameId", phase, "playWayId", "rulesId", number, sum(stake), sum(units), sum(payout) from gone group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict ("gameId", phase, "playWayId", "rulesId", number) do update
      set stake = e.stake + excluded.stake, units = e.units + excluded.units, payout = e.payout + excluded.payout
  ), choices as (
    insert into exposure_choice as e ("gameId", phase, "rulesId", hash, selection, stake, "unitStake")
    select "gameId", phase, "rulesId", sha256(convert_to(selection, 'UTF8')), selection, sum(stake), sum("unitStake") from gone
    where selection is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4
    on conflict ("gameId", phase, "rulesId", hash) do update
      set stake = e.stake + excluded.stake, "unitStake" = e."unitStake" + excluded."unitStake"
  )
  select count(*) into folded from gone;
  return folded;
end $$;

-- How long after midnight a day of the report begins.
create function report_day_start() returns interval language sql stable
  return coalesce((select ((param_setting.value)::time - '00:00:00'::time) from param_setting where ((param_setting.key = 'report.dayStart') and (param_setting.value ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'))), '00:00:00'::interval);

-- The day of the report in which a moment lies, in the zone of the session.
create function report_day(at timestamptz, starts interval default report_day_start()) returns date language sql stable
  return (select (shown.day + case when ((first.at <= report_day.at) and ((first.at)::timestamp = ((shown.day + 1) + report_day.starts))) then 1 else 0 end) from (select (((report_day.at)::timestamp - report_day.starts))::date as day, (((report_day.at - '03:00:00'::interval))::timestamp - ((report_day.at - '03:00:00'::interval) at time zone 'UTC')) as ahead) shown, lateral (select ((((shown.day + 1) + report_day.starts) - shown.ahead) at time zone 'UTC') as at) first);

-- The advisory lock of a day: whoever counts on it holds it shared, whoever closes it takes it exclusively.
create function report_day_key(day date) returns bigint language sql immutable strict parallel safe
  return hashtextextended(('report day/' || (day - '2000-01-01'::date)), (0)::bigint);

-- The day on which something counts that belongs to `wanted`: that day while it is open, else today or the next open one.
create function open_report_day(wanted date) returns date language plpgsql as $$
declare
  open_day date := wanted;
begin
  loop
    perform pg_advisory_xact_lock_shared(report_day_key(open_day));
    if not exists (select from report_closed_day c where c.day = open_day) then
      return open_day;
    end if;
    open_day := greatest(open_day + 1, report_day(clock_timestamp()));
  end loop;
end $$;

-- The day on which something counts that is done now.
create function report_day_of_act() returns date language sql
  return open_report_day(report_day(clock_timestamp()));

-- The ids of the agents that a slip counts for: 0 for all, -1 for none.
create function report_agents(agents jsonb) returns bigint[] language sql stable parallel safe
  return case when (agents = '[]'::jsonb) then '{0,-1}'::bigint[] else (translate(('[0,' || substr((jsonb_path_query_array(agents, '$[*]."id"'::jsonpath))::text, 2)), '[]', '{}'))::bigint[] end;

-- Counts paid rebates in the report, on the day they are for.
create function count_rebates(of_day date, users bigint[], games bigint[], play_ways bigint[], of_agents jsonb[], amounts numeric[]) returns void language plpgsql as $$
declare
  counted date := open_report_day(of_day);
begin
  insert into report_entry (kind, day, "userId", "gameId", "playWayId", agents, rebate)
  select 'REBATE', counted, r.u, coalesce(r.game, -1), coalesce(r.way, -1), report_agents(r.chain), r.amount
  from unnest(users, games, play_ways, of_agents, amounts) as r (u, game, way, chain, amount);
end $$;

-- Adds report_delta to the counters. Returns how many rows it took, null while another one folds.
create function fold_report() returns bigint language plpgsql as $$
declare
  folded bigint := 0;
  each_day date;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_report', 0)) then
    return null;
  end if;
  for each_day in select distinct day from report_delta order by day loop
    folded := folded + fold_report_day(each_day, 10000 - folded);
    exit when folded >= 10000;
  end loop;
  return folded;
end $$;

-- Closes a day that is over, after hold_report_day and count_rebates. RP001: not over yet, RP002: closed already.
create function close_report_day(of_day date) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(report_day_key(of_day));
  if exists (select from report_closed_day where day = of_day) then
    raise exception 'day % is closed', of_day using errcode = 'RP002';
  elsif report_day(clock_timestamp()) <= of_day then
    raise exception 'day % is not over', of_day using errcode = 'RP001';
  end if;
  insert into report_closed_day (day, slips, players, stake, payout, refund, rebate, "writtenOff", unsettled)
  select of_day, coalesce(sum(slips), 0), coalesce(sum(players), 0) + (
      select count(distinct d."userId") from report_delta d where d.day = of_day and d.slips > 0 and not exists (
        select from report_player p where p.level = 0 and p."userId" = d."userId" and p."gameId" = 0 and p."playWayId" = 0
          and p.day = of_day and p.slips > 0)),
    as_money(coalesce(sum(stake), 0)), as_money(coalesce(sum(payout), 0)), as_money(coalesce(sum(refund), 0)),
    as_money(coalesce(sum(rebate), 0)), as_money(coalesce(sum("writtenOff"), 0)), as_money(coalesce(sum(unsettled), 0))
  from (
    select slips, players, stake, payout, refund, rebate, "writtenOff", unsettled from report_sum
    where level = 0 and "agentId" = 0 and "gameId" = 0 and "playWayId" = 0 and day = of_day
    union all
    select slips, 0, stake, payout, refund, rebate, "writtenOff", unsettled from report_delta where day = of_day) as part;
end $$;

-- Keeps everybody else from counting on a day until the transaction ends.
create function hold_report_day(of_day date) returns void language sql
  begin atomic select pg_advisory_xact_lock(report_day_key(of_day)) as pg_advisory_xact_lock; end;

-- Places slips that came at the same moment, each by itself; tells what became of each. Locks slip, account, counters of limits, in this order.
create function place_slips(users bigint[], numbers text[], games bigint[], phases text[], accepts text[], contents bytea[], catalogues bigint[], draw_times double precision[], limited boolean[], for_tests boolean[], owners integer[], play_ways bigint[], rules bigint[], selections text[], counts integer[], unit_stakes numeric[], line_odds text[], max_payouts numeric[], waiting boolean) returns table(place integer, problem text, detail text, "slipId" bigint, stake numeric, lines bigint[], stakes numeric[], payouts numeric[]) language plpgsql set plan_cache_mode=force_generic_plan as $$
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

-- Writes what a batch makes of slips and lines, posts the money, and notes what is left of the batch. Gives what could not be posted: then the caller undoes it all.
create function settle_slips(of_settlement bigint, of_no integer, rest bigint[], lines bigint[], line_statuses text[], winning_units integer[], pushed_units integer[], line_payouts numeric[], line_refunds numeric[], slips bigint[], places integer[], statuses text[], payouts numeric[], refunds numeric[], moved_payouts numeric[], moved_refunds numeric[], users bigint[], types text[], amounts numeric[], numbers text[], descs text[], sources text[]) returns table(place integer, problem text) language plpgsql set plan_cache_mode=force_generic_plan as $$
#variable_conflict use_column
declare
  staked numeric := 0;
begin
  if cardinality(slips) > 0 then
    update slip_line l set status = w.status, "winningUnits" = w.winning, "pushedUnits" = w.pushed, payout = as_money(w.payout),
      refund = as_money(w.refund)
    from unnest(lines, line_statuses, winning_units, pushed_units, line_payouts, line_refunds)
      as w (id, status, winning, pushed, payout, refund)
    where l.id = w.id;
    with change as materialized (
      select * from unnest(slips, places, statuses, payouts, refunds, moved_payouts, moved_refunds)
        as w (id, n, status, payout, refund, "movedPayout", "movedRefund")
    ), told as (
      insert into slip_settlement ("slipId", n, "settlementId", status, payout, refund, "movedPayout", "movedRefund")
      select id, n, of_settlement, status, as_money(payout), as_money(refund), as_money("movedPayout"), as_money("movedRefund") from change
    ), gone as (
      delete from slip_hold h using change w where h."slipId" = w.id
    ), changed as (
      update slip s set status = w.status, payout = as_money(w.payout), refund = as_money(w.refund),
        "settleTime" = case when w.status <> 'PENDING' then clock_timestamp() end
      from change w where s.id = w.id returning s.stake
    )
    select coalesce(sum(stake), 0) into staked from changed;
    if cardinality(users) > 0 then
      return query select p.place, p.problem from post_entries(users, types, amounts, numbers, descs, sources, alone => true) as p
        where p.problem is not null;
      if found then
        return;
      end if;
    end if;
  end if;
  update settlement_batch b set slips = rest, settled = b.settled + cardinality(settle_slips.slips), stake = as_money(b.stake + staked),
    payout = as_money(b.payout + (select coalesce(sum(m), 0) from unnest(moved_payouts) as m)),
    refund = as_money(b.refund + (select coalesce(sum(m), 0) from unnest(moved_refunds) as m))
  where b."settlementId" = of_settlement and b.no = of_no;
end $$;

-- What the slips of a phase with ids within bounds take of the limits, all or the cancelled ones.
create function slips_take("ofGame" bigint, "ofPhase" text, above bigint, upto bigint, "areCancelled" boolean default false) returns setof limit_take language plpgsql stable set plan_cache_mode=force_custom_plan as $$
declare
  lines bigint[];
  users bigint[];
begin
  if "areCancelled" then
    select array_agg(l.id), array_agg(s."userId") into lines, users
    from slip s join slip_line l on l."slipId" = s.id
    where s.status = 'CANCELLED' and s.id > above and s.id <= upto and s."gameId" = "ofGame" and s.phase = "ofPhase" and not s."testAccount";
  else
    select array_agg(l.id), array_agg(s."userId") into lines, users
    from slip s join slip_line l on l."slipId" = s.id
    where s."gameId" = "ofGame" and s.phase = "ofPhase" and s.id > above and s.id <= upto and not s."testAccount";
  end if;
  return query select t.kind, t.scope, t.owner, t.number, t.amount, t."isFloored" from limit_takes("ofGame", lines, users) as t;
end $$;

-- Replaces the counters of a phase.
create function put_limits("ofGame" bigint, "ofPhase" text, takes limit_take[]) returns void language plpgsql as $$
begin
  delete from limit_counter c where c."gameId" = "ofGame" and c.phase = "ofPhase";
  with take as materialized (
    select kind, scope, owner, number, sum(amount) as taken, bool_or(t."isFloored") as "isFloored"
    from unnest(takes) as t group by kind, scope, owner, number
  ), cell as (
    select scope, owner, split_part(number, ' ', 1) as number, max(taken) as worst from take where kind = 'CELL' group by 1, 2, 3
  ), book as (
    select t.scope, t.owner, t.number, t.taken, coalesce(c.worst, 0) as worst, t."isFloored"
    from take t left join cell c using (scope, owner, number) where t.kind = 'BOOK'
  ), loss as (
    select scope, sum(case when "isFloored" then greatest(taken + worst, 0) else taken + worst end) as taken from book group by scope
  )
  insert into limit_counter ("gameId", phase, kind, scope, owner, number, taken, worst, "isFloored")
  select "ofGame", "ofPhase", kind, scope, owner, number, taken, 0, false from take where kind <> 'BOOK' and taken <> 0
  union all select "ofGame", "ofPhase", 'BOOK', scope, owner, number, taken, worst, "isFloored" from book
  union all select "ofGame", "ofPhase", 'LOSS', scope, 0, '', taken, 0, false from loss;
end $$;

-- The id of the last slip that may have been bet on a phase by now: all up to it are committed, or never will be.
create function betting_mark("ofGame" bigint, "ofPhase" text) returns bigint language plpgsql as $$
declare
  mark bigint;
begin
  begin
    perform pg_advisory_xact_lock(betting_key("ofGame", "ofPhase"));
    select last_value into mark from slip_id_seq;
    raise exception 'let go' using errcode = 'BE000';
  exception when sqlstate 'BE000' then null;
  end;
  return mark;
end $$;

-- Counts most of a phase by new limits while betting on it goes on.
create function count_ahead("ofGame" bigint, "ofPhase" text) returns limit_count language plpgsql as $$
declare
  done limit_count := row("ofGame", "ofPhase", null, betting_mark("ofGame", "ofPhase"), null);
begin
  select coalesce(min(s.id), 0) into done.first
  from (select id from slip where "gameId" = "ofGame" and phase = "ofPhase" offset 0) as s;
  done.takes := array(select slips_take("ofGame", "ofPhase", 0, done.mark));
  return done;
end $$;

-- Counts what came since count_ahead and writes the counters; nobody may bet on the phase meanwhile.
create function count_rest(done limit_count) returns void language plpgsql as $$
begin
  if not counts_limits(done."gameId") or exists (
    select from settlement t where t."gameId" = done."gameId" and t.phase = done.phase) then
    perform recount_limits(done."gameId", done.phase);
    return;
  end if;
  perform put_limits(done."gameId", done.phase, done.takes || array(
    select slips_take(done."gameId", done.phase, done.mark, 9223372036854775807)) || array(
    select (t.kind, t.scope, t.owner, t.number, -t.amount, t."isFloored")::limit_take
    from slips_take(done."gameId", done.phase, done.first - 1, 9223372036854775807, true) as t));
end $$;

-- Which sums a row of limits has counted, as text; empty for none.
create function counted_kinds(of_user numeric, of_number numeric, of_loss numeric) returns text language sql immutable
  return concat_ws(' ', case when (of_user is not null) then 'USER' else null::text end, case when (of_number is not null) then 'NUMBER' else null::text end, case when (of_loss is not null) then 'LOSS' else null::text end);

-- The phases of games that take bets or are about to, in the order of locking.
create function phases_to_bet(games bigint[], every boolean) returns table("gameId" bigint, phase text) language sql as $$
  select p."gameId", p.phase from draw_plan p
  where p.status = 'WAITTING' and p."startTime" <= clock_timestamp() + interval '1 minute'
    and p."endTime" >= clock_timestamp() - interval '10 seconds' and (every or p."gameId" = any (games))
  order by p."gameId", p.phase
$$;

-- Runs every statement of settling on rows that do not exist, so that a session has its plans before they are needed.
create function rehearse_settling() returns void language plpgsql as $$
begin
  perform settle_slips(0, 0, '{}', '{0}', '{LOST}', '{0}', '{0}', '{0}', '{0}', '{0}', '{1}', '{LOST}', '{0}', '{0}', '{0}', '{0}',
    '{0}', '{WIN}', '{1}', '{null}', '{null}', '{null}');
  raise exception 'the rehearsal is over' using errcode = 'ST001';
exception when others then
  -- What cannot be done will be told by whoever means it.
  null;
end $$;

-- Whether there are slips on a plan.
create function plan_is_bet_on(p draw_plan) returns boolean language sql stable
  return (exists (select from slip s where ((s."gameId" = (plan_is_bet_on.p)."gameId") and (s.phase = (plan_is_bet_on.p).phase))));

-- The amount of a player’s limit at a moment, when a change to it may have come into force.
create function limit_at(l player_limit, at timestamptz) returns numeric language sql immutable
  return case when ((l)."nextTime" <= at) then (l)."nextAmount" else (l).amount end;

-- What a player has lost in the period up to a moment.
create function losses_used("ofUser" bigint, period text, at timestamptz) returns numeric language sql stable
  return (select coalesce(sum(each.loss), (0)::numeric) as "coalesce" from (select l.loss from player_loss l where ((l."userId" = losses_used."ofUser") and ((l.day >= (date_trunc(lower(losses_used.period), losses_used.at))::date) and (l.day <= (losses_used.at)::date))) union all select d.amount from player_loss_delta d where ((d."userId" = losses_used."ofUser") and ((d.day >= (date_trunc(lower(losses_used.period), losses_used.at))::date) and (d.day <= (losses_used.at)::date)))) each);

-- The first moment of a day in the zone of the session: its first midnight, or where clocks go on from it.
create function day_start(day date) returns timestamptz language sql stable
  return (select case when ((first.at)::timestamp = day_start.day) then first.at else shown.at end as at from (select (day_start.day)::timestamptz as at) shown, lateral (select ((shown.at - '03:00:00'::interval) + ((day_start.day)::timestamp - ((shown.at - '03:00:00'::interval))::timestamp)) as at) first);

-- What a player has paid in within a period, with orders that are still to be decided.
create function deposits_used("ofUser" bigint, period text, at timestamptz) returns numeric language sql stable
  return (select coalesce(sum(d.amount), (0)::numeric) as "coalesce" from deposit d where ((d."userId" = deposits_used."ofUser") and (d.status <> 'FAIL') and (d."createTime" >= (select day_start((date_trunc(lower(deposits_used.period), (deposits_used.at)::timestamp))::date) as day_start)) and (d."createTime" < (select day_start(((date_trunc(lower(deposits_used.period), (deposits_used.at)::timestamp) + (('1 ' || deposits_used.period))::interval))::date) as day_start))));

-- The loss limit that `more` would exceed first, as {period, most, left}; null where none.
create function loss_over("ofUser" bigint, more numeric, at timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object('period', l.period, 'most', as_money(l.most)::text, 'left', as_money(greatest(l.most - l.used, 0))::text)
  from (select k.period, limit_at(k, at) as most, losses_used("ofUser", k.period, at) as used from player_limit k
    where k.kind = 'LOSS' and k."userId" = "ofUser" offset 0) as l
  where l.used + more > l.most order by l.most - l.used limit 1
$$;

-- Counts what new slips may lose; gives the first loss limit that this exceeds.
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

-- Begins to count the losses of a player, those of the running week and month included.
create function begin_losses("ofUser" bigint) returns void language plpgsql as $$
declare
  since timestamptz := day_start(least(date_trunc('week', now()), date_trunc('month', now()))::date);
begin
  perform from slip s where s."userId" = "ofUser" and s."createTime" >= since order by s.id for share;
  perform from account where "userId" = "ofUser" for no key update;
  perform from slip s where s."userId" = "ofUser" and s."createTime" >= since order by s.id for share;
  insert into player_loss ("userId", day, loss)
  select "ofUser", s."createTime"::date, sum(s.stake - s.refund - s.payout) from slip s
  where s."userId" = "ofUser" and s."createTime" >= since group by 2;
end $$;

-- Has the deposits of one player placed one after another, by an advisory lock.
create function deposits_one_by_one("ofUser" bigint) returns void language sql
  return pg_advisory_xact_lock(hashtextextended(('deposits/' || "ofUser"), (0)::bigint));

-- Why a deposit of a player is refused, as {problem, until, period, most, left}; null where nothing is in the way.
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

-- Posts credits and debits that operators make, with the change records and the answers under their keys, in one statement.
create function move_by_hand(accounts bigint[], types text[], amounts numeric[], descs text[], remarked boolean[], operators bigint[], names text[], calls text[], summaries text[], inputs jsonb[], addresses text[], msgs text[], statuses integer[], keys text[], requests bytea[], answers bytea[], waiting boolean) returns table(place integer, problem text, above numeric) language plpgsql set plan_cache_mode=force_generic_plan set enable_seqscan=off as $$
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

-- The work of post_entries on accounts that are locked already.
create function post_held(held posting_account[], slots integer[], types text[], amounts numeric[], numbers text[], descs text[], sources text[], times timestamptz[], alone boolean) returns posting_result[] language plpgsql as $$
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

-- Posts entries in their order: locks the accounts, writes the ledger, updates balances. With `alone` the others are posted where one cannot be, which its problem tells (MN001 to MN005); else none is. With `passing` locked accounts are passed over (BUSY).
create function post_entries(users bigint[], types text[], amounts numeric[], numbers text[], descs text[], sources text[] default null::text[], times timestamptz[] default null::timestamptz[], alone boolean default false, passing boolean default false) returns table(place integer, id bigint, "userId" bigint, "originAmount" numeric, "newAmount" numeric, "totalAmount" numeric, owed numeric, problem text) language plpgsql set plan_cache_mode=force_generic_plan as $$
#variable_conflict use_column
declare
  held posting_account[];
  slots integer[];
begin
  if passing then
    select array_agg(one::posting_account) into held
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where "userId" = any (users) order by "userId" for no key update skip locked) as one;
  else
    select array_agg(one::posting_account) into held
    from (select id, "userId", "totalAmount", "availableAmount", "freezeAmount", "lastSeq", "lastHash", debt, "debtSeq", "debtHash"
      from account where "userId" = any (users) order by "userId" for no key update) as one;
  end if;
  if cardinality(users) = 1 then
    slots := array[1];
  else
    -- The accounts lie in the order of users, so an entry's is found by its rank; no join, whose plan would be a guess.
    select array_agg(r.slot order by r.place) into slots
    from (select place, dense_rank() over (order by "userId") as slot from unnest(users) with ordinality as u ("userId", place)) as r;
    if coalesce(cardinality(held), 0) < (select max(slot) from unnest(slots) as slot) then
      -- Some users have no account, or one that somebody else holds: their places are held by nothing.
      select array_agg(one order by u."userId") into held
      from (select distinct "userId" from unnest(users) as "userId") as u left join unnest(held) as one using ("userId");
    end if;
  end if;
  return query
  select r.place::integer, r.id, users[r.place], r."originAmount", r."newAmount", r."totalAmount", r.owed,
    case when passing and r.problem = 'MN002' and exists (select from account where account."userId" = users[r.place]) then 'BUSY'
      else r.problem end
  from unnest(post_held(held, slots, types, amounts, numbers, descs, sources, times, alone)) with ordinality
    as r (id, "userId", "originAmount", "newAmount", "totalAmount", owed, problem, place);
end $$;

-- Adds some of report_delta of one day to the counters.
create function fold_report_day(of_day date, most bigint default 10000) returns bigint language plpgsql set plan_cache_mode=force_generic_plan as $$
declare
  folded bigint;
  came report_player[];
begin
  with gone as (
    delete from report_delta d where d.ctid in (select ctid from report_delta where day = of_day limit most) returning d.*
  ), part as materialized (
    select l.level, g."userId", l."gameId", l."playWayId", g.agents, sum(case l.level when 2 then g."waySlips" else g.slips end) as slips,
      sum(stake) as stake, sum(payout) as payout, sum(refund) as refund, sum(rebate) as rebate, sum("writtenOff") as "writtenOff",
      sum(unsettled) as unsettled
    from gone g, lateral (values (0, 0, 0), (1, g."gameId", 0), (2, g."gameId", g."playWayId")) as l (level, "gameId", "playWayId")
    group by 1, 2, 3, 4, 5
  ), player as (
    insert into report_player as p (level, "userId", "gameId", "playWayId", day, agents, slips, stake, payout, refund, rebate, "writtenOff",
      unsettled)
    select level, "userId", "gameId", "playWayId", of_day, agents, slips, stake, payout, refund, rebate, "writtenOff", unsettled
    from part order by 1, 2, 3, 4, 6
    on conflict (level, "userId", "gameId", "playWayId", day, agents) do update set slips = p.slips + excluded.slips,
      stake = p.stake + excluded.stake, payout = p.payout + excluded.payout, refund = p.refund + excluded.refund,
      rebate = p.rebate + excluded.rebate, "writtenOff" = p."writtenOff" + excluded."writtenOff",
      unsettled = p.unsettled + excluded.unsettled
    returning p as now, p.level, p."userId", p."gameId", p."playWayId", p.agents, p.slips
  ), summed as (
    insert into report_sum as s (level, "agentId", "gameId", "playWayId", day, slips, stake, payout, refund, rebate, "writtenOff", unsettled)
    select level, a.id, "gameId", "playWayId", of_day, sum(slips), sum(stake), sum(payout), sum(refund), sum(rebate), sum("writtenOff"),
      sum(unsettled)
    from part, unnest(agents) as a (id) group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (level, "agentId", "gameId", "playWayId", day) do update set slips = s.slips + excluded.slips,
      stake = s.stake + excluded.stake, payout = s.payout + excluded.payout, refund = s.refund + excluded.refund,
      rebate = s.rebate + excluded.rebate, "writtenOff" = s."writtenOff" + excluded."writtenOff",
      unsettled = s.unsettled + excluded.unsettled
  )
  select (select count(*) from gone), (
    select array_agg(player.now) from player join part using (level, "userId", "gameId", "playWayId", agents)
    where player.slips > 0 and player.slips = part.slips
  ) into folded, came;
  if came is null then
    return folded;
  end if;

  with candidate as (
    select p.level, a.id as agent, p."gameId", p."playWayId", p."userId", count(*) as n
    from unnest(came) as p, unnest(p.agents) as a (id) group by 1, 2, 3, 4, 5
  ), fresh as materialized (
    select c.* from candidate c where c.n = (
      select count(*) from report_player p where p.level = c.level and p."userId" = c."userId" and p."gameId" = c."gameId"
        and p."playWayId" = c."playWayId" and p.day = of_day and p.slips > 0 and c.agent = any (p.agents))
  ), placed as materialized (
    select f.*, coalesce((
        select p.day from report_player p where p.level = f.level and p."userId" = f."userId" and p."gameId" = f."gameId"
          and p."playWayId" = f."playWayId" and p.day < of_day and p.slips > 0 and f.agent = any (p.agents)
        order by p.day desc limit 1), '-infinity') as before, (
        select p.day from report_player p where p.level = f.level and p."userId" = f."userId" and p."gameId" = f."gameId"
          and p."playWayId" = f."playWayId" and p.day > of_day and p.slips > 0 and f.agent = any (p.agents)
        order by p.day limit 1) as after
    from fresh f
  ), returned as (
    insert into report_return as r (level, "agentId", "gameId", "playWayId", day, before, n)
    select level, agent, "gameId", "playWayId", m.day, m.before, sum(m.n)
    from placed, lateral (values (of_day, before, 1), (after, before, -1), (after, of_day, 1)) as m (day, before, n)
    where m.day is not null group by 1, 2, 3, 4, 5, 6 having sum(m.n) <> 0 order by 1, 2, 3, 4, 5, 6
    on conflict (level, "agentId", "gameId", "playWayId", day, before) do update set n = r.n + excluded.n
  )
  update report_sum s set players = s.players + f.n
  from (select level, agent, "gameId", "playWayId", count(*) as n from fresh group by 1, 2, 3, 4) as f
  where s.level = f.level and s."agentId" = f.agent and s."gameId" = f."gameId" and s."playWayId" = f."playWayId" and s.day = of_day;
  return folded;
end $$;

-- When the betting of a phase closes: before its draw by the stopBetSecond that held when it began, or when its public value comes out.
create function closing_of(game_id bigint, stop_seconds integer, starts timestamptz, ends timestamptz) returns table(closes timestamptz) language sql stable rows 1 as $$
  select ends - coalesce((select f."stopBetSecond" from former_stop f where f."gameId" = game_id and f.until > starts
    order by f.until limit 1), stop_seconds) * interval '1 second'
$$;

-- When the betting of a phase closes: before its draw by the stopBetSecond that held when it began, or when its public value comes out.
create function closing_of(game_id bigint, of_phase text, stop_seconds integer, starts timestamptz, ends timestamptz) returns table(closes timestamptz) language sql stable rows 1 as $$
  select least(c.closes, (select to_timestamp((b.rules #>> '{beacon,time}')::float8) from draw_commitment b
    where b."gameId" = game_id and b.phase = of_phase))
  from closing_of(game_id, stop_seconds, starts, ends) as c
$$;
