-- What a result of the game is: its parts, by which results are checked and compared. Null where anything is taken for one.
alter table game add column "resultRule" jsonb;

-- What a player chooses (null for single numbers), where the odds of a unit are from, and the odds of what such a unit can win: names
-- that are no numbers of the game, each with its odds as text, in the order they are shown in.
alter table play_way
  add column selection jsonb,
  add column "oddsFrom" text not null default 'NUMBER' check ("oddsFrom" in ('NUMBER', 'OUTCOME', 'LOWEST')),
  add column outcomes jsonb not null default '[]';
