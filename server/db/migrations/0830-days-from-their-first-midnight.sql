-- A day is everything from its first midnight to the first moment of the next day. Where clocks go back over midnight it comes twice, and a date
-- or `date_trunc` taken for a moment is the second of the two: the hour before it belonged to no day. See decision 0880.

-- Three hours before are those of the clocks before a change, as report_day has them.
create function day_start(day date) returns timestamptz language sql stable
  return (
    select case when first.at::timestamp = day_start.day then first.at else shown.at end
    from (select day_start.day::timestamptz as at) as shown,
      lateral (select shown.at - interval '3 hours' + (day_start.day - (shown.at - interval '3 hours')::timestamp) as at) as first);
comment on function day_start(date) is
  'The first moment of a day in the zone of the session: its first midnight, or where clocks go on from it.';

-- Each end is worked out once, and not for each deposit.
create or replace function deposits_used("ofUser" bigint, period text, at timestamptz) returns numeric language sql stable
  return (
    select coalesce(sum(d.amount), 0) from deposit d
    where d."userId" = "ofUser" and d.status <> 'FAIL'
      and d."createTime" >= (select day_start(date_trunc(lower(period), at::timestamp)::date))
      and d."createTime" < (select day_start((date_trunc(lower(period), at::timestamp) + ('1 ' || period)::interval)::date)));

create or replace function begin_losses("ofUser" bigint) returns void language plpgsql as $$
declare
  since timestamptz := day_start(least(date_trunc('week', now()), date_trunc('month', now()))::date);
begin
  perform from slip s where s."userId" = "ofUser" and s."createTime" >= since order by s.id for share;
  perform from account where "userId" = "ofUser" for no key update;
  perform from slip s where s."userId" = "ofUser" and s."createTime" >= since order by s.id for share;
  insert into player_loss ("userId", day, loss)
  select "ofUser", s."createTime"::date, sum(s.stake - s.refund - s.payout) from slip s
  where s."userId" = "ofUser" and s."createTime" >= since group by 2;
end $$;
