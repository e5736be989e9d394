-- The catalogue of a game: category, game, numbers, ways to read a result, ways to bet, odds.

create table game_category (
  id bigint generated always as identity primary key,
  name text not null unique,
  "iconClass" text,
  "index" integer not null default 0
);
create index game_category_order on game_category ("index", id);

create table game (
  id bigint generated always as identity primary key,
  name text not null unique,
  "categoryId" bigint not null references game_category,
  -- The phase of the slot that contained "phaseTime", or of the last slot before it: the two are always set together.
  phase text not null check (phase ~ '^[0-9]{1,20}$'),
  "phaseTime" timestamptz not null default now(),
  "phaseRule" text not null default 'RUNNING' check ("phaseRule" in ('RUNNING', 'DAILY', 'YEARLY')),
  "openRate" integer not null check ("openRate" >= 1),
  "stopBetSecond" integer not null check ("stopBetSecond" >= 0 and "stopBetSecond" < "openRate"),
  introduce text,
  status boolean not null default false,
  "betStatus" boolean not null default false
);
create index game_category_id on game ("categoryId", id desc);

-- An "end" that is not after "start" lies on the next day. "openRate" overrides the game's.
create table bet_time_range (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  start time(0) not null,
  "end" time(0) not null,
  "openRate" integer check ("openRate" >= 1)
);
create index bet_time_range_game on bet_time_range ("gameId", start);

create table game_number (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  number text not null,
  "desc" text,
  unique ("gameId", number)
);
create index game_number_game on game_number ("gameId", id);

create table bet_latitude (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  name text not null,
  "resultIndex" text not null,
  "resultHandlerName" text not null,
  -- The handler's parameters as JSON text, as the operator wrote it.
  "handlerOptions" text,
  unique ("gameId", name)
);
create index bet_latitude_game on bet_latitude ("gameId", id);

-- Categories and, with a parent, sub-categories.
create table play_way_category (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  "parentCategoryId" bigint references play_way_category,
  name text not null,
  "countOfRows" integer not null check ("countOfRows" between 1 and 100),
  "hideName" boolean not null default false,
  unique nulls not distinct ("gameId", "parentCategoryId", name)
);
create index play_way_category_top on play_way_category (id desc) where "parentCategoryId" is null;
create index play_way_category_parent on play_way_category ("parentCategoryId");

create table play_way (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game on delete cascade,
  "subCategoryId" bigint not null references play_way_category,
  "betLatitudeId" bigint not null references bet_latitude,
  name text not null,
  "showRate" text,
  unique ("subCategoryId", name)
);
create index play_way_game on play_way ("gameId", id desc);
create index play_way_latitude on play_way ("betLatitudeId");

-- Exact decimals, stake included, kept with the places they were given.
create table odds (
  id bigint generated always as identity primary key,
  "playWayId" bigint not null references play_way on delete cascade,
  "numberId" bigint not null references game_number,
  odds numeric not null check (odds > 0),
  unique ("playWayId", "numberId")
);
create index odds_number on odds ("numberId");
