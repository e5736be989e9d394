-- As in 0490. A table a transaction, since whoever posts locks both.
create function is_balance("totalAmount" numeric, "availableAmount" numeric, "freezeAmount" numeric, debt numeric)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return "totalAmount" = "availableAmount" + "freezeAmount" and "availableAmount" >= 0 and "freezeAmount" >= 0
    and "totalAmount" < 1000000000000 and (debt = 0 or debt > 0 and "availableAmount" = 0);
end $$;

do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      alter table account
        drop constraint "account_availableAmount_check",
        drop constraint "account_freezeAmount_check",
        drop constraint account_check,
        drop constraint account_total_limit,
        drop constraint account_debt_check,
        drop constraint account_debt_first,
        add constraint account_balance
          check (is_balance("totalAmount", "availableAmount", "freezeAmount", debt)) not valid;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.5);
    end;
  end loop;
end $$;
