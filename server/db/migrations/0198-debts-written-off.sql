-- What nobody will pay back is written off: one more kind of debt row, in the same chain, that moves no money and has no row in the ledger.

alter table account_debt
  drop constraint account_debt_kind_check, drop constraint "account_debt_changeType_check",
  drop constraint account_debt_check1, drop constraint account_debt_check2, drop constraint account_debt_check3,
  drop constraint account_debt_check4;
alter table account_debt
  add constraint account_debt_kind_check check (kind in ('OWED', 'REPAID', 'WRITTEN_OFF')),
  add constraint "account_debt_changeType_check"
    check ("changeType" in ('WIN_REVERSAL', 'REFUND_REVERSAL', 'DEBT_REPAYMENT', 'DEBT_WRITE_OFF')),
  add constraint account_debt_sum check ("newDebt" = case kind when 'OWED' then "originDebt" + amount else "originDebt" - amount end),
  add constraint account_debt_why check (case kind when 'REPAID' then "changeType" = 'DEBT_REPAYMENT'
    when 'WRITTEN_OFF' then "changeType" = 'DEBT_WRITE_OFF' else "changeType" in ('WIN_REVERSAL', 'REFUND_REVERSAL') end),
  add constraint account_debt_number check (kind <> 'OWED' or "bizOrderNo" is not null),
  add constraint account_debt_row check (case kind when 'REPAID' then "accountSeq" is not null
    when 'WRITTEN_OFF' then "accountSeq" is null else true end);

-- Writes off so much of what an account's player owes: what was owed before, and after. MN002 no such account, MN007 so much is not owed.
create function write_off_debt(account_id bigint, amount numeric) returns table (before numeric, after numeric) language plpgsql as $$
declare
  a account;
  d account_debt;
begin
  select * into a from account where id = account_id for no key update;
  if not found then
    raise exception 'no account %', account_id using errcode = 'MN002';
  elsif amount > a.debt then
    raise exception 'account % does not owe so much', account_id using errcode = 'MN007';
  end if;
  d."userId" := a."userId";
  d."debtSeq" := a."debtSeq" + 1;
  d.kind := 'WRITTEN_OFF';
  d."changeType" := 'DEBT_WRITE_OFF';
  d."originDebt" := a.debt;
  d.amount := as_money(amount);
  d."newDebt" := as_money(a.debt - amount);
  d."createTime" := now();
  d.hash := debt_hash(a."debtHash", d."userId", d."debtSeq", d.kind, d."originDebt", d.amount, d."newDebt", null, d."changeType", null,
    d."createTime");
  insert into account_debt ("userId", "debtSeq", kind, "originDebt", amount, "newDebt", "changeType", "createTime", hash)
  values (d."userId", d."debtSeq", d.kind, d."originDebt", d.amount, d."newDebt", d."changeType", d."createTime", d.hash);
  update account set debt = d."newDebt", "debtSeq" = d."debtSeq", "debtHash" = d.hash where id = a.id;
  return query select d."originDebt", d."newDebt";
end $$;
