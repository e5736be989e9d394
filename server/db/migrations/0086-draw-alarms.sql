-- Phases that could not be opened, drawn or promised: set aside until "nextTime", shown to operators until they are done.
create table draw_alarm (
  "gameId" bigint not null references game on delete cascade,
  phase text not null,
  reason text not null,
  failures integer not null default 1,
  "createTime" timestamptz not null,
  "lastTime" timestamptz not null,
  "nextTime" timestamptz not null,
  primary key ("gameId", phase)
);

-- Phases that nobody can draw any more: who said so and why. Their result is that there is none.
create table draw_void (
  "gameId" bigint not null references game,
  phase text not null,
  "operatorId" bigint not null,
  "userName" text not null,
  reason text not null,
  "createTime" timestamptz not null default now(),
  primary key ("gameId", phase)
);
create trigger draw_void_append_only before update or delete or truncate on draw_void
  for each statement execute function refuse_change();

alter table draw_plan drop constraint draw_plan_status_check;
alter table draw_plan add constraint draw_plan_status_check check (status in ('WAITTING', 'OPENING', 'OPENED', 'VOID'));

-- Voiding takes the plan's row, and so does a result: whichever comes first is seen by the other.
create function void_phase() returns trigger language plpgsql as $$
begin
  perform from draw_plan p where p."gameId" = new."gameId" and p.phase = new.phase
    and p.status = 'OPENING' and p."endTime" <= clock_timestamp() for update;
  if not found or exists (select from draw_record r where r."gameId" = new."gameId" and r.phase = new.phase) then
    raise exception 'phase % cannot be voided', new.phase using errcode = 'DR008', detail = new.phase;
  end if;
  update draw_plan set status = 'VOID' where "gameId" = new."gameId" and phase = new.phase;
  delete from draw_alarm where "gameId" = new."gameId" and phase = new.phase;
  return new;
end $$;
create trigger draw_void_once before insert on draw_void for each row execute function void_phase();

create function refuse_results_of_void_phases() returns trigger language plpgsql as $$
declare
  void text;
begin
  perform from draw_plan p join added a on p.phase = a.phase and p."gameId" = a."gameId" order by p.id for no key update of p;
  select a.phase into void from added a join draw_void v on v.phase = a.phase and v."gameId" = a."gameId" limit 1;
  if found then
    raise exception 'phase % is void', void using errcode = 'DR007', detail = void;
  end if;
  return null;
end $$;
create trigger draw_record_not_void after insert on draw_record referencing new table as added
  for each statement execute function refuse_results_of_void_phases();

-- A void phase stays void: its plan neither draws nor goes.
create function keep_void_plan() returns trigger language plpgsql as $$
begin
  raise exception 'phase % is void', old.phase using errcode = 'DR007', detail = old.phase;
end $$;
create trigger draw_plan_stays_void before update of status or delete on draw_plan
  for each row when (old.status = 'VOID') execute function keep_void_plan();
