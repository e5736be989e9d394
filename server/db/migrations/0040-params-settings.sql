create table param_setting (
  id bigint generated always as identity primary key,
  title text not null,
  key text not null unique,
  value text not null
);
