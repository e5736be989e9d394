-- What somebody gets for a day may come from several chains of agents: an agent may move, and two may be paid to one account. Each chain has a
-- row of its own from now on, so that the report counts for agents what came from their players. Whoever works out a day beside this, as the
-- version before, writes one row for all chains, as it did. See decision 0820.
alter table rebate_share drop constraint rebate_share_pkey;
alter table rebate_share add primary key ("runDay", "userId", kind, day, agents);
drop index rebate_share_run;
create index rebate_share_day on rebate_share (day);
