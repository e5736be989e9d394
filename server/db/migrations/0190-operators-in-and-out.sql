-- A disabled operator keeps name, roles and history, and cannot sign in. A temporary password was given by somebody else: it opens
-- nothing but its own change. The last sign-in stands here, since the log of sign-ins ends some day.
alter table operator
  add column disabled boolean not null default false,
  add column "passwordTemporary" boolean not null default false,
  add column "lastLoginTime" timestamptz,
  add column "lastLoginAddress" text;
update operator o set "lastLoginTime" = l."createTime", "lastLoginAddress" = l.address
  from (select distinct on ("operatorId") "operatorId", "createTime", address from login_record
    where outcome = 'SUCCESS' order by "operatorId", id desc) l
  where l."operatorId" = o.id;

-- A Google key that its operator has begun to bind. It counts once a first code of it was given, within minutes.
create table pending_google_key (
  "operatorId" bigint primary key references operator on delete cascade,
  -- Encrypted and bound to this row.
  secret bytea not null,
  "createTime" timestamptz not null default now()
);

-- What takes the place of a Google code when the phone is lost: each counts once. Random enough that SHA-256 keeps them.
create table recovery_code (
  "operatorId" bigint not null references operator on delete cascade,
  hash bytea not null,
  "spendTime" timestamptz,
  primary key ("operatorId", hash)
);

-- Wrong codes of somebody signed in are counted like wrong old passwords, by the operator's id.
alter table sign_in_failure drop constraint sign_in_failure_kind_check;
alter table sign_in_failure add constraint sign_in_failure_kind_check
  check (kind in ('account', 'address', 'password', 'code'));
