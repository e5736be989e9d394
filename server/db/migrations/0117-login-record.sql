-- Who signed in or tried to, from where, and how it ended. Unlike the record of changes it ends some day: see the parameter
-- retention.loginRecordDays. Nothing in it is ever altered.
create table login_record (
  id bigint generated always as identity primary key,
  "createTime" timestamptz not null default clock_timestamp(),
  -- Nobody when no operator has the name; the name is the operator's then, else as it was typed.
  "operatorId" bigint,
  "userName" text not null,
  address text not null,
  outcome text not null check (outcome in ('SUCCESS', 'REJECTED', 'LOCKED', 'HELD')),
  msg text not null
);
create index login_record_time on login_record ("createTime");
create index login_record_user_name on login_record (lower("userName"), id desc);
create index login_record_outcome on login_record (outcome, id desc) where outcome <> 'SUCCESS';
create index login_record_locked on login_record (lower("userName"), address, "createTime") where outcome = 'LOCKED';
create trigger login_record_unaltered before update or truncate on login_record
  for each statement execute function refuse_change();
