-- 流水要求: what a player has to turn over for a deposit or gift before they may withdraw. A row for each row of the ledger that brought one,
-- with the parameter of then. Those that were met when a withdrawal was placed are done.
create table turnover_requirement (
  id bigint generated always as identity primary key,
  "userId" bigint not null references player,
  "historyId" bigint not null unique,
  kind text not null check (kind in ('RECHARGE', 'RECHARGE_GIVE')),
  amount numeric not null,
  times numeric not null check (times > 0),
  required numeric not null check (required >= 0),
  "createTime" timestamptz not null,
  "doneTime" timestamptz
);
create index turnover_requirement_open on turnover_requirement ("userId", id) where "doneTime" is null;
