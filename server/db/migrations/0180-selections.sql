-- What a result of the game is: its parts, by which results are checked and compared. Null where anything is taken for one.
alter table game add column "resultRule" jsonb;

-- What a player chooses (null for single numbers), and where the odds of a unit are from.
alter table play_way
  add column selection jsonb,
  add column "oddsFrom" text not null default 'NUMBER' check ("oddsFrom" in ('NUMBER', 'OUTCOME', 'LOWEST'));

-- Odds of what a unit of several numbers can win; such a name is no number of the game.
create table outcome_odds (
  id bigint generated always as identity primary key,
  "playWayId" bigint not null references play_way on delete cascade,
  name text not null,
  odds numeric not null check (odds > 0),
  unique ("playWayId", name)
);
