-- What a phase's plan, its record and its promise may be to one another, whatever comes first and whoever writes it: no plan of a
-- phase that has a record, no record of a phase that waits for its draw, no record of a promised phase but by its seed. Each check
-- runs once a statement, after locks that two transactions which exclude each other both need: the later one waits, and then sees
-- what the earlier one did. Raises DR001 to DR006; the phase is the error's detail.

-- A record that was there while its phase could still be bet on. It is no result: the phase is never planned again, and nothing but
-- a promise made for it draws it.
create table early_record (
  "gameId" bigint not null,
  phase text not null,
  -- The record as it was, with its id and what other sources said.
  "recordId" bigint not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null,
  source text,
  claims jsonb not null,
  primary key (phase, "gameId")
);
create trigger early_record_append_only before update or delete or truncate on early_record
  for each statement execute function refuse_change();

-- Corrections are kept for good, also of a record that had to go.
alter table draw_correction drop constraint "draw_correction_recordId_fkey";

with early as (
  delete from draw_claim c using draw_record r, draw_plan p
  where c."recordId" = r.id and p.phase = r.phase and p."gameId" = r."gameId" and p.status = 'WAITTING' and r."createTime" < p."endTime"
  returning c.*
)
insert into early_record ("gameId", phase, "recordId", result, "openTime", "createTime", source, claims)
select r."gameId", r.phase, r.id, r.result, r."openTime", r."createTime", r.source,
  coalesce((select jsonb_agg(to_jsonb(e) order by e.id) from early e where e."recordId" = r.id), '[]')
from draw_record r join draw_plan p on p.phase = r.phase and p."gameId" = r."gameId"
where p.status = 'WAITTING' and r."createTime" < p."endTime";
delete from draw_record r using early_record e where r.id = e."recordId";

-- What came after its draw time, before anybody had looked at the plan, is its result.
update draw_plan p set status = 'OPENED' from draw_record r
where p.status = 'WAITTING' and r.phase = p.phase and r."gameId" = p."gameId";

create function demand_new_snapshots() returns void language plpgsql as $$
begin
  if current_setting('transaction_isolation') = 'repeatable read' then
    raise exception 'draws cannot be written under repeatable read' using errcode = 'DR006';
  end if;
end $$;

-- Who plans a game holds its row against those who record phases of it that are not planned.
create function check_new_plans() returns trigger language plpgsql as $$
declare
  drawn text;
begin
  perform demand_new_snapshots();
  perform from game where id in (select a."gameId" from added a) order by id for no key update;
  select a.phase into drawn from added a join draw_record r on r.phase = a.phase and r."gameId" = a."gameId" limit 1;
  if not found then
    select a.phase into drawn from added a join early_record e on e.phase = a.phase and e."gameId" = a."gameId" limit 1;
  end if;
  if found then
    raise exception 'phase % has a result already', drawn using errcode = 'DR001', detail = drawn;
  end if;
  return null;
end $$;
create trigger draw_plan_checked after insert on draw_plan referencing new table as added
  for each statement execute function check_new_plans();

-- Who records a planned phase holds its plan, and otherwise the game's row.
create function check_new_records() returns trigger language plpgsql as $$
declare
  unplanned bigint[];
  wrong record;
begin
  perform demand_new_snapshots();
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select array_agg(distinct a."gameId") into unplanned from added a
  where not exists (select from draw_plan p where p.phase = a.phase and p."gameId" = a."gameId");
  if unplanned is not null then
    perform from game where id = any (unplanned) order by id for share;
  end if;
  select a.phase, p.status, a.seed, c.phase is not null as promised into wrong
  from added a
    left join draw_plan p on p.phase = a.phase and p."gameId" = a."gameId"
    left join draw_commitment c on c.phase = a.phase and c."gameId" = a."gameId"
    left join early_record e on e.phase = a.phase and e."gameId" = a."gameId"
  where p.status = 'WAITTING' or (c.phase is not null) <> (a.seed is not null) or e.phase is not null and c.phase is null
  limit 1;
  if not found then
    return null;
  elsif wrong.status = 'WAITTING' then
    raise exception 'phase % can still be bet on', wrong.phase using errcode = 'DR002', detail = wrong.phase;
  else
    raise exception 'phase % takes what was promised for it, and nothing else', wrong.phase using errcode = 'DR003', detail = wrong.phase;
  end if;
end $$;
create trigger draw_record_checked after insert on draw_record referencing new table as added
  for each statement execute function check_new_records();

-- Who promises a phase holds its plan.
create function check_new_promises() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  perform demand_new_snapshots();
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select a.phase into wrong from added a
  where not exists (select from draw_plan p where p.phase = a.phase and p."gameId" = a."gameId")
    or exists (select from draw_record r where r.phase = a.phase and r."gameId" = a."gameId")
  limit 1;
  if found then
    raise exception 'phase % is not planned or was drawn', wrong using errcode = 'DR004', detail = wrong;
  end if;
  return null;
end $$;
create trigger draw_commitment_checked after insert on draw_commitment referencing new table as added
  for each statement execute function check_new_promises();

-- A row keeps its phase, and a plan whose betting is over never waits again.
create function refuse_reversal() returns trigger language plpgsql as $$
begin
  raise exception 'the phase of a row of %, or the end of its betting, is final', tg_table_name using errcode = 'DR005', detail = old.phase;
end $$;
create trigger draw_plan_final before update of phase, "gameId" on draw_plan
  for each row execute function refuse_reversal();
create trigger draw_record_final before update of phase, "gameId" on draw_record
  for each row execute function refuse_reversal();
create trigger draw_plan_forward before update of status on draw_plan
  for each row when (new.status = 'WAITTING' and old.status <> 'WAITTING') execute function refuse_reversal();
