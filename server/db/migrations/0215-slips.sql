-- 注单: what players bet, on which phase, by which rules and odds, and what became of it.
--
-- A slip and its lines are written by the placing function only, in one transaction with the BET row of the ledger, whose order number is
-- 'B' and the slip's id. What decides a slip never changes; its status, payout and refund are the settlement's. No foreign key leads from a
-- slip to its game, plan or player: each would take a shared lock on a row that all slips of a phase share, and none of them can go: a plan
-- whose betting has begun stays, with it its game, and players are never deleted. Play ways may go; the slip holds names and rules itself.

-- Whoever bets on a phase holds this lock shared until the end of the transaction; a settlement takes it exclusively before it looks for slips,
-- and then knows that all that were placed in time are there: pg_advisory_xact_lock(betting_key("gameId", phase)).
create function betting_key("gameId" bigint, phase text) returns bigint language sql immutable strict parallel safe
  return hashtextextended('betting/' || "gameId" || '/' || phase, 0);

-- 测试账号: their slips stand in no report and no limit. 冻结 and 自我禁投: such players place no slips.
alter table player
  add column "testAccount" boolean not null default false,
  add column frozen boolean not null default false,
  add column "freezeReason" text,
  add column "excludedUntil" timestamptz,
  add constraint player_freeze_reason check (frozen = ("freezeReason" is not null));

-- 停押, of a play way or of one number of it.
alter table play_way add column stopped boolean not null default false;
alter table odds add column stopped boolean not null default false;

-- A play way as it was when somebody bet on it: names, and all that decides what a bet becomes. Kept once by content and referred to by
-- lines; written once and for all. `rules` is {handler, version, options, latitude: {id, name, resultIndex}, selection, separator, oddsFrom,
-- odds: [{number, odds}]}, where `odds` are those of all numbers, or of all outcomes where oddsFrom is OUTCOME.
create table slip_rules (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  "playWayId" bigint not null,
  "playWayName" text not null,
  "categoryName" text not null,
  "subCategoryName" text not null,
  rules jsonb not null,
  "createTime" timestamptz not null default now()
);
create trigger slip_rules_append_only before update or delete or truncate on slip_rules
  for each statement execute function refuse_change();
revoke update, delete, truncate on slip_rules from public, current_user;

-- "createTime" is the instant of the closing check. "drawTime" is the end of the plan. `agents` is the chain of agents the player stood
-- under, the nearest first. "contentHash" tells a repeated "bizNo" with the same content from one with another.
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
  refund numeric not null default 0.00 check (refund >= 0 and refund <= stake),
  "acceptOdds" text not null check ("acceptOdds" in ('SAME', 'BETTER', 'ANY')),
  agents jsonb not null default '[]',
  "testAccount" boolean not null,
  "contentHash" bytea not null,
  "createTime" timestamptz not null,
  "settleTime" timestamptz,
  check ("createTime" < "drawTime")
) with (fillfactor = 90);
-- Settlements go by accounts through the slips of a phase.
create index slip_phase_user on slip ("gameId", phase, "userId");
create index slip_game on slip ("gameId", id);
create index slip_user on slip ("userId", id);
create index slip_time on slip ("createTime") include (id, "gameId", status);
-- Few are of these, and would be looked for behind all the others.
create index slip_unsettled on slip (status, id) where status in ('PENDING', 'HELD', 'CANCELLED', 'VOID');

-- A line of a slip. `odds` are those of the numbers chosen, as they were answered: text where all units share one, else [{number, odds}].
-- No foreign key leads to its slip, which is written after its lines in the same statement.
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
  refund numeric not null default 0.00 check (refund >= 0 and refund <= stake),
  check (stake = units * "unitStake"),
  check ("winningUnits" + "pushedUnits" <= units)
) with (fillfactor = 80);
create index slip_line_slip on slip_line ("slipId");
create index slip_line_play_way on slip_line ("playWayId", "slipId");

-- What decides a slip is final, and so is a slip that was cancelled.
create function keep_slip() returns trigger language plpgsql as $$
begin
  raise exception 'what decides row % of % is final', old.id, tg_table_name using errcode = 'BE001';
end $$;
create trigger slip_final before update of id, "bizNo", "userId", "gameId", "planId", phase, "drawTime", stake, "acceptOdds", agents,
  "testAccount", "contentHash", "createTime" on slip for each row execute function keep_slip();
create trigger slip_stays_cancelled before update on slip
  for each row when (old.status = 'CANCELLED') execute function keep_slip();
create trigger slip_stays before delete or truncate on slip for each statement execute function refuse_change();
create trigger slip_line_final before update of id, "slipId", "playWayId", "rulesId", selection, units, "unitStake", stake, odds, "maxPayout"
  on slip_line for each row execute function keep_slip();
create trigger slip_line_stays_cancelled before update on slip_line
  for each row when (old.status = 'CANCELLED') execute function keep_slip();
create trigger slip_line_stays before delete or truncate on slip_line for each statement execute function refuse_change();
revoke delete, truncate on slip, slip_line from public, current_user;

-- Slips are counted by game and status; those of a play way once each, however many of its lines they have.
insert into counted_list values ('slip', 13), ('slip_line', 13);
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
create trigger slip_counted_insert after insert on slip referencing new table as added
  for each statement execute function count_slips();
create trigger slip_counted_update after update on slip referencing old table as removed new table as added
  for each statement execute function count_slips();
create function count_slip_lines() returns trigger language plpgsql as $$
begin
  insert into list_delta
  select 'slip_line', "playWayId"::text, 0, "slipId" >> 9, count(distinct "slipId") from added group by 2, 4;
  return null;
end $$;
create trigger slip_line_counted after insert on slip_line referencing new table as added
  for each statement execute function count_slip_lines();
