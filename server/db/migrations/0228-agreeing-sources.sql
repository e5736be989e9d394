-- How many sources of a game must say the same before that is the result of a phase.
alter table game add column "agreeSources" integer not null default 1 check ("agreeSources" between 1 and 20);

-- What sources said of phases that wait for agreement: each source's last word.
create table draw_word (
  "gameId" bigint not null references game on delete cascade,
  phase text not null,
  source text not null,
  result text not null,
  "openTime" timestamptz not null,
  "createTime" timestamptz not null default now(),
  primary key ("gameId", phase, source)
);
create index draw_word_time on draw_word ("createTime");
