-- Days of the week that a betting time range starts on, 1 for Monday to 7 for Sunday; null for every day.
alter table bet_time_range add column weekdays smallint[]
  check (weekdays <@ array[1, 2, 3, 4, 5, 6, 7]::smallint[] and cardinality(weekdays) between 1 and 6);
