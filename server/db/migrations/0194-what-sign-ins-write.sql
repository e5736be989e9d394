-- Signing in writes on the operator's row without being an edit of it: whoever has the row open in a form is not refused for it.
drop trigger operator_version on operator;
create trigger operator_version before update on operator for each row execute function grow_version(
  'passwordHash', 'checkedHash', 'googleSecret', 'googleSteps', 'userNo', 'lastLoginTime', 'lastLoginAddress');
