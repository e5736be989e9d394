-- What settlements and their corrections move: refunds and what is taken back, and the paying off of what could not be taken back.
create or replace function ledger_direction("changeType" text) returns text language sql immutable strict parallel safe
  return case when "changeType" in ('WITHDRAW', 'BET', 'MANUAL_DEDUCTION', 'WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT')
    then 'OUT' else 'IN' end;
alter table account_history drop constraint "account_history_changeType_check";
alter table account_history add constraint "account_history_changeType_check" check ("changeType" in ('RECHARGE', 'WITHDRAW', 'BET',
  'WIN', 'RETURN', 'REBATE', 'RECHARGE_GIVE', 'MANUAL_ADDITION', 'MANUAL_DEDUCTION', 'INVITE_REWARD', 'BET_REFUND', 'WIN_REVERSAL',
  'REFUND_REVERSAL', 'DEBT_REPAYMENT'));
