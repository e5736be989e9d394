-- Taking a slip back after its phase had closed held the account and the counters of limits before it was refused: beside a settlement that
-- voids, which comes to the counters first and to the accounts then, each could wait for the other. It is refused as soon as that is known,
-- so that locks are taken in the order slip, account, counters by all who take them of a phase that is open. See decision 0825.
create or replace function cancel_slip(of_slip bigint, who text, why text) returns void language plpgsql as $$
#variable_conflict use_column
declare
  s slip;
  closes timestamptz;
begin
  perform betting_patience();
  select * into s from slip where id = of_slip;
  if not found then
    raise exception 'no such slip' using errcode = 'BE030';
  end if;
  perform pg_advisory_xact_lock_shared(betting_key(s."gameId", s.phase));
  select * into s from slip where id = of_slip for no key update;
  if s.status <> 'PENDING' then
    raise exception 'slip % is %', of_slip, s.status using errcode = 'BE031', detail = s.status;
  end if;
  select c.closes into strict closes from draw_plan p join game g on g.id = p."gameId",
      lateral closing_of(g.id, p.phase, g."stopBetSecond", p."startTime", p."endTime") as c
    where p.id = s."planId";
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
  perform betting_patience();
  perform post_entries(array[s."userId"], array['BET_REFUND'], array[s.stake], array['B' || s.id], array['撤单']);
  update slip_line set status = 'CANCELLED', refund = stake where "slipId" = s.id;
  update slip set status = 'CANCELLED', refund = stake, "settleTime" = clock_timestamp(), "cancelledBy" = who, "cancelReason" = why
    where id = s.id;
  perform betting_patience();
  if not s."testAccount" then
    perform give_back_limits(s."gameId", s.phase, array_agg(l.id), array_agg(s."userId")) from slip_line l where l."slipId" = s.id;
    perform betting_patience();
  end if;
  -- It may have closed while others were waited for.
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
end $$;
