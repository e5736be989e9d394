-- Days of the calendar have 23 to 25 hours: the moment since when records are kept went back by an hour where clocks did, or had gone on when it
-- came to be told. In that hour `prove` took records for deleted that had rightly gone the hour before. See decision 0880.
create or replace function change_records_kept_since() returns timestamptz language sql stable as $$
  select case coalesce(max(days), 0) when 0 then '-infinity' else now() - make_interval(hours => 24 * greatest(max(days), 90)) end
  from (select value::integer as days from param_setting
    where key = 'retention.changeRecordDays' and value ~ '^[0-9]{1,5}$') as retention
$$;
