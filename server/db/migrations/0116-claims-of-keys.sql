-- Whose claim on a key it is, while its work is under way: a server that was killed leaves one behind, another takes it over, and
-- the first, should it only have stood still, must then neither answer under the key nor free it.
alter table idempotency_key add column claim uuid;
