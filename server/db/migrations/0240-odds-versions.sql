-- Odds are edited in place: like every row that operators edit, they count their changes.
alter table odds add version integer not null default 1;
create trigger odds_version before update on odds for each row execute function grow_version();
