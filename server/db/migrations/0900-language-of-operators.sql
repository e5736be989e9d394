-- Which language an operator has chosen for the console; without a row they have what their browser was told.
create table operator_language (
  "operatorId" bigint primary key references operator on delete cascade,
  language text not null check (language in ('zh', 'en'))
);
