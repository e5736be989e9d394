-- One function of it reads RETURNING old and new, which PostgreSQL before 18 does not know. Its body is not looked at here; 0370 gives it one that each
-- supported server can run, before anybody calls it.
set local check_function_bodies = off;
