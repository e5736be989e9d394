-- Rows that are written once are sealed soon after: blocks of consecutive rows get a number for each row and a MAC under a key that the
-- database never sees. Who owns the database can change a row, and cannot make the MAC that would hide it.

-- What a settlement made of a slip gets an order of its own, by which it is sealed.
alter table slip_settlement add column id bigint generated always as identity;
create unique index slip_settlement_id on slip_settlement (id);

-- One block: rows of a kind with ids from "fromId" to "toId", numbered from "firstNo" on in the order of their ids. Blocks join without holes, but
-- for those of rows that came `late`, whose transaction ended after later ids had been sealed: these are the rows that their `marks` name.
-- `marks` are the id (8 bytes) and the first 4 bytes of the hash of each row, by which a changed row is found; `digest` is SHA-256 over
-- the hashes of all rows. Times are whole seconds, of the rows themselves and of the sealing.
create table seal (
  kind text not null check (kind in ('LEDGER', 'DEBT', 'CHANGE', 'DRAW', 'CORRECTION', 'SLIP', 'OUTCOME')),
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
create trigger seal_append_only before update or delete or truncate on seal
  for each statement execute function refuse_change();
revoke update, delete, truncate on seal from public, current_user;

-- Ids below what is sealed that may still come, while any of the transactions that wrote to the table at that time is under way.
create table seal_gap (
  id bigint generated always as identity primary key,
  kind text not null,
  -- An int8multirange.
  ids text not null,
  writers text[] not null
);

-- The heads of all seals at one moment, to be kept where no owner of this database reaches. `content` is what is exported.
create table anchor (
  id bigint primary key check (id > 0),
  code text not null unique,
  content text not null,
  "createTime" timestamptz not null default clock_timestamp()
);
create trigger anchor_append_only before update or delete or truncate on anchor
  for each statement execute function refuse_change();
revoke update, delete, truncate on anchor from public, current_user;

-- An anchor on its way out; one that could not go is tried again.
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
