create table news_category (
  id bigint generated always as identity primary key,
  name text not null unique
);

create table news (
  id bigint generated always as identity primary key,
  "categoryId" bigint not null references news_category,
  title text not null,
  content text not null,
  important boolean not null default false,
  "createTime" timestamptz not null default now()
);
create index news_category_id on news ("categoryId", id desc);
