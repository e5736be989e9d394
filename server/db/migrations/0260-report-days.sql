-- Days of the report: on which day of the platform a slip counts, and that a day which is closed never changes.

-- How long after midnight a day of the report begins, by the parameter.
create function report_day_start() returns interval language sql stable
  return coalesce((
    select value::time - time '00:00' from param_setting
    where key = 'report.dayStart' and value ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'), interval '0');

-- The day of the report that a moment belongs to, by the zone of the session, which is the platform's. A day begins when clocks first show its
-- beginning, or skip it, so that a later moment never belongs to an earlier day: where clocks are put back over the beginning of a day,
-- that day has begun though they show an earlier time again.
create function report_day(at timestamptz, starts interval default report_day_start()) returns date language sql stable
  return (
    select shown.day + case when first.at <= report_day.at and first.at::timestamp = shown.day + 1 + starts then 1 else 0 end
    from (select (report_day.at::timestamp - starts)::date as day,
        (report_day.at - interval '3 hours')::timestamp - ((report_day.at - interval '3 hours') at time zone 'UTC') as ahead) as shown,
      lateral (select (shown.day + 1 + starts - shown.ahead) at time zone 'UTC' as at) as first);

-- Days whose rebates were released, with what they came to by then. Whatever comes after counts on the day on which it is done.
create table report_closed_day (
  day date primary key,
  "closeTime" timestamptz not null default clock_timestamp(),
  slips bigint not null,
  players bigint not null,
  stake numeric not null,
  payout numeric not null,
  refund numeric not null,
  rebate numeric not null,
  "writtenOff" numeric not null,
  unsettled numeric not null
);
create trigger report_closed_day_append_only before update or delete or truncate on report_closed_day
  for each statement execute function refuse_change();
revoke update, delete, truncate on report_closed_day from public, current_user;

-- Whoever counts something on a day holds this lock shared until the end of the transaction; whoever closes the day takes it exclusively.
create function report_day_key(day date) returns bigint language sql immutable strict parallel safe
  return hashtextextended('report day/' || (day - date '2000-01-01'), 0);

-- The day on which something counts that belongs to this one: this day while it is open, and open it stays until the transaction ends; else the
-- day on which it is done. Where that is closed already, since days began earlier when it was, the next.
create function open_report_day(wanted date) returns date language plpgsql as $$
declare
  open_day date := wanted;
begin
  loop
    perform pg_advisory_xact_lock_shared(report_day_key(open_day));
    if not exists (select from report_closed_day c where c.day = open_day) then
      return open_day;
    end if;
    open_day := greatest(open_day + 1, report_day(clock_timestamp()));
  end loop;
end $$;

-- The day on which something counts that is done now.
create function report_day_of_act() returns date language sql
  return open_report_day(report_day(clock_timestamp()));

-- A slip keeps the day that its stake counts on: that of its draw less one second, by the beginning of days when it was placed.
alter table slip add column day date;
alter table slip disable trigger slip_stays_cancelled, disable trigger slip_counted_update;
update slip set day = report_day("drawTime" - interval '1 second');
alter table slip enable trigger slip_stays_cancelled, enable trigger slip_counted_update;
alter table slip alter column day set not null;
create index slip_day on slip (day, id);
create function set_slip_day() returns trigger language plpgsql as $$
begin
  new.day := open_report_day(report_day(new."drawTime" - interval '1 second'));
  return new;
end $$;
create trigger slip_day_set before insert on slip for each row execute function set_slip_day();
create trigger slip_day_final before update of day on slip for each row execute function keep_slip();
