-- What operators are told of at once: rows that wait for a person, came or changed. Every server looks for what it has not seen yet.
-- Transactions do not commit in the order of their numbers, so a reader keeps the snapshot it last read in and takes what that could not
-- see: nothing is missed and nothing waits for a slow transaction. Rows go after an hour.
create table happening (
  xid bigint not null default pg_current_xact_id()::text::bigint,
  id bigint generated always as identity,
  "createTime" timestamptz not null default clock_timestamp(),
  noun text not null,
  "rowId" bigint not null,
  what text not null check (what in ('ADDED', 'CHANGED')),
  "userId" bigint,
  "gameId" bigint,
  status text,
  primary key (xid, id)
);

-- The trigger names the noun; of the row's columns those are kept by which a list is told apart.
create function note_happening() returns trigger language plpgsql as $$
declare
  named jsonb := to_jsonb(new);
begin
  insert into happening (noun, "rowId", what, "userId", "gameId", status)
  values (tg_argv[0], (named->>'id')::bigint, case tg_op when 'INSERT' then 'ADDED' else 'CHANGED' end,
    (named->>'userId')::bigint, (named->>'gameId')::bigint, named->>'status');
  return null;
end $$;

create trigger deposit_told_added after insert on deposit
  for each row execute function note_happening('deposit');
create trigger deposit_told after update of status on deposit
  for each row when (old.status is distinct from new.status) execute function note_happening('deposit');

create trigger withdrawal_told_added after insert on withdrawal
  for each row execute function note_happening('withdrawal');
create trigger withdrawal_told after update of status on withdrawal
  for each row when (old.status is distinct from new.status) execute function note_happening('withdrawal');

create trigger approval_told_added after insert on approval
  for each row execute function note_happening('approval');
create trigger approval_told after update of status on approval
  for each row when (old.status is distinct from new.status) execute function note_happening('approval');

create trigger draw_plan_told after update of status, "lateTime" on draw_plan
  for each row when (old.status is distinct from new.status or (old."lateTime" is null) is distinct from (new."lateTime" is null))
  execute function note_happening('drawPlan');

create trigger draw_record_told_added after insert on draw_record
  for each row execute function note_happening('drawRecord');
create trigger draw_record_told after update of conflict, result on draw_record
  for each row when (old.conflict is distinct from new.conflict or old.result is distinct from new.result)
  execute function note_happening('drawRecord');

create trigger spider_told after update of enabled, "consecutiveFailures" on spider
  for each row when ((old.enabled and old."consecutiveFailures" > 0) is distinct from (new.enabled and new."consecutiveFailures" > 0))
  execute function note_happening('spider');
