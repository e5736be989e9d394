-- Orders by their amount, the largest or the smallest first.
create index deposit_amount on deposit (amount, id);
create index withdrawal_amount on withdrawal (amount, id);
