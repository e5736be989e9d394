-- The days of the report on which the slips lie that a settlement looks through, told where they are listed: of a phase that is bet on while
-- days begin to begin at another time there are two. Null where they were not listed yet, or by a version before this one.
alter table settlement add column days date[];
