-- The money desk: who decides an order at present. An undecided order is taken by one operator until a moment, in one session; whoever
-- decides it or puts it back gives it up, and so does the end of the session.

alter table deposit add column "takenBy" bigint references operator on delete set null, add column "takenIn" uuid,
  add column "takenUntil" timestamptz;
alter table deposit add constraint deposit_taken check ("takenBy" is null or status = 'PROCESSING');
create index deposit_taken_by on deposit ("takenBy") where "takenBy" is not null;

alter table withdrawal add column "takenBy" bigint references operator on delete set null, add column "takenIn" uuid,
  add column "takenUntil" timestamptz;
alter table withdrawal add constraint withdrawal_taken check ("takenBy" is null or status = 'PROCESSING');
create index withdrawal_taken_by on withdrawal ("takenBy") where "takenBy" is not null;

-- An order that somebody is deciding or taking over at this moment is left to them.
create function put_back_taken() returns trigger language plpgsql as $$
begin
  update deposit set "takenBy" = null, "takenIn" = null, "takenUntil" = null where id in (
    select id from deposit where "takenBy" = old."operatorId" and "takenIn" = old.id for no key update skip locked);
  update withdrawal set "takenBy" = null, "takenIn" = null, "takenUntil" = null where id in (
    select id from withdrawal where "takenBy" = old."operatorId" and "takenIn" = old.id for no key update skip locked);
  return null;
end $$;
create trigger session_over after update of "revokeTime" on session
  for each row when (old."revokeTime" is null and new."revokeTime" is not null) execute function put_back_taken();
create trigger session_gone after delete on session for each row execute function put_back_taken();

-- Orders are counted by status, type and time; what changes none of them counts nothing anew.
create or replace function count_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into list_delta
    select tg_table_name, key, "timeBlock", "idBlock", sum(n) from (
      select status || ':' || coalesce(type, '') as key, time_block("createTime") as "timeBlock", id >> 9 as "idBlock", 1 as n from added
      union all
      select status || ':' || coalesce(type, ''), time_block("createTime"), id >> 9, -1 from removed
    ) as moved group by 2, 3, 4 having sum(n) <> 0;
  elsif tg_op = 'INSERT' then
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), time_block("createTime"), id >> 9, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta
    select tg_table_name, status || ':' || coalesce(type, ''), time_block("createTime"), id >> 9, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;
