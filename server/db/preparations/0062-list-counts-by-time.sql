-- Takes back the former text of this migration, in which blocks of ids were larger and pages were sought without
-- locate_rows, as far as the present text needs it. A database that has neither is left as it is.
drop function if exists time_blocks(timestamptz, timestamptz, integer);
drop function if exists time_block(timestamptz);
drop table if exists counted_list;
create table if not exists list_delta ();
create table if not exists list_count ();
create or replace function recount_lists() returns void language sql return null;
create or replace function recount_money_lists() returns void language sql return null;
