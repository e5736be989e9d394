-- A messaging account an operator signs in to for a player. Its TDLib client runs on one server: `holder` is the process,
-- `leaseTime` how long that process may go on without renewing, `place` the DATA_DIR that has the database folder, whose
-- name is the client id. `running` says that a server at that place starts the client again by itself.
create table chat_session (
  id bigint generated always as identity primary key,
  "operatorId" bigint not null references operator on delete cascade,
  "userId" bigint not null,
  phone text,
  "clientId" text,
  "authState" text,
  detail text,
  "lastActivityTime" timestamptz,
  -- The key of the client's database folder, sealed and bound to this row.
  "databaseKey" bytea,
  running boolean not null default false,
  place uuid,
  holder uuid,
  -- Raw X25519 public key of the holder: what is sent to it can be read by that process only.
  "holderKey" bytea,
  "leaseTime" timestamptz,
  "createTime" timestamptz not null default now()
);
create index chat_session_operator on chat_session ("operatorId", id);
create index chat_session_user on chat_session ("userId");
create index chat_session_holder on chat_session (holder) where holder is not null;
create index chat_session_place on chat_session (place) where running;

-- Commands on their way to the server that holds the session. They live for seconds and are worthless afterwards.
create unlogged table chat_command (
  id bigint generated always as identity primary key,
  "sessionId" bigint not null references chat_session on delete cascade,
  holder uuid not null,
  -- Readable by the holder's process only; emptied when taken.
  sealed bytea,
  answer jsonb,
  "createTime" timestamptz not null default now()
);
create index chat_command_holder on chat_command (holder, id);
