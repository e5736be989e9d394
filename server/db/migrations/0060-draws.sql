-- Draws: plans, what was drawn, what sources said, and what was promised beforehand.

create table draw_plan (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game,
  phase text not null,
  "startTime" timestamptz not null,
  "endTime" timestamptz not null,
  status text not null default 'WAITTING' check (status in ('WAITTING', 'OPENING', 'OPENED')),
  -- Of a local draw: what was promised before betting opened (see draw_commitment).
  commitment text,
  -- When somebody noticed that no result came.
  "lateTime" timestamptz,
  unique (phase, "gameId"),
  unique ("gameId", "startTime")
);
create index draw_plan_game on draw_plan ("gameId", id);
create index draw_plan_status on draw_plan (status, id);
create index draw_plan_start on draw_plan ("startTime");
create index draw_plan_waiting on draw_plan ("endTime") where status = 'WAITTING';
create index draw_plan_opening on draw_plan ("endTime") where status = 'OPENING';
create index draw_plan_uncommitted on draw_plan ("gameId", "startTime") where commitment is null and status <> 'OPENED';

-- Which days were generated without anybody asking, so that what an operator cleared afterwards stays cleared.
create table draw_plan_day (
  "gameId" bigint not null references game on delete cascade,
  day date not null,
  primary key ("gameId", day)
);

-- The first result of a phase. "source" names the spider it came by; "seed" is what a local draw revealed.
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

-- What other sources said of a phase, where it was something else.
create table draw_claim (
  id bigint generated always as identity primary key,
  "recordId" bigint not null references draw_record,
  source text not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null default now(),
  unique ("recordId", source, result)
);

-- Who settled a conflict, how and why. A result is never changed without a row here.
create table draw_correction (
  id bigint generated always as identity primary key,
  "recordId" bigint not null references draw_record,
  "operatorId" bigint not null,
  "userName" text not null,
  "oldResult" text not null,
  "newResult" text not null,
  reason text not null,
  "createTime" timestamptz not null default now()
);
create index draw_correction_record on draw_correction ("recordId");
create trigger draw_correction_append_only before update or delete or truncate on draw_correction
  for each statement execute function refuse_change();

-- One promise for each phase of a game that draws by itself, kept whatever becomes of the plan: a phase whose plan is
-- generated anew keeps its seed, so that nobody can roll again. The seed is sealed until the draw.
create table draw_commitment (
  "gameId" bigint not null,
  phase text not null,
  rules jsonb not null,
  commitment text not null,
  seed bytea not null,
  "createTime" timestamptz not null default now(),
  primary key ("gameId", phase)
);
create trigger draw_commitment_append_only before update or delete or truncate on draw_commitment
  for each statement execute function refuse_change();

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
  unique ("gameId", name)
);
create index spider_due on spider ("nextRunTime") where enabled;

-- When a host may be asked again, by whichever server.
create table outbound_host (
  host text primary key,
  "nextTime" timestamptz not null
);

create function count_draw_plans() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into list_delta
    select 'draw_plan', key, day, block, sum(n) from (
      select "gameId" || '/' || status, "startTime"::date, id >> 11, 1 from added
      union all select "gameId" || '/' || status, "startTime"::date, id >> 11, -1 from removed
    ) as moved (key, day, block, n) group by 1, 2, 3, 4 having sum(n) <> 0;
  elsif tg_op = 'INSERT' then
    insert into list_delta
    select 'draw_plan', "gameId" || '/' || status, "startTime"::date, id >> 11, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta
    select 'draw_plan', "gameId" || '/' || status, "startTime"::date, id >> 11, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;
create trigger draw_plan_counted_insert after insert on draw_plan referencing new table as added
  for each statement execute function count_draw_plans();
create trigger draw_plan_counted_update after update on draw_plan referencing old table as removed new table as added
  for each statement execute function count_draw_plans();
create trigger draw_plan_counted_delete after delete on draw_plan referencing old table as removed
  for each statement execute function count_draw_plans();

create function count_draw_records() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta
    select 'draw_record', "gameId"::text, "openTime"::date, id >> 11, count(*) from added group by 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta
    select 'draw_record', "gameId"::text, "openTime"::date, id >> 11, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;
create trigger draw_record_counted_insert after insert on draw_record referencing new table as added
  for each statement execute function count_draw_records();
create trigger draw_record_counted_update after update on draw_record referencing old table as removed new table as added
  for each statement execute function count_draw_records();
create trigger draw_record_counted_delete after delete on draw_record referencing old table as removed
  for each statement execute function count_draw_records();
