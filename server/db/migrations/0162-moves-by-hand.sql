-- Money moved by hand, with its key and its line of the change record, in one statement: any number of operators' moves that wait at the
-- same moment. Each stands alone. What became of it is its problem: none, MN001 to MN003 of post_entries, MN006 a remark is missing (above
-- which amount), KEPT its key has an answer already, BUSY it is to be tried again because somebody else holds the account (only unless
-- "waiting") or because it shared its key with one that was refused. A move with a problem leaves no trace. Accounts are locked before keys are taken, so that whoever waits for a key waits for nobody who waits for an account.
create function move_by_hand(moves jsonb, waiting boolean)
returns table (place integer, problem text, above numeric) language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  wanted bigint[] := array(select (m ->> 'account')::bigint from jsonb_array_elements(moves) as m);
  held bigint[];
  owners bigint[];
  limited numeric := coalesce((select nullif(value::numeric, 0) from param_setting
    where key = 'account.remarkAbove' and value ~ '^[0-9]{1,12}([.][0-9]{1,4})?$'), 'Infinity');
  ready integer[];
  problems text[];
  before numeric[];
  after numeric[];
begin
  if waiting then
    select array_agg(id), array_agg("userId") into held, owners
    from (select id, "userId" from account where id = any (wanted) order by "userId" for no key update) as a;
  else
    select array_agg(id), array_agg("userId") into held, owners
    from (select id, "userId" from account where id = any (wanted) order by "userId" for no key update skip locked) as a;
  end if;
  with able as (
    select m.* from jsonb_to_recordset(moves) as m (place integer, account bigint, amount numeric, remarked boolean,
      operator bigint, key text, request bytea, status integer, answer bytea)
    where m.account = any (held) and (m.remarked or m.amount <= limited)
  ), kept as (
    insert into idempotency_key ("operatorId", key, "requestHash", status, answer)
    select distinct on (operator, key) operator, key, request, status, answer from able where key is not null
    order by operator, key, place
    on conflict ("operatorId", key) do update
      set "requestHash" = excluded."requestHash", status = excluded.status, answer = excluded.answer, "createTime" = now()
      where idempotency_key."createTime" < now() - interval '24 hours'
    returning "operatorId" as operator, key
  )
  select array_agg(r.place order by r.place) into ready
  from (select place from able where key is null
    union all select min(able.place) from able join kept using (operator, key) group by operator, key) as r;
  select array_agg(p.problem order by p.place), array_agg(p."originAmount" order by p.place), array_agg(p."totalAmount" order by p.place)
  into problems, before, after
  from (select array_agg(owners[array_position(held, m.account)] order by m.place) as users, array_agg(m.type order by m.place) as types,
      array_agg(m.amount order by m.place) as amounts, array_agg(m."desc" order by m.place) as descs
    from jsonb_to_recordset(moves) as m (place integer, account bigint, type text, amount numeric, "desc" text)
    where m.place = any (ready)) as e,
    lateral post_entries(e.users, e.types, e.amounts, null, e.descs, alone => true) as p;
  insert into change_record ("operatorId", "userName", call, summary, "targetId", input, before, after, address, outcome, msg)
  select m.operator, m."userName", m.call, m.summary, m.account::text, m.input, jsonb_build_object('totalAmount', p.before::text),
    jsonb_build_object('totalAmount', p.after::text), m.address, 'SUCCESS', m.msg
  from unnest(ready, problems, before, after) as p (place, problem, before, after)
    join jsonb_to_recordset(moves) as m (place integer, account bigint, operator bigint, "userName" text, call text, summary text,
      input jsonb, address text, msg text) using (place)
  where p.problem is null order by place;
  if cardinality(array_remove(problems, null)) > 0 then
    delete from idempotency_key k using unnest(ready, problems) as p (place, problem),
      jsonb_to_recordset(moves) as m (place integer, operator bigint, key text)
    where p.problem is not null and m.place = p.place and k."operatorId" = m.operator and k.key = m.key;
  end if;
  return query
  select m.place, case
      when array_position(ready, m.place) is not null then problems[array_position(ready, m.place)]
      when array_position(held, m.account) is null then
        case when not waiting and exists (select from account where id = m.account) then 'BUSY' else 'MN002' end
      when not m.remarked and m.amount > limited then 'MN006'
      when exists (select from idempotency_key k where k."operatorId" = m.operator and k.key = m.key) then 'KEPT'
      else 'BUSY' end,
    limited
  from jsonb_to_recordset(moves) as m (place integer, account bigint, amount numeric, remarked boolean, operator bigint, key text)
  order by m.place;
end $$;
