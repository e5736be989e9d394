-- 用户备注: what operators note of a player. The author's name stays when the operator has gone; nobody rewrites the note then.
create table user_note (
  id bigint generated always as identity primary key,
  "userId" bigint not null references player,
  note text not null,
  pinned boolean not null default false,
  "authorId" bigint references operator on delete set null,
  author text not null,
  "createTime" timestamptz not null default now(),
  "editTime" timestamptz,
  version integer not null default 1
);
create index user_note_user on user_note ("userId", pinned desc, id desc);
create index user_note_author on user_note ("authorId") where "authorId" is not null;
create trigger user_note_version before update on user_note for each row execute function grow_version();

-- What was done to the notes of a player, those included that are gone: the record names the note, and the note its player.
create index change_record_note on change_record ((coalesce(after, before) ->> 'userId'), id desc)
  where call in ('addUserNote', 'updateUserNote', 'pinUserNote', 'deleteUserNote');

-- The withdrawals of a player that wait, however many were decided before.
create index withdrawal_waiting on withdrawal ("userId", id) where status = 'PROCESSING';
