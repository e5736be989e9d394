-- Exact totals and deep pages of long lists without scanning them. Every change of a counted table appends small deltas
-- in its own transaction (one row that all writers updated would make them queue); a background job folds them into
-- list_count. What a reader sums up, counts plus deltas, is exact in its snapshot.
--
-- A row says how many rows of a list, of one key ('*': of any) and one platform day ('-infinity': of any), have their
-- id in a block of 2^bits ids. Days tell totals of a range of time, blocks lead to the page of row number N.
create table list_count (
  list text not null,
  key text not null,
  bits smallint not null,
  day date not null,
  block bigint not null,
  n bigint not null,
  primary key (list, key, bits, day, block)
) with (fillfactor = 70);

-- `block` is the smallest block there is, of 2^11 ids.
create table list_delta (
  list text not null,
  key text not null,
  day date not null,
  block bigint not null,
  n bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Folds all deltas; two at a time would only wait for one another. Returns how many there were, null when another folds.
create function fold_list_deltas() returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_list_deltas', 0)) then
    return null;
  end if;
  with gone as (
    delete from list_delta returning list, key, day, block, n
  ), spread as (
    insert into list_count as c (list, key, bits, day, block, n)
    select g.list, k.key, b.bits, d.day, g.block >> (b.bits - 11), sum(g.n)
    from gone g
      cross join lateral (values (g.key), ('*')) k (key)
      cross join lateral (values (g.day), ('-infinity'::date)) d (day)
      cross join (values (63), (18), (11)) b (bits)
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (list, key, bits, day, block) do update set n = c.n + excluded.n
  )
  select count(*) into folded from gone;
  return folded;
end $$;

-- Triggers for counted tables, after each statement, with transition tables `added` and `removed`. The list is named like
-- the table. Days are those of the session's zone, which is the platform's.
create function count_plain() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    insert into list_delta select tg_table_name, '', "createTime"::date, id >> 11, count(*) from added group by 3, 4;
  end if;
  if tg_op <> 'INSERT' then
    insert into list_delta select tg_table_name, '', "createTime"::date, id >> 11, -count(*) from removed group by 3, 4;
  end if;
  return null;
end $$;
