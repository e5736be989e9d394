-- 单期风险: what is staked on each number of a phase, and what the house pays if it comes. Slips append small deltas in their own
-- transaction, so that they share no row; a background job folds them. What a reader sums up, both together, is exact in its snapshot.

-- A play way's number by the copy of rules it was bet on with; '' for lines that are added up whole, with the most they can pay.
-- Payouts are cut by the caps of a unit and a line.
create table exposure (
  "gameId" bigint not null,
  phase text not null,
  "playWayId" bigint not null,
  "rulesId" bigint not null,
  number text not null,
  stake numeric not null,
  units bigint not null,
  payout numeric not null,
  primary key ("gameId", phase, "playWayId", "rulesId", number)
) with (fillfactor = 70);
-- Of games with few draws what was chosen by lines that are added up whole, so that each draw can be told.
create table exposure_choice (
  "gameId" bigint not null,
  phase text not null,
  "rulesId" bigint not null,
  hash bytea not null,
  selection text not null,
  stake numeric not null,
  "unitStake" numeric not null,
  primary key ("gameId", phase, "rulesId", hash)
) with (fillfactor = 70);
create table exposure_delta (
  "gameId" bigint not null,
  phase text not null,
  "playWayId" bigint not null,
  "rulesId" bigint not null,
  number text not null,
  stake numeric not null,
  units bigint not null,
  payout numeric not null,
  selection text,
  "unitStake" numeric
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, vacuum_truncate = off);
create index exposure_delta_phase on exposure_delta ("gameId", phase);

-- Whether the game's draws are at most a thousand.
alter table slip_rules add column "fewDraws" boolean not null default false;

-- What lines add to the exposure of their phase.
create function exposed(lines slip_line[]) returns table ("lineId" bigint, number text, stake numeric, units bigint, payout numeric,
  selection text, "unitStake" numeric)
language sql stable rows 2 as $$
  select l.id, c.number, l."unitStake", 1::bigint, least(trunc(l."unitStake" * c.odds, 4), r."lineCap"), null, null::numeric
  from unnest(lines) as l join slip_rules r on r.id = l."rulesId", lateral (
    select o.number, o.odds from jsonb_to_recordset(case jsonb_typeof(l.odds) when 'array' then l.odds else '[]' end)
      as o (number text, odds numeric)
    union all
    select o.number, (l.odds #>> '{}')::numeric from string_to_table(l.selection, r."cellSeparator") as o (number)
      where jsonb_typeof(l.odds) = 'string') as c
  where r."cellSeparator" is not null
  union all
  select l.id, '', l.stake, l.units::bigint, l."maxPayout", case when r."fewDraws" then l.selection end,
    case when r."fewDraws" then l."unitStake" end
  from unnest(lines) as l join slip_rules r on r.id = l."rulesId" where r."cellSeparator" is null
$$;

-- Slips of test accounts expose nobody.
create function expose_slips() returns trigger language plpgsql as $$
begin
  insert into exposure_delta
  select s."gameId", s.phase, l."playWayId", l."rulesId", e.number, e.stake, e.units, e.payout, e.selection, e."unitStake"
  from added s join slip_line l on l."slipId" = s.id, lateral exposed(array[l]) as e
  where not s."testAccount";
  return null;
end $$;
create trigger slip_exposed after insert on slip referencing new table as added
  for each statement execute function expose_slips();

-- Lines that are cancelled or void expose nobody any more, until the void is undone.
create function expose_lines_anew() returns trigger language plpgsql as $$
begin
  insert into exposure_delta
  select s."gameId", s.phase, a."playWayId", a."rulesId", e.number, e.stake * w.sign, e.units * w.sign, e.payout * w.sign, e.selection,
    e."unitStake" * w.sign
  from (
    select a.id, case when a.status in ('CANCELLED', 'VOID') then -1 else 1 end as sign from added a join removed r using (id)
    where (a.status in ('CANCELLED', 'VOID')) <> (r.status in ('CANCELLED', 'VOID'))
  ) as w join slip_line a on a.id = w.id join slip s on s.id = a."slipId", lateral exposed(array[a]) as e
  where not s."testAccount";
  return null;
end $$;
create trigger slip_line_exposed_anew after update on slip_line referencing old table as removed new table as added
  for each statement execute function expose_lines_anew();

-- Folds all deltas; two at a time would only wait for one another. Returns how many there were, null when another folds.
create function fold_exposure() returns bigint language plpgsql as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_exposure', 0)) then
    return null;
  end if;
  with gone as (
    delete from exposure_delta returning *
  ), cells as (
    insert into exposure as e ("gameId", phase, "playWayId", "rulesId", number, stake, units, payout)
    select "gameId", phase, "playWayId", "rulesId", number, sum(stake), sum(units), sum(payout) from gone group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict ("gameId", phase, "playWayId", "rulesId", number) do update
      set stake = e.stake + excluded.stake, units = e.units + excluded.units, payout = e.payout + excluded.payout
  ), choices as (
    insert into exposure_choice as e ("gameId", phase, "rulesId", hash, selection, stake, "unitStake")
    select "gameId", phase, "rulesId", sha256(convert_to(selection, 'UTF8')), selection, sum(stake), sum("unitStake") from gone
    where selection is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4
    on conflict ("gameId", phase, "rulesId", hash) do update
      set stake = e.stake + excluded.stake, "unitStake" = e."unitStake" + excluded."unitStake"
  )
  select count(*) into folded from gone;
  return folded;
end $$;

-- What is open already is counted once.
insert into exposure_delta
select s."gameId", s.phase, l."playWayId", l."rulesId", e.number, e.stake, e.units, e.payout, e.selection, e."unitStake"
from slip s join slip_line l on l."slipId" = s.id, lateral exposed(array[l]) as e
where not s."testAccount" and l.status not in ('CANCELLED', 'VOID');
select fold_exposure();
