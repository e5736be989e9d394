-- The credit that new figures are compared with: the function and the transaction of before money was posted by arrays, each statement a
-- trip of its own. Kept here only to be measured against.
create or replace function former_post_entry(p_user bigint, p_type text, p_amount numeric, p_biz text, p_desc text,
  p_frozen boolean default false, p_time timestamptz default now())
returns account_history language plpgsql as $$
declare
  a account;
  h account_history;
  available numeric;
  frozen numeric;
begin
  select * into a from account where "userId" = p_user for no key update;
  if not found then
    raise exception 'no account of user %', p_user using errcode = 'MN002';
  end if;
  h."userId" := p_user;
  h."accountSeq" := a."lastSeq" + 1;
  h.direction := ledger_direction(p_type);
  h.amount := as_money(p_amount);
  available := a."availableAmount";
  frozen := a."freezeAmount";
  if h.direction = 'IN' then
    available := available + h.amount;
  elsif p_frozen then
    frozen := frozen - h.amount;
  else
    available := available - h.amount;
  end if;
  if available < 0 or frozen < 0 then
    raise exception 'not enough' using errcode = 'MN001';
  end if;
  h."originAmount" := a."totalAmount";
  h."newAmount" := as_money(available + frozen);
  if h."newAmount" >= 1000000000000 then
    raise exception 'too much' using errcode = 'MN003';
  end if;
  h.hash := ledger_hash(a."lastHash", p_user, h."accountSeq", h."originAmount", h.amount, h."newAmount", h.direction,
    p_type, p_biz, p_desc, p_time);
  insert into account_history ("userId", "accountSeq", "originAmount", amount, "newAmount", direction, "changeType",
    "bizOrderNo", "desc", "createTime", hash)
  values (p_user, h."accountSeq", h."originAmount", h.amount, h."newAmount", h.direction, p_type, p_biz, p_desc, p_time,
    h.hash)
  returning * into h;
  update account set "totalAmount" = h."newAmount", "availableAmount" = as_money(available),
    "freezeAmount" = as_money(frozen), "lastSeq" = h."accountSeq", "lastHash" = h.hash
  where "userId" = p_user;
  return h;
end $$;
