-- Results that two operators entered by hand, since every source was silent: each waits until "dueTime", and a source that speaks by then
-- wins. RECORDED became the phase's record, OUTDONE stands beside a source's.
create table draw_entry (
  id bigint generated always as identity primary key,
  "gameId" bigint not null references game,
  phase text not null,
  result text not null,
  evidence text not null,
  reason text not null,
  "operatorId" bigint not null,
  "userName" text not null,
  "createTime" timestamptz not null default now(),
  "dueTime" timestamptz not null,
  outcome text check (outcome in ('RECORDED', 'OUTDONE'))
);
create unique index draw_entry_waiting on draw_entry ("gameId", phase) where outcome is null;
create index draw_entry_due on draw_entry ("dueTime") where outcome is null;

-- What was entered is final; only its outcome is told later, once.
create function keep_draw_entry() returns trigger language plpgsql as $$
begin
  raise exception 'entry % is final', old.id using errcode = 'DR013';
end $$;
create trigger draw_entry_final before update on draw_entry for each row
  when (old.outcome is not null or (to_jsonb(old) - 'outcome') <> (to_jsonb(new) - 'outcome')) execute function keep_draw_entry();
create trigger draw_entry_stays before delete or truncate on draw_entry for each statement execute function refuse_change();
