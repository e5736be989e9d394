-- Settlements: what a draw, its correction or a void makes of the slips of a phase, and what of it has been done. All of one phase go one
-- after the other, in the order of their ids; each brings every slip of its phase to what it should be by then, and moves the difference.

-- Whoever begins a settlement of a phase holds this lock, so that ids are in the order of commits. Placing does not wait for it.
create function settlement_key("gameId" bigint, phase text) returns bigint language sql immutable strict parallel safe
  return hashtextextended('settlement/' || "gameId" || '/' || phase, 0);

-- FIRST and CORRECTION carry the record's result of then; VOID and UNVOID one only where there was a record. A void covers the lines of a
-- play way, the slips placed within a time, one slip, or where none of these is said the whole phase, until an UNVOID undoes it. `stopped`
-- is a settlement that the record's conflict holds. "gatheredTime" is when its slips were listed in batches. The counters are of slips that
-- it changed; `total` is all that it looks through. No foreign key leads to the game, as none does from slips.
create table settlement (
  id bigint generated always as identity primary key,
  "gameId" bigint not null,
  phase text not null,
  kind text not null check (kind in ('FIRST', 'CORRECTION', 'VOID', 'UNVOID')),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'HELD', 'DONE')),
  stopped boolean not null default false,
  "recordId" bigint,
  result text,
  "local" boolean not null default false,
  "playWayId" bigint,
  "createTimeFrom" timestamptz,
  "createTimeTo" timestamptz,
  "slipId" bigint,
  undoes bigint references settlement unique,
  "operatorId" bigint,
  "userName" text,
  reason text,
  total integer not null default 0,
  slips integer not null default 0,
  stake numeric not null default 0.00,
  payout numeric not null default 0.00,
  refund numeric not null default 0.00,
  "startTime" timestamptz not null default now(),
  "gatheredTime" timestamptz,
  "endTime" timestamptz,
  problem text,
  check (kind in ('VOID', 'UNVOID') or "recordId" is not null and result is not null),
  check ((kind = 'UNVOID') = (undoes is not null)),
  check (not stopped or status = 'HELD'),
  check ((status = 'DONE') <= ("endTime" is not null))
);
create index settlement_phase on settlement ("gameId", phase, id);
create index settlement_unfinished on settlement (status, id) where status <> 'DONE';
create index settlement_record on settlement ("recordId");

-- Slips that a settlement has yet to look at, all of an account in one row, so that no two servers work on one account at a time. Rows
-- shrink as they are worked off, and go.
create table settlement_batch (
  "settlementId" bigint not null references settlement,
  no integer not null,
  slips bigint[] not null,
  primary key ("settlementId", no)
);

-- Slips that wait for a person, or for another try: UNREADABLE results and broken rules, what cannot be posted (UNPOSTED), and wins that
-- somebody shall look at before they are paid (BIG_WIN), until they are released.
create table slip_hold (
  "slipId" bigint primary key,
  "settlementId" bigint not null references settlement,
  reason text not null check (reason in ('UNREADABLE', 'UNPOSTED', 'BIG_WIN')),
  problem text not null,
  payout numeric,
  released boolean not null default false,
  failures integer not null default 1,
  "nextTime" timestamptz,
  "createTime" timestamptz not null default now()
);
create index slip_hold_settlement on slip_hold ("settlementId", "slipId");
create index slip_hold_next on slip_hold ("nextTime") where "nextTime" is not null;

-- What each settlement made of a slip, and what it moved: the order number of the first is 'B' and the slip's id, that of the n-th has '/n'
-- behind it. The sums of what was moved are the slip's payout and refund.
create table slip_settlement (
  "slipId" bigint not null,
  n integer not null check (n > 0),
  "settlementId" bigint not null,
  status text not null check (status in ('PENDING', 'WON', 'LOST', 'PUSHED', 'VOID')),
  payout numeric not null check (payout >= 0),
  refund numeric not null check (refund >= 0),
  "movedPayout" numeric not null,
  "movedRefund" numeric not null,
  "createTime" timestamptz not null default now(),
  primary key ("slipId", n)
);
create unique index slip_settlement_once on slip_settlement ("settlementId", "slipId");
create trigger slip_settlement_append_only before update or delete or truncate on slip_settlement
  for each statement execute function refuse_change();
revoke update, delete, truncate on slip_settlement from public, current_user;

create function begin_settlement(p_kind text, r draw_record) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(r."gameId", r.phase));
  insert into settlement (kind, "gameId", phase, "recordId", result, "local", status, stopped, problem)
  values (p_kind, r."gameId", r.phase, r.id, r.result, r.seed is not null, case when r.conflict then 'HELD' else 'RUNNING' end,
    r.conflict, case when r.conflict then '开奖结果有冲突' end);
end $$;

-- A record begins the settlement of its phase in its own transaction, where there is something to settle: slips, or somebody who placed
-- one in time and has not committed yet. Who holds a phase's lock is asked before slips are looked for: whoever let go of it meanwhile is
-- seen then, and whoever takes it later finds betting closed.
create function settle_new_records() returns trigger language plpgsql as $$
declare
  busy bigint[];
  r draw_record;
begin
  select coalesce(array_agg(classid::bigint << 32 | objid::bigint), '{}') into busy
  from pg_locks where locktype = 'advisory' and objsubid = 1
    and database = (select oid from pg_database where datname = current_database());
  for r in
    select a.* from added a
    where betting_key(a."gameId", a.phase) = any (busy)
      or exists (select from slip s where s."gameId" = a."gameId" and s.phase = a.phase)
    order by a."gameId", a.phase
  loop
    perform begin_settlement('FIRST', r);
  end loop;
  return null;
end $$;
create trigger draw_record_settled after insert on draw_record referencing new table as added
  for each statement execute function settle_new_records();

-- A result changes only together with its correction, where slips were settled by it; and a conflict stops what is not settled yet.
create function settle_changed_record() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(new."gameId", new.phase));
  if new.result <> old.result then
    if exists (select from settlement where "recordId" = new.id and kind = 'FIRST') then
      perform begin_settlement('CORRECTION', new);
    end if;
  elsif new.conflict then
    update settlement set status = 'HELD', stopped = true, problem = '开奖结果有冲突'
    where "gameId" = new."gameId" and phase = new.phase and status = 'RUNNING';
  else
    update settlement set status = 'RUNNING', stopped = false, problem = null
    where "gameId" = new."gameId" and phase = new.phase and stopped;
  end if;
  return null;
end $$;
create trigger draw_record_corrected after update on draw_record for each row
  when (old.result <> new.result or old.conflict <> new.conflict) execute function settle_changed_record();
