import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { readCatalogue } from '../slips/catalogue.ts';
import { phaseToBetOn } from '../slips/phase-to-bet-on.ts';
import { placeSlip } from '../slips/place-slip.ts';
import type { WantedSlip } from '../slips/wanted-lines.ts';
import { chooseOn } from './crowd-choice.ts';
import { type Dice, dice } from './dice.ts';
import { drawingGame } from './drawing-game.ts';

/** One of the crowd bets this often. */
export const BEAT_MS = 12_000;
const stakes = ['1', '2', '2', '5', '5', '10', '20'] as const;
/** Who has nothing left lets the next one bet. */
const TRIES = 5;

/** What a beat of a phase is known by, the same on all servers: whoever is first places its slip, the others find it there. */
const numberOf = (phase: string, beat: number): string => `SAMPLE-${phase}-${beat}`;

const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/** Sample players are the first there were; an operator's own are left alone. */
async function crowdIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from player where username is not null and not frozen order by id limit 200`.execute(db);
  return rows.map(({ id }) => id);
}

async function linesOf(db: Db, gameId: number, chance: Dice): Promise<WantedSlip['lines']> {
  const open = ((await readCatalogue(db, gameId))?.playWays ?? []).filter(({ stopped }) => !stopped);
  const [first, ...others] = open;
  if (!first) return [];
  return Array.from({ length: chance.between(1, 3) }).flatMap(() => {
    const playWay = chance.pick([first, ...others]);
    const selection = chooseOn(chance, playWay);
    return selection ? [{ playWayId: playWay.id, selection, unitStake: chance.pick(stakes) }] : [];
  });
}

async function placeBeat(db: Db, gameId: number, phase: string, beat: number): Promise<boolean> {
  const bizNo = numberOf(phase, beat);
  const chance = dice(seedOf(bizNo));
  const [first, ...others] = await crowdIds(db);
  const lines = await linesOf(db, gameId, chance);
  if (first === undefined || lines.length === 0) return false;
  for (let left = TRIES; left > 0; left--) {
    const userId = chance.pick([first, ...others]);
    try {
      await placeSlip(db, { userId, gameId, phase, bizNo, acceptOdds: 'ANY', lines });
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.failure !== 'balanceTooLow') return false;
    }
  }
  return false;
}

/**
 * The sample players bet on the game that draws by itself, as the players' site would: a slip a beat, while a phase takes bets. Tells whether
 * the slip of this beat is there.
 */
export async function placeCrowdSlip(db: Db, now: Date): Promise<boolean> {
  const game = await db
    .selectFrom('game')
    .select('id')
    .where('name', '=', drawingGame.name)
    .executeTakeFirst();
  const current = game && (await phaseToBetOn(db, game.id, now));
  if (!game || !current?.phase) return false;
  return placeBeat(db, game.id, current.phase, Math.floor(now.getTime() / BEAT_MS));
}
