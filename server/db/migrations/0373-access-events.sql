-- Whom a change of access touches, so that servers forget these and no others. An epoch without a line here touches everyone, as do all
-- changes made by servers of before. A server that was away for longer than lines are kept forgets everything it remembers.
create table access_event (
  epoch bigint primary key,
  "operatorIds" bigint[] not null,
  "roleIds" bigint[] not null,
  "sessionIds" text[] not null
);
