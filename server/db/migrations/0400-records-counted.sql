-- The change record, the log of sign-ins and the mails sent are counted as they are written, like other long lists (0062). Two files, so that no writer
-- waits while what is there already is counted: from this one on rows that come are counted, the next one counts those from before. Until
-- then none of them goes: one that had been counted by nobody yet would be taken off.
insert into counted_list values ('change_record', 10), ('login_record', 10), ('mail_outbox', 10);

create function count_by_outcome() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into list_delta select tg_table_name, outcome, time_block("createTime"), id >> 9, count(*) from added group by 2, 3, 4;
  else
    insert into list_delta select tg_table_name, outcome, time_block("createTime"), id >> 9, -count(*) from removed group by 2, 3, 4;
  end if;
  return null;
end $$;
create trigger change_record_counted_insert after insert on change_record referencing new table as added
  for each statement execute function count_by_outcome();
create trigger login_record_counted_insert after insert on login_record referencing new table as added
  for each statement execute function count_by_outcome();
-- What becomes of a mail changes neither its id nor its time.
create trigger mail_outbox_counted_insert after insert on mail_outbox referencing new table as added
  for each statement execute function count_plain();

create function stay_until_counted() returns trigger language plpgsql as $$
begin
  return null;
end $$;
create trigger change_record_uncounted before delete on change_record for each row execute function stay_until_counted();
create trigger login_record_uncounted before delete on login_record for each row execute function stay_until_counted();
create trigger mail_outbox_uncounted before delete on mail_outbox for each row execute function stay_until_counted();

-- The triggers keep writers away until this file is done, so that nothing is on its way here.
create table uncounted_list (
  list text primary key,
  "upTo" bigint not null
);
insert into uncounted_list
  select 'change_record', coalesce(max(id), 0) from change_record
  union all select 'login_record', coalesce(max(id), 0) from login_record
  union all select 'mail_outbox', coalesce(max(id), 0) from mail_outbox;
