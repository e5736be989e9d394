-- Sums over days of orders, read from the index alone.
create index deposit_sums on deposit ("createTime") include (amount) where status = 'SUCCESS';
create index withdrawal_sums on withdrawal ("createTime") include (amount) where status = 'SUCCESS';
