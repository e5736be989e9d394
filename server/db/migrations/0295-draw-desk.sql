-- The draw desk shows the voids of the last day: of all settlements few are one.
create index settlement_voids on settlement ("startTime") where kind = 'VOID';
