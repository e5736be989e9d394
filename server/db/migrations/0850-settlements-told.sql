-- A settlement that waits for a person is work like any other: operators are told of it while they look elsewhere.
create trigger settlement_told_added after insert on settlement
  for each row execute function note_happening('settlement');
create trigger settlement_told after update of status on settlement
  for each row when (old.status is distinct from new.status and 'HELD' in (old.status, new.status))
  execute function note_happening('settlement');
