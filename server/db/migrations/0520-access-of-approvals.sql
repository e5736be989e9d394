-- What an approval changes in what operators may do, as whoever prepared it was shown it: part of what a release compares. Nothing where
-- no access changes, and of those that servers of before prepared.
alter table approval add column access jsonb;
