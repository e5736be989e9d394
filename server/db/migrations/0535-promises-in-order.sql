-- Promises are sealed like draws, before these. Seals go by ids, and promises have none: to give them one would write all of them anew while nobody
-- may promise or bet. So the order in which they came lies beside them.
create table promise_order (
  id bigint generated always as identity primary key,
  "gameId" bigint not null,
  phase text not null,
  "createTime" timestamptz not null default clock_timestamp()
);
create trigger promise_order_append_only before update or delete or truncate on promise_order
  for each statement execute function refuse_change();
revoke update, delete, truncate on promise_order from public, current_user;

-- Servers of the version before promise until they are replaced, and are given rights by no start of theirs any more.
do $$
declare
  promising text;
begin
  for promising in
    select distinct grantee::regrole::text from pg_class, aclexplode(relacl)
    where pg_class.oid = 'draw_commitment'::regclass and privilege_type = 'INSERT' and grantee not in (relowner, 0)
  loop
    execute 'grant insert on promise_order to ' || promising;
  end loop;
end $$;

create function order_promises() returns trigger language plpgsql as $$
begin
  insert into promise_order ("gameId", phase) select "gameId", phase from added;
  return null;
end $$;
create trigger draw_commitment_ordered after insert on draw_commitment
  referencing new table as added for each statement execute function order_promises();
