-- Long lists are counted by blocks of absolute time instead of platform days: the ends of a range of time, which have to be
-- counted from the table, shrink from hours to minutes, and a change of the platform's zone changes no block.
--
-- A row says how many rows of a list, of one key ('*': of any), have their time in a block of 2^"timeBits" seconds since 1970
-- (63: whenever) and their id in a block of 2^"idBits" ids. Time leads to totals of a range, ids to the page of row number N.
drop function recount_lists();
drop function recount_money_lists();
drop table list_delta;
drop table list_count;

-- The lists that are counted, and how finely by time: finer means fewer rows to count at the ends of a range, and more counts.
-- Lists of many keys (plans of each game) are counted less finely, or there would be as many counts as rows.
create table counted_list (
  list text primary key,
  "timeBits" smallint not null check ("timeBits" between 10 and 14)
);
insert into counted_list values
  ('player', 10), ('account', 10), ('account_history', 10), ('deposit', 10), ('withdrawal', 10), ('draw_plan', 13), ('draw_record', 13);

create table list_count (
  list text not null,
  key text not null,
  "timeBits" smallint not null,
  "idBits" smallint not null,
  "timeBlock" bigint not null,
  "idBlock" bigint not null,
  n bigint not null,
  primary key (list, key, "timeBits", "idBits", "timeBlock", "idBlock")
) with (fillfactor = 70);

-- What changes append in their own transaction, by the smallest blocks: of 2^10 seconds and of 2^11 ids. Rows of a list that
-- knows no keys have the key ''.
create table list_delta (
  list text not null,
  key text not null,
  "timeBlock" bigint not null,
  "idBlock" bigint not null,
  n bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create function time_block(at timestamptz) returns bigint language sql immutable strict parallel safe
  return floor(extract(epoch from at))::bigint >> 10;

-- The blocks that make up a range of time, both ends inclusive to the second, as few as possible: large ones, on both sides of them
-- small ones of 2^finest seconds, and single seconds (bits 0) at the ends. A stretch whose last block comes before its first is empty.
create function time_blocks("from" timestamptz, "to" timestamptz, finest integer)
returns table (bits integer, first bigint, last bigint) language sql immutable strict parallel safe rows 5 as $$
  with seconds as (
    select floor(extract(epoch from "from"))::bigint as a, floor(extract(epoch from "to"))::bigint + 1 as z
  ), small as (
    select a, z, (a + (1 << finest) - 1) >> finest as small_a, z >> finest as small_z from seconds
  ), large as (
    select *, (small_a + (1 << 15 - finest) - 1) >> 15 - finest as large_a, small_z >> 15 - finest as large_z from small
  ), sides as (
    select *, least(small_z, large_a << 15 - finest) as left_z, least(z, small_a << finest) as head_z from large
  )
  select b.bits, b.first, b.past - 1 from sides, lateral (values
    (15, large_a, large_z),
    (finest, small_a, left_z),
    (finest, greatest(large_z << 15 - finest, left_z), small_z),
    (0, a, head_z),
    (0, greatest(small_z << finest, head_z), z)) as b (bits, first, past)
$$;

-- Folds all deltas, and drops counts that became nothing. Two at a time would only wait for one another. Returns how many deltas
-- there were, null when another folds.
create or replace function fold_list_deltas() returns bigint language plpgsql as $$
declare
  folded bigint;
  empty tid[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_list_deltas', 0)) then
    return null;
  end if;
  with gone as (
    delete from list_delta returning list, key, "timeBlock", "idBlock", n
  ), spread as (
    insert into list_count as c (list, key, "timeBits", "idBits", "timeBlock", "idBlock", n)
    select g.list, k.key, t.bits, i.bits, case t.bits when 63 then 0 else g."timeBlock" >> (t.bits - 10) end,
      g."idBlock" >> (i.bits - 11), sum(g.n)
    from gone g
      join counted_list l using (list)
      cross join lateral (values ('*'), (nullif(g.key, ''))) k (key)
      cross join lateral (values (63), (15), (l."timeBits")) t (bits)
      cross join (values (18), (11)) i (bits)
    where k.key is not null
    group by 1, 2, 3, 4, 5, 6
    having sum(g.n) <> 0
    order by 1, 2, 3, 4, 5, 6
    on conflict (list, key, "timeBits", "idBits", "timeBlock", "idBlock") do update set n = c.n + excluded.n
    returning c.ctid, c.n
  )
  select (select count(*) from gone), (select array_agg(ctid) from spread where n = 0) into folded, empty;
  delete from list_count where ctid = any (empty) and n = 0;
  return folded;
end $$;

create or replace function count_plain() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta select tg_table_name, '', time_block("createTime"), id >> 11, count(*) from added group by 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta select tg_table_name, '', time_block("createTime"), id >> 11, -count(*) from removed group by 3, 4;
  end if;
  return null;
end $$;

create or replace function count_ledger() returns trigger language plpgsql as $$
begin
  insert into list_delta
  select 'account_history', "changeType", time_block("createTime"), id >> 11, count(*) from added group by 2, 3, 4;
  return null;
end $$;

create or replace function count_orders() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), time_block("createTime"), id >> 11, count(*) from added group by 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), time_block("createTime"), id >> 11, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

create or replace function count_draw_plans() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into list_delta
    select 'draw_plan', key, "timeBlock", "idBlock", sum(n) from (
      select "gameId" || '/' || status, time_block("startTime"), id >> 11, 1 from added
      union all select "gameId" || '/' || status, time_block("startTime"), id >> 11, -1 from removed
    ) as moved (key, "timeBlock", "idBlock", n) group by 1, 2, 3, 4 having sum(n) <> 0;
  elsif tg_op = 'INSERT' then
    insert into list_delta
    select 'draw_plan', "gameId" || '/' || status, time_block("startTime"), id >> 11, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta
    select 'draw_plan', "gameId" || '/' || status, time_block("startTime"), id >> 11, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

create or replace function count_draw_records() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta
    select 'draw_record', "gameId"::text, time_block("openTime"), id >> 11, count(*) from added group by 2, 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta
    select 'draw_record', "gameId"::text, time_block("openTime"), id >> 11, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;

-- The seconds at the ends of a range are counted from the index alone, by blocks of ids too.
drop index account_history_type_time;
create index account_history_type_time on account_history ("changeType", "createTime") include (id);

-- What is there already is counted once.
insert into list_delta select 'player', '', time_block("createTime"), id >> 11, count(*) from player group by 3, 4;
insert into list_delta select 'account', '', time_block("createTime"), id >> 11, count(*) from account group by 3, 4;
insert into list_delta
select 'account_history', "changeType", time_block("createTime"), id >> 11, count(*) from account_history group by 2, 3, 4;
insert into list_delta
select 'deposit', status || ':' || type, time_block("createTime"), id >> 11, count(*) from deposit group by 2, 3, 4;
insert into list_delta
select 'withdrawal', status || ':' || coalesce(type, ''), time_block("createTime"), id >> 11, count(*) from withdrawal group by 2, 3, 4;
insert into list_delta
select 'draw_plan', "gameId" || '/' || status, time_block("startTime"), id >> 11, count(*) from draw_plan group by 2, 3, 4;
insert into list_delta
select 'draw_record', "gameId"::text, time_block("openTime"), id >> 11, count(*) from draw_record group by 2, 3, 4;
select fold_list_deltas();

-- The zone that days were counted in matters no more.
delete from seed_row where key = 'list-counts:time-zone';
