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

-- What the log of sign-ins still knows is no news.
insert into operator_address ("operatorId", origin, address, agent, "firstTime", "lastTime", noted)
  select "operatorId",
    case when family(address::inet) = 6 then text(network(set_masklen(address::inet, 64))) else host(address::inet) end,
    min(address), '', min("createTime"), max("createTime"), true
  from login_record l where outcome = 'SUCCESS' and pg_input_is_valid(address, 'inet')
    and exists (select from operator o where o.id = l."operatorId")
  group by 1, 2;

-- Where an operator wants to be told.
alter table operator add column email text;
