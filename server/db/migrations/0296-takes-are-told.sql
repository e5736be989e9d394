-- Who takes or puts back an order is told to all who look at the queue; a decision is told by itself.
create trigger deposit_take_told after update of "takenBy" on deposit
  for each row when (old."takenBy" is distinct from new."takenBy" and old.status = new.status)
  execute function note_happening('deposit');
create trigger withdrawal_take_told after update of "takenBy" on withdrawal
  for each row when (old."takenBy" is distinct from new."takenBy" and old.status = new.status)
  execute function note_happening('withdrawal');
