-- Every row that operators edit counts its changes, so that an edit of a row that was changed meanwhile can be told.
-- See docs/decisions/0140-one-core-for-rows.md.

-- No write can forget to count, and none can count by itself. What it is given are the columns that no operator edits: secrets,
-- what the machinery keeps on the row, and what is generated, which is not known yet at this point. A row that was saved as it
-- was is the same row, though its edit has a date.
create function grow_version() returns trigger language plpgsql as $$
declare
  uncounted constant text[] := tg_argv[0:] || array['version', 'editDate'];
begin
  new.version := old.version + (to_jsonb(new) - uncounted is distinct from to_jsonb(old) - uncounted)::int;
  return new;
end $$;

alter table news_category add version integer not null default 1;
alter table news add version integer not null default 1;
alter table game_category add version integer not null default 1;
alter table game add version integer not null default 1;
alter table game_number add version integer not null default 1;
alter table bet_latitude add version integer not null default 1;
alter table play_way_category add version integer not null default 1;
alter table play_way add version integer not null default 1;
alter table spider add version integer not null default 1;
alter table role add version integer not null default 1;
alter table menu add version integer not null default 1;
alter table operator add version integer not null default 1;
alter table mail_config add version integer not null default 1;
alter table param_setting add version integer not null default 1;

create trigger news_category_version before update on news_category for each row execute function grow_version();
create trigger news_version before update on news for each row execute function grow_version();
create trigger game_category_version before update on game_category for each row execute function grow_version();
create trigger game_version before update on game for each row execute function grow_version();
create trigger game_number_version before update on game_number for each row execute function grow_version();
create trigger bet_latitude_version before update on bet_latitude for each row execute function grow_version();
create trigger play_way_category_version before update on play_way_category for each row execute function grow_version();
create trigger play_way_version before update on play_way for each row execute function grow_version();
create trigger spider_version before update on spider for each row execute function grow_version(
  'lastRunTime', 'lastSuccessTime', 'lastError', 'consecutiveFailures', 'answering', 'nextRunTime', 'askedTime', 'host');
create trigger role_version before update on role for each row execute function grow_version();
create trigger menu_version before update on menu for each row execute function grow_version();
create trigger operator_version before update on operator for each row execute function grow_version(
  'passwordHash', 'checkedHash', 'googleSecret', 'googleSteps', 'userNo');
create trigger mail_config_version before update on mail_config for each row execute function grow_version('password');
create trigger param_setting_version before update on param_setting for each row execute function grow_version();
