-- The job queue's own schema goes: rows themselves say what is due, and its jobs were wake-ups of work that looks at them.
drop schema pgboss cascade;
