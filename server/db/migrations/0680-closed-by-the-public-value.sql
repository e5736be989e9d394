-- A promised draw may wait for a value that is made public at a fixed time. Bets were refused from then on, where its plan had been moved
-- beyond that; but slips could be cancelled until the plan's own closing, and that was the one told. Now there is one closing of a phase.
create function closing_of(game_id bigint, of_phase text, stop_seconds integer, starts timestamptz, ends timestamptz)
  returns table (closes timestamptz) language sql stable rows 1 as $$
  select least(c.closes, (select to_timestamp((b.rules #>> '{beacon,time}')::float8) from draw_commitment b
    where b."gameId" = game_id and b.phase = of_phase))
  from closing_of(game_id, stop_seconds, starts, ends) as c
$$;

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
  if clock_timestamp() >= closes then
    raise exception 'closed' using errcode = 'BE016', detail = s.phase;
  end if;
end $$;
