-- One value sealed under APP_SECRET. Every start opens it, so that a server with another secret is refused before it does
-- anything. Null asks the next start to seal it anew without a question: for a platform whose secret is lost for good.
create table secret_canary (
  singleton boolean primary key default true check (singleton),
  sealed bytea
);
