-- The source of a game that is none of it any more, deleted or moved to another game, and answered last: it is as silent as it was.
create table former_source (
  "gameId" bigint primary key references game on delete cascade,
  name text not null,
  "lastSuccessTime" timestamptz not null
);
create function keep_former_source() returns trigger language plpgsql as $$
begin
  insert into former_source as f ("gameId", name, "lastSuccessTime") values (old."gameId", old.name, old."lastSuccessTime")
  on conflict ("gameId") do update set name = excluded.name, "lastSuccessTime" = excluded."lastSuccessTime"
    where excluded."lastSuccessTime" > f."lastSuccessTime";
  return null;
end $$;
create trigger spider_leaves after delete on spider for each row
  when (old."lastSuccessTime" is not null) execute function keep_former_source();
create trigger spider_moves after update of "gameId" on spider for each row
  when (old."lastSuccessTime" is not null and old."gameId" <> new."gameId") execute function keep_former_source();
