-- Columns are named as on the wire. Every table's "id" is an identity; times are timestamptz.

-- A table guarded by this trigger takes inserts only.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% on % is refused: the table is append-only', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;

create table operator (
  id bigint generated always as identity primary key,
  "userName" text not null,
  "userNo" text generated always as (lpad((10000 + id)::text, 5, '0')) stored,
  "passwordHash" text not null,
  -- The TOTP secret, encrypted and bound to this row; and the time steps whose codes were taken lately.
  "googleSecret" bytea,
  "googleSteps" bigint[] not null default '{}',
  "createDate" timestamptz not null default now(),
  "editDate" timestamptz not null default now()
);
-- Names that differ in case only would be mistaken for one another.
create unique index operator_user_name on operator (lower("userName"));

create table role (
  id bigint generated always as identity primary key,
  "desc" text not null,
  name text not null unique,
  "createDate" timestamptz not null default now(),
  "editDate" timestamptz not null default now()
);

create table menu (
  id bigint generated always as identity primary key,
  title text not null,
  type text not null check (type in ('FOLDER', 'MENU', 'BTN')),
  "iconClass" text,
  path text,
  "urlExpression" text,
  "index" integer not null default 0,
  "parentId" bigint references menu,
  "createDate" timestamptz not null default now(),
  "editDate" timestamptz not null default now()
);
create unique index menu_path on menu (path) where path is not null;
create index menu_parent on menu ("parentId");

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

-- One row. Whoever changes who may do what adds one to it in the same transaction: the row lock puts such changes in
-- line, and every server drops what it remembers of sessions when the number moves.
create table access_epoch (
  singleton boolean primary key default true check (singleton),
  epoch bigint not null default 0
);
insert into access_epoch default values;

-- One sign-in; its tokens are a family that is revoked as a whole.
create table session (
  id uuid primary key,
  "operatorId" bigint not null references operator on delete cascade,
  address text not null,
  "createTime" timestamptz not null default now(),
  "revokeTime" timestamptz
);
create index session_operator on session ("operatorId");

-- Tokens are kept as SHA-256 only.
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

-- Failed sign-ins in a row, of an account name (known or not) or of an address.
create table sign_in_failure (
  kind text not null check (kind in ('account', 'address')),
  subject text not null,
  count integer not null,
  "blockedUntil" timestamptz,
  "updateTime" timestamptz not null default now(),
  primary key (kind, subject)
);
create index sign_in_failure_age on sign_in_failure ("updateTime");

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
  outcome text not null check (outcome in ('SUCCESS', 'REFUSED', 'DENIED', 'FAULT')),
  msg text
);
create index change_record_time on change_record ("createTime");
create index change_record_operator on change_record ("operatorId", id);
create trigger change_record_append_only before update or delete or truncate on change_record
  for each statement execute function refuse_change();
revoke update, delete, truncate on change_record from public, current_user;

-- The first answer to a change sent with an Idempotency-Key; encrypted, since answers can hold secrets.
create table idempotency_key (
  "operatorId" bigint not null,
  key text not null,
  "requestHash" bytea not null,
  status integer,
  answer bytea,
  "createTime" timestamptz not null default now(),
  primary key ("operatorId", key)
);
create index idempotency_key_age on idempotency_key ("createTime");

-- What the seed has put in, so that a row an operator removed does not come back and one they edited stays theirs.
create table seed_row (
  key text primary key,
  value text not null
);
