import { sql } from 'kysely';
import type { PlacedSlip } from '#contract/platform-bets.ts';
import type { Db } from '#server/db/database.ts';
import { onceFor } from '#server/once-for.ts';
import { Refusal } from '#server/refusal.ts';
import { toldOdds } from '../bets/line.ts';
import { type BettingPlays, bettingPlays } from './betting-plays.ts';
import { catalogueVersion, readCatalogue } from './catalogue.ts';
import { keepRules } from './kept-rules.ts';
import { lineBeyondLimits } from './line-limits.ts';
import { isForTests, isStale, refusalOfLimit, refusalOfPlacing } from './placing-refusals.ts';
import { contentHash } from './slip-content.ts';
import { placedSlip } from './slip-store.ts';
import { type Outcome, placeGathered, type ReadySlip } from './slips-together.ts';
import { demandOddsAccepted, readLines, type WantedSlip } from './wanted-lines.ts';

interface Ground {
  readonly version: number;
  readonly limited: boolean;
  readonly playsOf: BettingPlays;
}
interface PlanEnd {
  readonly day: string;
  readonly epoch: number;
}

/** What a server remembers of games and phases that are bet on: placing tells it when something of it is no longer so. */
interface Memory {
  readonly grounds: Map<number, Ground>;
  readonly ends: Map<string, PlanEnd>;
}
const memoryOf = onceFor((_: Db): Memory => ({ grounds: new Map(), ends: new Map() }));
const MOST_REMEMBERED = 1_000;

function remember<K, V>(map: Map<K, V>, key: K, value: V): V {
  const [oldest] = map.keys();
  if (map.size >= MOST_REMEMBERED && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
  return value;
}

async function groundOf(db: Db, gameId: number): Promise<Ground> {
  const { grounds } = memoryOf(db);
  const known = grounds.get(gameId);
  if (known) return known;
  const catalogue = await readCatalogue(db, gameId);
  if (!catalogue) throw new Refusal('recordNotFound', { field: 'gameId' });
  const { version, limited } = catalogue;
  return remember(grounds, gameId, { version, limited, playsOf: bettingPlays(catalogue) });
}

const phaseKey = ({ gameId, phase }: WantedSlip): string => `${gameId}/${phase}`;

async function endOf(db: Db, wanted: WantedSlip): Promise<PlanEnd> {
  const { ends } = memoryOf(db);
  const { gameId, phase } = wanted;
  const known = ends.get(phaseKey(wanted));
  if (known) return known;
  const { rows } = await sql<PlanEnd>`
    select to_char("endTime", 'YYYY-MM-DD') as day, extract(epoch from "endTime")::float8 as epoch
    from draw_plan where "gameId" = ${gameId} and phase = ${phase}`.execute(db);
  if (!rows[0]) throw new Refusal('phaseUnknown', { field: 'phase', values: { phase } });
  return remember(ends, phaseKey(wanted), rows[0]);
}

function forget(db: Db, wanted: WantedSlip): void {
  memoryOf(db).grounds.delete(wanted.gameId);
  memoryOf(db).ends.delete(phaseKey(wanted));
}

/** What a slip is answered with that stands, or stood already. */
async function answerOf(db: Db, { lines }: ReadySlip, outcome: Outcome): Promise<PlacedSlip> {
  const { problem, slipId, stake } = outcome;
  if (problem === 'KNOWN') return placedSlip(db, slipId);
  const told = lines.map(({ units, odds }, place) => {
    const [id, own, maxPayout] = [outcome.lines[place], outcome.stakes[place], outcome.payouts[place]];
    if (id === undefined || own === undefined || maxPayout === undefined)
      throw new Error('fewer lines came of a slip');
    return { id, units, stake: own, odds: toldOdds(odds), maxPayout };
  });
  return { slipId, stake, lines: told };
}

async function placedBefore(db: Db, wanted: WantedSlip): Promise<PlacedSlip | undefined> {
  const slip = await db
    .selectFrom('slip')
    .select(['id', 'contentHash'])
    .where('bizNo', '=', wanted.bizNo)
    .executeTakeFirst();
  if (!slip) return undefined;
  if (!contentHash(wanted).equals(slip.contentHash)) throw new Refusal('bizNoTaken', { field: 'bizNo' });
  return placedSlip(db, slip.id);
}

/** One try by what is remembered; nothing where something of it turned out to be no longer so. */
async function tryPlacing(db: Db, wanted: WantedSlip): Promise<PlacedSlip | undefined> {
  const ground = await groundOf(db, wanted.gameId);
  let broken: Refusal | undefined;
  try {
    const { day, epoch } = await endOf(db, wanted);
    const lines = readLines(wanted, ground.playsOf, day);
    demandOddsAccepted(lines);
    broken = lineBeyondLimits(lines);
    const slip = {
      ...{ wanted, content: contentHash(wanted), version: ground.version, limited: ground.limited, epoch },
      ...{ forTests: broken !== undefined, lines, rules: await keepRules(db, lines) },
    };
    return await answerOf(db, slip, await placeGathered(db, slip));
  } catch (error) {
    if (isStale(error)) return undefined;
    const refusal =
      isForTests(error) && broken
        ? broken
        : (refusalOfLimit(error, ground.playsOf) ?? refusalOfPlacing(error, wanted.phase));
    if (!refusal) throw error;
    // A slip that is sent again is answered by what it was, whatever became of its play ways since.
    const first = await placedBefore(db, wanted);
    if (first) return first;
    if ((await catalogueVersion(db, wanted.gameId)) !== ground.version) return undefined;
    throw refusal;
  }
}

const TRIES = 5;

/** Places a slip: everything that can be refused of it has a text of its own. Throws `Refusal`. */
export async function placeSlip(db: Db, wanted: WantedSlip): Promise<PlacedSlip> {
  for (let left = TRIES; left > 0; left--) {
    const placed = await tryPlacing(db, wanted);
    if (placed) return placed;
    forget(db, wanted);
  }
  throw new Refusal('contended');
}
