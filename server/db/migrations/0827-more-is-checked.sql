-- What code alone has held until now: a void of a range of times has both of its ends, an order that is taken says in which session and until when,
-- what was typed is kept neither of an approval that is decided nor of a mail that is sent, and who holds a chat session can be written to.
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table settlement add constraint settlement_range check (("createTimeFrom" is null) = ("createTimeTo" is null)) not valid;
      alter table deposit
        add constraint deposit_taken_whole check ("takenBy" is null or "takenIn" is not null and "takenUntil" is not null) not valid;
      alter table withdrawal
        add constraint withdrawal_taken_whole check ("takenBy" is null or "takenIn" is not null and "takenUntil" is not null) not valid;
      alter table approval add constraint approval_sealed check (status = 'PENDING' or sealed is null) not valid;
      alter table mail_outbox add constraint mail_outbox_content check (status <> 'SENT' or content is null) not valid;
      alter table chat_session add constraint chat_session_held check ((holder is null) = ("holderKey" is null)) not valid;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
end $$;
