-- Whether somebody's moves of money by hand were seen by a second operator is asked at each of them.
create index approval_released on approval ("makerId", "targetId") where status = 'RELEASED';
