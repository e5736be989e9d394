-- By whose word a record was before a correction and is after it, '' where nobody wrote it down; null in corrections of before. What was before is
-- taken from the record itself, so that it is there too where a server of the version before corrects.
create function note_old_source() returns trigger language plpgsql as $$
begin
  new."oldSource" := coalesce((select source from draw_record where id = new."recordId"), '');
  return new;
end $$;

-- Like 0490, this waits for half a second at a time.
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table draw_correction add column "oldSource" text, add column "newSource" text;
      create trigger draw_correction_old_source before insert on draw_correction
        for each row execute function note_old_source();
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
end $$;
