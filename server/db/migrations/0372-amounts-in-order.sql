-- A page from the middle of all orders by their amount is found in the index alone, whatever states, kinds and times are asked for.
drop index deposit_amount;
create index deposit_amount on deposit (amount, id) include (status, type, "createTime");
drop index withdrawal_amount;
create index withdrawal_amount on withdrawal (amount, id) include (status, type, "createTime");

-- Mails are sorted by their time, and searched by it.
create index mail_outbox_time on mail_outbox ("createTime", id);
