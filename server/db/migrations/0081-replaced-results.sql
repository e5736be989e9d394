-- A result that was replaced is kept among what sources said, so that it can be chosen back and its source may go on saying it.
-- Who settled first replaced what the record's own source had said; all other results were claims already.
insert into draw_claim ("recordId", source, result, "openTime", "createTime")
select distinct on (r.id, c."oldResult") r.id, coalesce(r.source, '来源不详'), c."oldResult", r."openTime", r."createTime"
from draw_correction c join draw_record r on r.id = c."recordId"
where c."oldResult" <> c."newResult"
  and not exists (select from draw_claim said where said."recordId" = r.id and said.result = c."oldResult")
on conflict do nothing;

-- The source of a record is who said its result.
update draw_record r set source = (
  select c.source from draw_claim c where c."recordId" = r.id and c.result = r.result order by c.id limit 1)
where seed is null
  and exists (select from draw_correction c where c."recordId" = r.id and c."oldResult" <> c."newResult")
  and exists (select from draw_claim c where c."recordId" = r.id and c.result = r.result);
