-- Nobody folds until this is done; whoever writes or reads does not notice.
select pg_advisory_xact_lock(hashtextextended('fold_list_deltas', 0));
delete from list_count where "idBits" = 63;
insert into list_count (list, key, "timeBits", "idBits", "timeBlock", "idBlock", n)
select list, key, 63, 63, 0, 0, sum(n) from list_count where "timeBits" = 63 and "idBits" = 16
group by list, key having sum(n) <> 0;
