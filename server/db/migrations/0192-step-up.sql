-- When a Google code was given last in a session: what asks for a fresh one is let through for some minutes after it.
alter table session add column "stepUpTime" timestamptz;
