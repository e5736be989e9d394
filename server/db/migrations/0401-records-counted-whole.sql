-- Counts what was there before 0400, which neither changes what is counted nor goes. Nobody waits for it; the triggers at its end are made in a moment.
insert into list_delta
select 'change_record', outcome, time_block("createTime"), id >> 9, count(*) from change_record
where id <= (select "upTo" from uncounted_list where list = 'change_record') group by 2, 3, 4;
insert into list_delta
select 'login_record', outcome, time_block("createTime"), id >> 9, count(*) from login_record
where id <= (select "upTo" from uncounted_list where list = 'login_record') group by 2, 3, 4;
insert into list_delta
select 'mail_outbox', '', time_block("createTime"), id >> 9, count(*) from mail_outbox
where id <= (select "upTo" from uncounted_list where list = 'mail_outbox') group by 3, 4;
-- Gives nothing where a server folds at this moment, which will fold these too.
select fold_list_deltas();
drop table uncounted_list;

create trigger change_record_counted_delete after delete on change_record referencing old table as removed
  for each statement execute function count_by_outcome();
create trigger login_record_counted_delete after delete on login_record referencing old table as removed
  for each statement execute function count_by_outcome();
create trigger mail_outbox_counted_delete after delete on mail_outbox referencing old table as removed
  for each statement execute function count_plain();
drop trigger change_record_uncounted on change_record;
drop trigger login_record_uncounted on login_record;
drop trigger mail_outbox_uncounted on mail_outbox;
drop function stay_until_counted();
