-- Wrong old passwords of a password change are counted like wrong passwords of a sign-in, by the operator's id.
alter table sign_in_failure drop constraint sign_in_failure_kind_check;
alter table sign_in_failure add constraint sign_in_failure_kind_check check (kind in ('account', 'address', 'password'));
