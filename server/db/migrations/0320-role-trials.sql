-- A role tried on in a session until a moment: what is seen then is what the operator and a holder of the role both may see.
alter table session add column "trialRoleId" bigint references role on delete set null, add column "trialUntil" timestamptz;
create index session_trial on session ("trialRoleId") where "trialRoleId" is not null;
