-- Transactions that settle slips of the same phase wait for one another no more: what each of them did is counted on its own row of work, and
-- added to the settlement once nothing is left, or when a later settlement takes over. Until then a row whose slips are all settled stays.
alter table settlement_batch add column settled integer not null default 0;
alter table settlement_batch add column stake numeric not null default 0.00;
alter table settlement_batch add column payout numeric not null default 0.00;
alter table settlement_batch add column refund numeric not null default 0.00;

-- Writes what a settlement makes of slips, and what of its row of work is done, in one trip: while locks are held nobody waits for a server.
-- Lines come first, since counting them takes the lock of their day of the report, which comes before all accounts; then the slips, then the
-- money. What could not be posted is told by the place of its entry: then nothing more is written, and the caller undoes all of it.
create or replace function settle_slips(of_settlement bigint, of_no integer, rest bigint[],
  lines bigint[], line_statuses text[], winning_units integer[], pushed_units integer[], line_payouts numeric[], line_refunds numeric[],
  slips bigint[], places integer[], statuses text[], payouts numeric[], refunds numeric[], moved_payouts numeric[], moved_refunds numeric[],
  users bigint[], types text[], amounts numeric[], numbers text[], descs text[], sources text[])
returns table (place integer, problem text) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  staked numeric := 0;
begin
  if cardinality(slips) > 0 then
    update slip_line l set status = w.status, "winningUnits" = w.winning, "pushedUnits" = w.pushed, payout = as_money(w.payout),
      refund = as_money(w.refund)
    from unnest(lines, line_statuses, winning_units, pushed_units, line_payouts, line_refunds)
      as w (id, status, winning, pushed, payout, refund)
    where l.id = w.id;
    with change as materialized (
      select * from unnest(slips, places, statuses, payouts, refunds, moved_payouts, moved_refunds)
        as w (id, n, status, payout, refund, "movedPayout", "movedRefund")
    ), told as (
      insert into slip_settlement ("slipId", n, "settlementId", status, payout, refund, "movedPayout", "movedRefund")
      select id, n, of_settlement, status, as_money(payout), as_money(refund), as_money("movedPayout"), as_money("movedRefund") from change
    ), gone as (
      delete from slip_hold h using change w where h."slipId" = w.id
    ), changed as (
      update slip s set status = w.status, payout = as_money(w.payout), refund = as_money(w.refund),
        "settleTime" = case when w.status <> 'PENDING' then clock_timestamp() end
      from change w where s.id = w.id returning s.stake
    )
    select coalesce(sum(stake), 0) into staked from changed;
    if cardinality(users) > 0 then
      return query select p.place, p.problem from post_entries(users, types, amounts, numbers, descs, sources, alone => true) as p
        where p.problem is not null;
      if found then
        return;
      end if;
    end if;
  end if;
  update settlement_batch b set slips = rest, settled = b.settled + cardinality(settle_slips.slips), stake = as_money(b.stake + staked),
    payout = as_money(b.payout + (select coalesce(sum(m), 0) from unnest(moved_payouts) as m)),
    refund = as_money(b.refund + (select coalesce(sum(m), 0) from unnest(moved_refunds) as m))
  where b."settlementId" = of_settlement and b.no = of_no;
end $$;

-- Goes once through everything that settling does, of a slip and a player that nobody has, and leaves nothing behind: a session plans its
-- statements when it first meets them, and that takes longer than settling a hundred slips. Nobody waits for locks meanwhile.
create function rehearse_settling() returns void language plpgsql as $$
begin
  perform settle_slips(0, 0, '{}', '{0}', '{LOST}', '{0}', '{0}', '{0}', '{0}', '{0}', '{1}', '{LOST}', '{0}', '{0}', '{0}', '{0}',
    '{0}', '{WIN}', '{1}', '{null}', '{null}', '{null}');
  raise exception 'the rehearsal is over' using errcode = 'ST001';
exception when others then
  -- What cannot be done will be told by whoever means it.
  null;
end $$;

-- Which agents a slip counts for, told without a statement of its own.
create or replace function report_agents(agents jsonb) returns bigint[] language sql stable parallel safe
  return case when agents = '[]' then '{0,-1}'::bigint[]
    else translate('[0,' || substr(jsonb_path_query_array(agents, '$[*].id')::text, 2), '[]', '{}')::bigint[] end;

