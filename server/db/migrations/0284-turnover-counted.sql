-- What players turned over, phase by phase once it is settled, so that nobody has to add up all of their slips to know what is missing.

-- Of a phase the turnover of slips that were placed while a requirement was the latest of their player's.
create table turnover_counted (
  "requirementId" bigint not null references turnover_requirement on delete cascade,
  "gameId" bigint not null,
  phase text not null,
  turnover numeric not null,
  primary key ("requirementId", "gameId", phase)
);

-- How far settlements were counted: by when they ended, and their ids.
create table turnover_mark (
  one boolean primary key default true check (one),
  "endTime" timestamptz not null,
  "settlementId" bigint not null default 0
);
insert into turnover_mark ("endTime")
select coalesce((select min("createTime") from turnover_requirement where "doneTime" is null), now());
