-- 返水, 返点 and 邀请奖励: what a finished day of the report pays for turnover, released by somebody and paid once.

-- The share of turnover that players of a level get back in games of a category, from a day on until the next row's day.
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

-- A day's run. PREPARED: what it would pay is worked out, anew whenever something changed that it stands on (`stale`). PAYING: released, and
-- being posted. DONE: all of it is posted. `seenTime` is how far settlements were seen; `opposing` and `ownSlips` are the parameters that it
-- was worked out by, and by which its day always is.
create table rebate_run (
  day date primary key,
  status text not null default 'PREPARED' check (status in ('PREPARED', 'PAYING', 'DONE')),
  stale boolean not null default false,
  "seenTime" timestamptz not null,
  opposing text not null check (opposing in ('BOTH', 'DIFFERENCE')),
  "ownSlips" boolean not null,
  turnover numeric not null default 0.00,
  unsettled integer not null default 0,
  corrected date[] not null default '{}',
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
  check ((status = 'DONE') = ("doneTime" is not null))
);
-- One day after the other: what came later stands on what was released before.
create unique index rebate_run_prepared on rebate_run ((true)) where status = 'PREPARED';
-- What changed since a run looked is found by when settlements ended.
create index settlement_ended on settlement ("endTime");
create index rebate_run_paying on rebate_run (day) where status = 'PAYING';

-- What a player turned over on a day in a game under a chain of agents, opposing lines left out, as a run saw it; a later run has a row of its
-- own where it saw something else. Level and category are those of the day's own run.
create table rebate_turnover (
  day date not null,
  "userId" bigint not null,
  "gameId" bigint not null,
  agents bigint[] not null,
  "runDay" date not null references rebate_run,
  level integer not null,
  "categoryId" bigint not null,
  turnover numeric not null check (turnover >= 0),
  primary key (day, "userId", "gameId", agents, "runDay")
);
create index rebate_turnover_run on rebate_turnover ("runDay");
create index rebate_turnover_user on rebate_turnover ("userId");

-- Whose account a day's run paid for an agent, and the agent's share: corrections of the day go by these.
create table rebate_agent (
  "runDay" date not null references rebate_run,
  "agentId" bigint not null,
  "userId" bigint not null,
  rate numeric not null,
  primary key ("runDay", "agentId")
);

-- What a run gives somebody for a day: all of it for its own, the difference to what was given before for a day that was corrected.
create table rebate_share (
  "runDay" date not null references rebate_run,
  day date not null,
  "userId" bigint not null,
  kind text not null check (kind in ('REBATE', 'RETURN')),
  agents bigint[] not null,
  amount numeric not null,
  primary key (day, "userId", kind, "runDay")
);
create index rebate_share_run on rebate_share ("runDay");

-- What a run pays somebody: what is due with what was carried, or nothing, and then the negative rest is carried on.
create table rebate_item (
  "runDay" date not null references rebate_run,
  "userId" bigint not null,
  kind text not null check (kind in ('REBATE', 'RETURN', 'INVITE_REWARD')),
  due numeric not null,
  carried numeric not null default 0.00 check (carried <= 0),
  amount numeric not null check (amount >= 0),
  rest numeric not null default 0.00 check (rest <= 0),
  "postTime" timestamptz,
  problem text,
  "nextTime" timestamptz,
  primary key ("runDay", "userId", kind),
  check (due + carried = amount + rest),
  check (amount = 0 or rest = 0)
);
create index rebate_item_user on rebate_item ("userId", kind, "runDay" desc);
create index rebate_item_unpaid on rebate_item ("runDay", "userId") where "postTime" is null and amount > 0;

-- Who was brought, and what for that was given, once.
create table invite_reward (
  "invitedId" bigint primary key,
  "inviterId" bigint not null,
  "runDay" date not null references rebate_run,
  deposit numeric not null,
  turnover numeric not null,
  amount numeric not null check (amount > 0)
);
create index invite_reward_run on invite_reward ("runDay", "inviterId");

-- What was released is final: rows of a run come and go while it is prepared only, and are marked as posted once.
create function keep_released() returns trigger language plpgsql as $$
begin
  if exists (select from rebate_run r where r.day = old."runDay" and r.status <> 'PREPARED') then
    raise exception 'the rebates of % are released', old."runDay" using errcode = 'BE001';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger rebate_turnover_final before update or delete on rebate_turnover for each row execute function keep_released();
create trigger rebate_agent_final before update or delete on rebate_agent for each row execute function keep_released();
create trigger rebate_share_final before update or delete on rebate_share for each row execute function keep_released();
create trigger invite_reward_final before update or delete on invite_reward for each row execute function keep_released();
create trigger rebate_item_final before delete or update of due, carried, amount, rest on rebate_item
  for each row execute function keep_released();
create function keep_run() returns trigger language plpgsql as $$
begin
  raise exception 'the rebates of % are released', old.day using errcode = 'BE001';
end $$;
create trigger rebate_run_final before delete or update of day, "seenTime", opposing, "ownSlips", turnover, unsettled, corrected, payees,
  rebate, returned, invited, digest on rebate_run for each row when (old.status <> 'PREPARED') execute function keep_run();

-- Whoever changes what runs are worked out by holds this until the end of the transaction; whoever works one out keeps them all away.
create table rebate_ground (nothing boolean primary key);

-- A rate that is said anew makes what was worked out before stale.
create function rebates_stale() returns trigger language plpgsql as $$
begin
  lock table rebate_ground in row exclusive mode;
  update rebate_run set stale = true where status = 'PREPARED' and not stale;
  return null;
end $$;
create trigger rebate_rate_stale after insert or update or delete on rebate_rate for each statement execute function rebates_stale();
create trigger agent_rate_stale after insert or update or delete on agent_rate for each statement execute function rebates_stale();
create trigger agent_stale after update on agent for each statement execute function rebates_stale();
create trigger rebate_parameters_stale after update on param_setting for each row
  when (new.key like 'rebate.%' or new.key like 'invite.%') execute function rebates_stale();
