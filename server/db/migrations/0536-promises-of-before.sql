-- Those that came before 0535, in a transaction of their own: nobody who promises waits for it.
insert into promise_order ("gameId", phase, "createTime")
select c."gameId", c.phase, c."createTime" from draw_commitment c
where not exists (select from promise_order o where o."gameId" = c."gameId" and o.phase = c.phase);
