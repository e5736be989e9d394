-- Tables whose end is emptied while others write: giving it back to the system takes a lock that every writer then waits for, and it would
-- grow again at once. list_delta is kept so already.
alter table list_count set (vacuum_truncate = off);
alter table idempotency_key set (vacuum_truncate = off);
alter table change_record set (vacuum_truncate = off);

-- The plans of posting are the same for all values, and planning anew each time costs more than running them.
alter function post_entries set plan_cache_mode = force_generic_plan;
alter function post_foreign_entries set plan_cache_mode = force_generic_plan;
