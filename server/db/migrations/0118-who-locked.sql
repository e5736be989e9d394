-- From where the last failure of an account came: who locked it.
alter table sign_in_failure add column address text;
