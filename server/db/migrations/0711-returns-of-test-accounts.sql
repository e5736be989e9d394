-- What agents get on an account that is for tests was counted in the report, where test accounts are not. An item keeps what its payee's
-- account was when it was worked out, so that the report can be worked out again. See decision 0706.
alter table rebate_item add column "testAccount" boolean not null default false;
update rebate_item i set "testAccount" = true from rebate_run r, player p
where r.day = i."runDay" and r.status = 'PREPARED' and p.id = i."userId" and p."testAccount";
drop trigger rebate_item_final on rebate_item;
create trigger rebate_item_final before delete or update of due, carried, amount, rest, "testAccount" on rebate_item
  for each row execute function keep_released();
