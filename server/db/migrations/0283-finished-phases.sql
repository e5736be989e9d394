-- How far finished phases were cleaned of what only those that are bet on or looked at need: the place, by the end of plans, up to which
-- nothing is left. Counters of limits and exposure are kept for different times.
create table phase_cleaning (
  what text primary key check (what in ('LIMITS', 'EXPOSURE')),
  "endTime" timestamptz not null,
  "planId" bigint not null
);
insert into phase_cleaning values ('LIMITS', '-infinity', 0), ('EXPOSURE', '-infinity', 0);
create index draw_plan_end on draw_plan ("endTime", id);
