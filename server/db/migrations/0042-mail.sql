create table mail_config (
  id bigint generated always as identity primary key,
  host text not null,
  port integer not null check (port between 1 and 65535),
  username text,
  -- Encrypted and bound to this row.
  password bytea,
  "enableStarttls" boolean not null default false,
  active boolean not null default false,
  "registerTemplate" text,
  "loginTemplate" text,
  "addReceiveAccountTemplate" text,
  "changeLoginPasswordTemplate" text,
  "changeSecondPasswordTemplate" text,
  "withdrawTemplate" text
);
-- Of the configs exactly one is active: never two, and at the end of a transaction never none.
create unique index mail_config_active on mail_config (active) where active;
create function demand_active_mail_config() returns trigger language plpgsql as $$
begin
  if exists (select from mail_config) and not exists (select from mail_config where active) then
    raise exception 'one mail config must be active' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger mail_config_one_active after insert or update or delete on mail_config
  deferrable initially deferred for each row execute function demand_active_mail_config();

-- Mails on their way and what became of them. What they say is encrypted, bound to the row, and gone once it was taken.
create table mail_outbox (
  id bigint generated always as identity primary key,
  template text not null,
  "to" text not null,
  content bytea,
  status text not null default 'PENDING' check (status in ('PENDING', 'SENDING', 'SENT', 'FAILED')),
  attempts integer not null default 0,
  "lastError" text,
  "createTime" timestamptz not null default now(),
  -- When the next attempt is due; while sending, when whoever sends is given up for dead.
  "nextTime" timestamptz default now(),
  "sentTime" timestamptz
);
create index mail_outbox_due on mail_outbox ("nextTime") where status in ('PENDING', 'SENDING');
create index mail_outbox_status on mail_outbox (status, id desc);
create index mail_outbox_to on mail_outbox (lower("to") text_pattern_ops);
