-- One spider has one voice, whatever it is called, and so has one address, whoever asks there. A row that a server of the version before writes
-- names neither, and is the word of its name; what was said of phases that wait is that of the spider which has the name now.
alter table draw_word add column "spiderId" bigint, add column address text;
update draw_word w set "spiderId" = s.id from spider s, draw_plan p
where p.status = 'OPENING' and p."gameId" = w."gameId" and p.phase = w.phase and s."gameId" = w."gameId" and s.name = w.source;
