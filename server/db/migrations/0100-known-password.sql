-- The password hash of an operator that was last found not to be the published sample password's: each hash is looked at once.
alter table operator add column "checkedHash" text;
