-- By which way of counting opposing lines a phase was counted, so that it can be proven by that way alone.

-- Unknown of what was counted before.
alter table turnover_counted add column opposing text check (opposing in ('BOTH', 'DIFFERENCE'));
-- Of phases that were settled since then whatever won or lost is counted with its way, though it should come to nothing.
alter table turnover_mark add column "waysSince" timestamptz not null default clock_timestamp();
