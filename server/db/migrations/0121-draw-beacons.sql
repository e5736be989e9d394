-- Public values that draws were promised to wait for: what a beacon published after betting, kept before anything is drawn with it, so
-- that nobody draws twice. Raises DR011 and DR012; the phase is the error's detail.
create table draw_beacon (
  "gameId" bigint not null,
  phase text not null,
  value text not null,
  "createTime" timestamptz not null default clock_timestamp(),
  primary key ("gameId", phase)
);
create trigger draw_beacon_append_only before update or delete or truncate on draw_beacon
  for each statement execute function refuse_change();

-- From when the promise says it is published, for as long as the promise says it is waited for. Voiding holds the plan's row, too.
create function check_new_beacon() returns trigger language plpgsql as $$
declare
  promised jsonb;
begin
  perform from draw_plan p where p."gameId" = new."gameId" and p.phase = new.phase and p.status = 'OPENING' for no key update;
  if found then
    select c.rules -> 'beacon' into promised from draw_commitment c where c."gameId" = new."gameId" and c.phase = new.phase;
  end if;
  if promised is null or extract(epoch from clock_timestamp()) not between
      (promised ->> 'time')::float8 and (promised ->> 'time')::float8 + 60 * (promised ->> 'waitMinutes')::float8 then
    raise exception 'phase % takes no public value now', new.phase using errcode = 'DR011', detail = new.phase;
  end if;
  return new;
end $$;
create trigger draw_beacon_in_time before insert on draw_beacon for each row execute function check_new_beacon();

-- Nothing is drawn without the value that was promised.
create function refuse_results_without_beacon() returns trigger language plpgsql as $$
declare
  wrong text;
begin
  select a.phase into wrong from added a join draw_commitment c on c."gameId" = a."gameId" and c.phase = a.phase
  where c.rules -> 'beacon' is not null
    and not exists (select from draw_beacon b where b."gameId" = a."gameId" and b.phase = a.phase)
  limit 1;
  if found then
    raise exception 'phase % waits for a public value', wrong using errcode = 'DR012', detail = wrong;
  end if;
  return null;
end $$;
create trigger draw_record_with_beacon after insert on draw_record referencing new table as added
  for each statement execute function refuse_results_without_beacon();
