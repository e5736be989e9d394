-- Looks at the rows there are, beside whoever reads and writes.
alter table settlement validate constraint settlement_range;
alter table deposit validate constraint deposit_taken_whole;
alter table withdrawal validate constraint withdrawal_taken_whole;
alter table approval validate constraint approval_sealed;
alter table mail_outbox validate constraint mail_outbox_content;
alter table chat_session validate constraint chat_session_held;
