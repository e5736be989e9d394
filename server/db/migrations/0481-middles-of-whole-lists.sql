-- Nobody folds until this is done; whoever writes or reads does not notice.
select pg_advisory_xact_lock(hashtextextended('fold_list_deltas', 0));
delete from list_count where "timeBits" = 63 and "idBits" = 23;
insert into list_count (list, key, "timeBits", "idBits", "timeBlock", "idBlock", n)
select list, key, 63, 23, 0, "idBlock" >> 7, sum(n) from list_count where "timeBits" = 63 and "idBits" = 16
group by list, key, "idBlock" >> 7 having sum(n) <> 0;

-- Only whole lists grow with their platform, so only they are looked through by the largest blocks first.
create or replace function locate_rows(of_list text, keys text[], "from" timestamptz, "to" timestamptz, skipped bigint, edge_blocks bigint[], edge_counts bigint[]) returns table("totalCount" bigint, bound bigint, skip bigint) language plpgsql stable set plan_cache_mode=force_generic_plan as $$
declare
  counted_keys text[] := coalesce(keys, array['*']);
begin
  return query
  with stretch as materialized (
    select 63 as bits, 0::bigint as first, 0::bigint as last where "from" is null
    union all
    select b.* from counted_list l, time_blocks("from", "to", l."timeBits") as b
    where "from" is not null and l.list = of_list and b.bits > 0 and b.first <= b.last
  ), live as materialized (
    select d."idBlock" as block, d.n from list_delta d
    where d.list = of_list and (keys is null or d.key = any (keys)) and exists (
      select from stretch s where s.bits = 63 or d."timeBlock" >> s.bits - 10 between s.first and s.last)
    union all
    select * from unnest(edge_blocks, edge_counts)
  ), huge as materialized (
    select b.block, sum(b.n) as n from (
      select "idBlock" as block, l.n from list_count l
      where "from" is null and l.list = of_list and l.key = any (counted_keys) and l."timeBits" = 63 and l."idBits" = 23 and l."timeBlock" = 0
      union all select live.block >> 14, live.n from live where "from" is null) as b
    group by b.block
  ), part as materialized (
    select b.block << 7 as lowest, b.before from (select *, sum(huge.n) over (order by block desc) - huge.n as before from huge) as b
    where b.before + b.n > skipped and b.before <= skipped
  ), large as materialized (
    select b.block, sum(b.n) as n from (
      select c.block, c.n from part, lateral (
        select "idBlock" as block, l.n from list_count l where l.list = of_list and l.key = any (counted_keys) and l."timeBits" = 63
          and l."idBits" = 16 and l."timeBlock" = 0 and "idBlock" between part.lowest and part.lowest + 127 offset 0) as c
      union all select live.block >> 7, live.n from part, live where live.block >> 7 between part.lowest and part.lowest + 127
      union all
      select c.block, c.n from stretch s, lateral (
        select "idBlock" as block, l.n from list_count l where l.list = of_list and l.key = any (counted_keys) and l."timeBits" = s.bits
          and l."idBits" = 16 and l."timeBlock" between s.first and s.last offset 0) as c
      where "from" is not null
      union all select live.block >> 7, live.n from live where "from" is not null) as b
    group by b.block
  ), hit as materialized (
    select b.block << 7 as lowest, b.before from (
      select *, coalesce((select part.before from part), 0) + sum(large.n) over (order by block desc) - large.n as before from large) as b
    where b.before + b.n > skipped and b.before <= skipped
  ), small as (
    select b.block, sum(b.n) as n from (
      select c.block, c.n from hit, stretch s, lateral (
        select "idBlock" as block, l.n from list_count l where l.list = of_list and l.key = any (counted_keys) and l."timeBits" = s.bits
          and l."idBits" = 9 and l."timeBlock" between s.first and s.last and "idBlock" between hit.lowest and hit.lowest + 127 offset 0) as c
      union all select live.block, live.n from hit, live where live.block between hit.lowest and hit.lowest + 127) as b
    group by b.block
  ), found as (
    select b.block, skipped - b.before as rest
    from (select small.*, hit.before + sum(small.n) over (order by block desc) - small.n as before from hit, small) as b
    where b.before + b.n > skipped and b.before <= skipped
  )
  select (select coalesce(sum(all_rows.n), 0) from (select huge.n from huge union all select large.n from large where "from" is not null) as all_rows)::bigint, (found.block + 1 << 9) - 1, found.rest::bigint
  from (values (1)) as one left join found on true;
end $$;
