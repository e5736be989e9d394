-- The change record stays append-only for everyone, but for one way out: what is older than its parameter says may be taken
-- away by delete_old_change_records alone. The ledger is never cleaned.

-- Records of that time and later are kept: of all times when the parameter is 0, missing or no number, and of 90 days at least.
create function change_records_kept_since() returns timestamptz language sql stable as $$
  select case coalesce(max(days), 0) when 0 then '-infinity' else now() - greatest(max(days), 90) * interval '1 day' end
  from (select value::integer as days from param_setting
    where key = 'retention.changeRecordDays' and value ~ '^[0-9]{1,5}$') as retention
$$;

-- Whoever was granted the right to delete deletes nothing younger either.
create function refuse_early_deletion() returns trigger language plpgsql as $$
begin
  if exists (select from removed where "createTime" >= change_records_kept_since()) then
    raise exception 'DELETE on % is refused: the table is append-only', tg_table_name using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
drop trigger change_record_append_only on change_record;
create trigger change_record_append_only before update or truncate on change_record
  for each statement execute function refuse_change();
create trigger change_record_kept after delete on change_record
  referencing old table as removed for each statement execute function refuse_early_deletion();

-- Deletes some of the oldest records that need not be kept, and tells how many. The right to do so is given and taken back inside
-- its own transaction, so that no other statement ever has it; one at a time, since two would change the same grant.
create function delete_old_change_records(most integer) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  since timestamptz := change_records_kept_since();
  deleted bigint;
begin
  if not exists (select from change_record where "createTime" < since)
    or not pg_try_advisory_xact_lock(hashtextextended('rights', 0)) then
    return 0;
  end if;
  grant delete on change_record to current_user;
  delete from change_record where id in (
    select id from change_record where "createTime" < since order by "createTime" limit most);
  get diagnostics deleted = row_count;
  revoke delete on change_record from current_user;
  return deleted;
end $$;
revoke execute on function delete_old_change_records from public;
