-- Looks at every row, beside whoever reads and writes.
alter table account_history validate constraint account_history_row;
alter table account validate constraint account_balance;
