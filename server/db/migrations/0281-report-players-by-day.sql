-- A player's counters of a day are looked up by the primary key alone. An index that told games and days apart looked just as good to the
-- planner and was taken instead, so that each player who came on a day was looked for among all of that day. Rows come in the order of days:
-- what is asked by day needs no more than the blocks that days lie in.
drop index report_player_day;
create index report_player_day on report_player using brin (day) with (pages_per_range = 32, autosummarize = on);
