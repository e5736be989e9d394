-- The daily proof of all bets: one a day, whichever server takes it. One that was begun and never ended is taken again.
create table bets_proof (
  day date primary key,
  "startTime" timestamptz not null default clock_timestamp(),
  "endTime" timestamptz,
  slips integer,
  broken integer,
  problems text[] not null default '{}'
);
