-- Whole lists are counted by blocks of 8,388,608 ids as well, so that where a page in the middle begins is found in as many rows however long the
-- list is. Two files: a server of before that had begun to fold as it was is done before the next one sums up what is counted.
create or replace function fold_list_deltas() returns bigint language plpgsql as $$
declare
  folded bigint;
  empty tid[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_list_deltas', 0)) then
    return null;
  end if;
  with gone as (
    delete from list_delta where ctid in (select ctid from list_delta limit 50000) returning list, key, "timeBlock", "idBlock", n
  ), spread as (
    insert into list_count as c (list, key, "timeBits", "idBits", "timeBlock", "idBlock", n)
    select g.list, k.key, b.time, b.id, case b.time when 63 then 0 else g."timeBlock" >> (b.time - 10) end,
      case b.id when 63 then 0 else g."idBlock" >> (b.id - 9) end, sum(g.n)
    from gone g
      join counted_list l using (list)
      cross join lateral (values ('*'), (nullif(g.key, ''))) k (key)
      cross join lateral (values
        (63, 63), (63, 23), (63, 16), (63, 9), (15, 16), (15, 9), (l."timeBits", 16), (l."timeBits", 9)) b (time, id)
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
