-- A phase that is voided for good, since its promised draw cannot come, gives back what was bet on it: nobody waits for ever.
create function settle_void_draw() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(settlement_key(new."gameId", new.phase));
  if exists (select from slip s where s."gameId" = new."gameId" and s.phase = new.phase) then
    insert into settlement (kind, "gameId", phase, "operatorId", "userName", reason)
    values ('VOID', new."gameId", new.phase, new."operatorId", new."userName", new.reason);
  end if;
  return null;
end $$;
create trigger draw_void_settled after insert on draw_void for each row execute function settle_void_draw();
