-- While sources disagree only a void of the whole phase goes on: it pays no result. One that had begun before they disagreed was stopped with
-- the others.

-- As in 0225-settlements.sql, but for that.
create or replace function settle_changed_record() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(new."gameId", new.phase));
  if new.result <> old.result then
    if exists (select from settlement where "recordId" = new.id and kind = 'FIRST') then
      perform begin_settlement('CORRECTION', new);
    end if;
  elsif new.conflict then
    update settlement set status = 'HELD', stopped = true, problem = '开奖结果有冲突'
    where "gameId" = new."gameId" and phase = new.phase and status = 'RUNNING'
      and not (kind = 'VOID' and "playWayId" is null and "createTimeFrom" is null and "slipId" is null);
  else
    update settlement set status = 'RUNNING', stopped = false, problem = null
    where "gameId" = new."gameId" and phase = new.phase and stopped;
  end if;
  return null;
end $$;

update settlement set status = 'RUNNING', stopped = false, problem = null
where status = 'HELD' and stopped and kind = 'VOID' and "playWayId" is null and "createTimeFrom" is null and "slipId" is null;
