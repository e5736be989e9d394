-- Looks at every seal, beside whoever reads and writes.
alter table seal validate constraint seal_kind_check;
