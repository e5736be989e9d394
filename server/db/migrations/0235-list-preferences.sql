-- How an operator has a list: which columns in which order and width. Checked by the contract's schema before it is written.
create table list_layout (
  "operatorId" bigint not null references operator on delete cascade,
  screen text not null,
  layout jsonb not null,
  primary key ("operatorId", screen)
);

-- What stands behind the `?` of a list's address under a name, for its operator or for all who have a role.
create table list_view (
  id bigint generated always as identity primary key,
  "operatorId" bigint not null references operator on delete cascade,
  "roleId" bigint references role on delete cascade,
  screen text not null,
  name text not null,
  address text not null,
  unique ("operatorId", screen, name)
);
create index list_view_role on list_view ("roleId") where "roleId" is not null;

-- The view that a list opens with, for each operator.
create table list_start (
  "operatorId" bigint not null references operator on delete cascade,
  screen text not null,
  "viewId" bigint not null references list_view on delete cascade,
  primary key ("operatorId", screen)
);
create index list_start_view on list_start ("viewId");
