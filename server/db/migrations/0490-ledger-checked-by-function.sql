-- PostgreSQL reads the text of each check anew, and makes it ready, in every statement that writes to its table: five checks of a row of the
-- ledger cost more than writing the row. A function is made ready once a session, and says in one place what any such row is.
-- It names nothing but operators, since a restore writes rows with no search path.
create function is_ledger_row(direction text, "changeType" text, "originAmount" numeric, amount numeric, "newAmount" numeric)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return amount > 0 and "newAmount" >= 0 and case direction
    when 'IN' then "newAmount" = "originAmount" + amount
      and "changeType" in ('RECHARGE', 'WIN', 'RETURN', 'REBATE', 'RECHARGE_GIVE', 'MANUAL_ADDITION', 'INVITE_REWARD', 'BET_REFUND')
    when 'OUT' then "newAmount" = "originAmount" - amount
      and "changeType" in ('WITHDRAW', 'BET', 'MANUAL_DEDUCTION', 'WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT')
    else false end;
end $$;

-- Whoever posts waits for whoever waits for the table: so this waits for half a second at a time, until nobody reads it for longer.
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      -- Rows that are there have been held to the same by the former checks; 0492 looks at them without keeping anybody out.
      alter table account_history
        drop constraint account_history_amount_check,
        drop constraint "account_history_changeType_check",
        drop constraint account_history_check,
        drop constraint account_history_check1,
        drop constraint "account_history_newAmount_check",
        add constraint account_history_row
          check (is_ledger_row(direction, "changeType", "originAmount", amount, "newAmount")) not valid;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
end $$;
