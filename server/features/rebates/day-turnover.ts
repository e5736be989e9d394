import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Day } from '#server/platform-days.ts';
import type { Opposing } from './opposing.ts';
import { type CountedLine, type KnownRules, keptOf, lineColumns } from './turnover.ts';

/** What a player turned over on a day in a game under a chain of agents, nearest first. */
export interface Turnover {
  readonly userId: number;
  readonly gameId: number;
  readonly agents: readonly number[];
  readonly turnover: bigint;
}

/** So many slips are read at a time, where there are so many: whole players of whole phases. */
const SLIPS_AT_ONCE = 10_000;

interface Lot {
  readonly gameIds: number[];
  readonly phases: string[];
  readonly from: number;
  readonly to: number;
}

const EVERYBODY = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Where the players of a large phase are parted. */
async function partsOf(db: Db, day: Day, gameId: number, phase: string, slips: number): Promise<Lot[]> {
  const { rows } = await sql<{ to: number }>`
    select max("userId") as to from (
      select "userId", ntile(${Math.ceil(slips / SLIPS_AT_ONCE)}::integer) over (order by "userId") as part
      from slip where "gameId" = ${gameId} and phase = ${phase} and day = ${day}::date) as parted
    group by part order by 1`.execute(db);
  return rows.map(({ to }, place) => ({
    ...{ gameIds: [gameId], phases: [phase], to },
    from: rows[place - 1]?.to ?? EVERYBODY.from,
  }));
}

/** The slips of a day in lots that are read one after the other. */
async function lotsOf(db: Db, day: Day): Promise<Lot[]> {
  const { rows } = await sql<{ gameId: number; phase: string; n: number }>`
    select "gameId", phase, count(*) as n from slip where day = ${day}::date and not "testAccount" group by 1, 2 order by 1, 2`.execute(
    db,
  );
  const lots: Lot[] = [];
  let room = 0;
  for (const { gameId, phase, n } of rows) {
    const last = lots.at(-1);
    if (n > SLIPS_AT_ONCE) {
      lots.push(...(await partsOf(db, day, gameId, phase, n)));
      room = 0;
    } else if (last && n <= room) {
      last.gameIds.push(gameId);
      last.phases.push(phase);
      room -= n;
    } else {
      lots.push({ ...EVERYBODY, gameIds: [gameId], phases: [phase] });
      room = SLIPS_AT_ONCE - n;
    }
  }
  return lots;
}

const linesOf = (db: Db, day: Day, { gameIds, phases, from, to }: Lot) =>
  sql<CountedLine>`
  select ${lineColumns}
  from unnest(${gameIds}::bigint[], ${phases}::text[]) as p ("gameId", phase)
    join slip s on s."gameId" = p."gameId" and s.phase = p.phase and s."userId" > ${from} and s."userId" <= ${to}
    join slip_line l on l."slipId" = s.id
  where s.day = ${day}::date and not s."testAccount" and l.status in ('WON', 'LOST') order by s.id, l.id`.execute(
    db,
  );

/** What a day's slips that won or lost turned over, opposing lines left out, test accounts too. */
export async function turnoverOf(db: Db, day: Day, mode: Opposing): Promise<Map<string, Turnover>> {
  const found = new Map<string, Turnover>();
  const known: KnownRules = new Map();
  for (const lot of await lotsOf(db, day)) {
    const { rows: lines } = await linesOf(db, day, lot);
    const kept = await keptOf(db, lines, mode, known);
    for (const [place, { userId, gameId, agents }] of lines.entries()) {
      const key = `${userId} ${gameId} ${agents.join()}`;
      const turnover = (found.get(key)?.turnover ?? 0n) + (kept[place] ?? 0n);
      found.set(key, { userId, gameId, agents, turnover });
    }
  }
  return found;
}
