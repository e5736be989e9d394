-- Draw plans and records belong to what is counted anew when the platform's zone changes.
alter function recount_lists() rename to recount_money_lists;

create function recount_lists() returns void language plpgsql as $$
begin
  lock table draw_plan, draw_record in share mode;
  perform recount_money_lists();
  insert into list_delta
  select 'draw_plan', "gameId" || '/' || status, "startTime"::date, id >> 11, count(*) from draw_plan group by 2, 3, 4;
  insert into list_delta
  select 'draw_record', "gameId"::text, "openTime"::date, id >> 11, count(*) from draw_record group by 2, 3, 4;
  perform fold_list_deltas();
end $$;
