-- Why nobody waits any more for the result of a late phase. It counts as late no longer; whatever its source still says is taken as ever.
alter table draw_plan add column "unawaitedReason" text;

create or replace trigger draw_plan_told after update of status, "lateTime", "unawaitedReason" on draw_plan
  for each row when (old.status is distinct from new.status or (old."lateTime" is null) is distinct from (new."lateTime" is null)
    or old."unawaitedReason" is distinct from new."unawaitedReason")
  execute function note_happening('drawPlan');
