-- Rows of list_delta live for a second. Giving back the end of the table needs it alone: every writer waits, and on a replica every
-- long query is in the way. Its length is bounded by what comes between two sweeps, so it is kept.
alter table list_delta set (vacuum_truncate = off);