-- The rows of before and after stand below each other rather than beside: what is planned while they are few is as good for many.
create or replace function count_lines_changed() returns trigger language plpgsql as $$
begin
  with difference as materialized (
    select "lineId", "slipId", "playWayId", sum(payout) as payout, sum(refund) as refund, sum(unsettled) as unsettled, bool_or(acted) as acted
    from (
      select id as "lineId", "slipId", "playWayId", payout, refund, case when status in ('PENDING', 'HELD') then stake else 0 end as unsettled,
        status in ('VOID', 'CANCELLED') as acted from added
      union all
      select id, "slipId", "playWayId", -payout, -refund, case when status in ('PENDING', 'HELD') then -stake else 0 end,
        status in ('VOID', 'CANCELLED') from removed
    ) as line group by 1, 2, 3 having sum(payout) <> 0 or sum(refund) <> 0 or sum(unsettled) <> 0
  ), changed as materialized (
    select s.day, s."userId", s."gameId", s.agents, d.* from difference d join slip s on s.id = d."slipId" where not s."testAccount"
  ), days as materialized (
    select each.day, open_report_day(each.day) as counted from (select distinct day from changed order by day) as each
  ), today as materialized (
    select report_day_of_act() as day where exists (select from changed where acted)
  ), part as materialized (
    select c.day as own, case when p.is_money and c.acted then (select day from today) else d.counted end as day, c."userId", c."gameId",
      c."playWayId", report_agents(c.agents) as agents, c."lineId", p.payout, p.refund, p.unsettled
    from changed c join days d on d.day = c.day, lateral (values
      (true, c.payout, c.refund, 0), (false, 0, 0, c.unsettled)) as p (is_money, payout, refund, unsettled)
    where p.payout <> 0 or p.refund <> 0 or p.unsettled <> 0
  ), moved as (
    insert into report_entry (kind, day, "userId", "gameId", "playWayId", agents, "lineId", payout, refund, unsettled)
    select 'MOVED', day, "userId", "gameId", "playWayId", agents, "lineId", sum(payout), sum(refund), sum(unsettled)
    from part where day <> own group by day, "userId", "gameId", "playWayId", agents, "lineId"
  )
  insert into report_delta (day, "userId", "gameId", "playWayId", agents, payout, refund, unsettled)
  select day, "userId", "gameId", "playWayId", agents, sum(payout), sum(refund), sum(unsettled)
  from part where day = own group by 1, 2, 3, 4, 5;
  return null;
end $$;

-- Most changes of lines neither make one void nor undo that; then nothing is looked up.
create or replace function give_back_voids() returns trigger language plpgsql as $$
declare
  of record;
begin
  if not exists (select from added where status = 'VOID') and not exists (select from removed where status = 'VOID') then
    return null;
  end if;
  for of in
    select s."gameId", s.phase, a.status = 'VOID' as gone, array_agg(a.id) as lines, array_agg(s."userId") as users
    from added a join removed r on r.id = a.id join slip s on s.id = a."slipId"
    where (a.status = 'VOID') <> (r.status = 'VOID') and not s."testAccount"
      and exists (select from limit_counter c where c."gameId" = s."gameId" and c.phase = s.phase)
    group by 1, 2, 3 order by 1, 2, 3
  loop
    if of.gone then
      perform give_back_limits(of."gameId", of.phase, of.lines, of.users);
    else
      perform take_limits(of."gameId", of.phase, of.lines, of.users);
    end if;
  end loop;
  return null;
end $$;

create or replace function expose_lines_anew() returns trigger language plpgsql as $$
begin
  if not exists (select from added where status in ('CANCELLED', 'VOID'))
      and not exists (select from removed where status in ('CANCELLED', 'VOID')) then
    return null;
  end if;
  insert into exposure_delta
  select s."gameId", s.phase, a."playWayId", a."rulesId", e.number, e.stake * w.sign, e.units * w.sign, e.payout * w.sign, e.selection,
    e."unitStake" * w.sign
  from (
    select a.id, case when a.status in ('CANCELLED', 'VOID') then -1 else 1 end as sign from added a join removed r using (id)
    where (a.status in ('CANCELLED', 'VOID')) <> (r.status in ('CANCELLED', 'VOID'))
  ) as w join slip_line a on a.id = w.id join slip s on s.id = a."slipId", lateral exposed(array[a]) as e
  where not s."testAccount";
  return null;
end $$;
