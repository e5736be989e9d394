-- With what program somebody signed in, as it names itself.
alter table session add column agent text not null default '';
alter table login_record add column agent text not null default '';

-- When and from where a session was last used: written every few seconds for all sessions in use, so apart from what access hangs on.
create table session_use (
  "sessionId" uuid primary key references session on delete cascade,
  "useTime" timestamptz not null,
  address text not null
);
