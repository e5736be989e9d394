-- Rules of slips, promises, and whose word a record is by. The kinds that were are among these, so no row is looked at.
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table seal drop constraint seal_kind_check,
        add constraint seal_kind_check check (kind in ('LEDGER', 'DEBT', 'CHANGE', 'DRAW', 'CORRECTION', 'SLIP', 'OUTCOME', 'RULES', 'PROMISE',
          'SOURCE', 'CORRECTED_SOURCE')) not valid;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
end $$;
