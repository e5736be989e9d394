-- From which places an operator has signed in: a place not among them is told to the operator, who takes note of it.
create table operator_address (
  id bigint generated always as identity primary key,
  "operatorId" bigint not null references operator on delete cascade,
  -- An IPv4 address, or the network of an IPv6 address; `address` is what it was the first time.
  origin text not null,
  address text not null,
  agent text not null,
  "firstTime" timestamptz not null default now(),
  "lastTime" timestamptz not null default now(),
  noted boolean not null,
  unique ("operatorId", origin)
);
create index operator_address_age on operator_address ("lastTime");

-- What the log of sign-ins still knows is no news. Before PostgreSQL 16 only a try tells whether a text is an address.
create function pg_temp.address_in(given text) returns inet language plpgsql as $$
begin
  return given::inet;
exception when invalid_text_representation then
  return null;
end $$;
insert into operator_address ("operatorId", origin, address, agent, "firstTime", "lastTime", noted)
  select "operatorId",
    case when family(known) = 6 then text(network(set_masklen(known, 64))) else host(known) end,
    min(address), '', min("createTime"), max("createTime"), true
  from (select *, pg_temp.address_in(address) as known from login_record where outcome = 'SUCCESS') l
  where known is not null and exists (select from operator o where o.id = l."operatorId")
  group by 1, 2;

-- Where an operator wants to be told.
alter table operator add column email text;
