-- Once, on the first primary, as its superuser:
--   psql -h <primary> -U postgres -v owner_password=… -v server_password=… -f roles.sql
-- PgBouncer passes on no limits on time, so they are settings of the role that serves.
create role back_office login password :'owner_password';
create role back_office_server login password :'server_password';
alter role back_office_server set statement_timeout = '10s';
alter role back_office_server set lock_timeout = '8s';
alter role back_office_server set idle_in_transaction_session_timeout = '12s';
create database back_office owner back_office encoding 'UTF8' template template0;
