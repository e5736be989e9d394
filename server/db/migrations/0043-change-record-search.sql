create index change_record_user_name on change_record (lower("userName"), id desc);
create index change_record_target on change_record ("targetId", id desc);
create index change_record_outcome on change_record (outcome, id desc) where outcome <> 'SUCCESS';
