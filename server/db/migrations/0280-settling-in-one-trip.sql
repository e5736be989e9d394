-- Writes what a settlement makes of slips, and what of its row of work is done, in one trip: while locks are held nobody waits for a server.
-- Lines come first, since counting them takes the lock of their day of the report, which comes before all accounts; then the slips, then the
-- money; and the settlement's own row last, for which other servers that settle the same phase wait. What could not be posted is told by the
-- place of its entry: then nothing more is written, and the caller undoes all of it.
create function settle_slips(of_settlement bigint, of_no integer, rest bigint[],
  lines bigint[], line_statuses text[], winning_units integer[], pushed_units integer[], line_payouts numeric[], line_refunds numeric[],
  slips bigint[], places integer[], statuses text[], payouts numeric[], refunds numeric[], moved_payouts numeric[], moved_refunds numeric[],
  users bigint[], types text[], amounts numeric[], numbers text[], descs text[], sources text[])
returns table (place integer, problem text) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  staked numeric;
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
    select sum(stake) into staked from changed;
    if cardinality(users) > 0 then
      return query select p.place, p.problem from post_entries(users, types, amounts, numbers, descs, sources, alone => true) as p
        where p.problem is not null;
      if found then
        return;
      end if;
    end if;
  end if;
  if cardinality(rest) > 0 then
    update settlement_batch b set slips = rest where b."settlementId" = of_settlement and b.no = of_no;
  else
    delete from settlement_batch b where b."settlementId" = of_settlement and b.no = of_no;
  end if;
  if cardinality(slips) > 0 then
    update settlement t set slips = t.slips + cardinality(settle_slips.slips), stake = as_money(t.stake + staked),
      payout = as_money(t.payout + (select sum(m) from unnest(moved_payouts) as m)),
      refund = as_money(t.refund + (select sum(m) from unnest(moved_refunds) as m))
    where t.id = of_settlement;
  end if;
end $$;
