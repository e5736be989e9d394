-- What is rare among very many rows and asked for by itself. None of these costs a write of any other row.
create index settlement_kind on settlement (kind, id) where kind <> 'FIRST';
create index player_frozen on player (id) where frozen;
create index player_test on player (id) where "testAccount";
create index slip_test on slip (id) where "testAccount";

-- What was done to a kind of things, and by what it is called. There are few different calls, which are found by skipping from one to the next.
create index change_record_call on change_record (call, summary, id);
