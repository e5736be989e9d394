import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { inBatches } from '#server/db/in-batches.ts';
import { retried } from '#server/db/retried.ts';
import { onceFor } from '#server/once-for.ts';
import type { ReadLine, WantedSlip } from './wanted-lines.ts';

/** A slip with all that it goes by; whatever of it is no longer so stands in its way. */
export interface ReadySlip {
  readonly wanted: WantedSlip;
  readonly content: Buffer;
  /** Of the catalogue. */
  readonly version: number;
  readonly limited: boolean;
  /** When its phase ends. */
  readonly epoch: number;
  /** Whether a line breaks a limit, in which test accounts do not stand. */
  readonly forTests: boolean;
  readonly lines: readonly ReadLine[];
  readonly rules: readonly number[];
}

/** What `place_slips` (db/schema.sql) tells of a slip. */
export interface Outcome {
  readonly problem: string | null;
  readonly detail: string | null;
  readonly slipId: number;
  readonly stake: string;
  /** Of its lines, in their order: ids, stakes and the most that each can pay. */
  readonly lines: readonly number[];
  readonly stakes: readonly string[];
  readonly payouts: readonly string[];
}

async function placeTogether(db: Db, slips: readonly ReadySlip[], waiting: boolean): Promise<Outcome[]> {
  const each = <T>(value: (slip: ReadySlip) => T): T[] => slips.map(value);
  const lines = slips.flatMap((slip, place) =>
    slip.lines.map((line, index) => ({ ...line, owner: place + 1, rule: slip.rules[index] })),
  );
  const all = <T>(value: (line: (typeof lines)[number]) => T): T[] => lines.map(value);
  const { rows } = await sql<Outcome>`
    select problem, detail, "slipId", stake, lines, stakes, payouts from place_slips(${each(({ wanted }) => wanted.userId)}::bigint[],
      ${each(({ wanted }) => wanted.bizNo)}::text[], ${each(({ wanted }) => wanted.gameId)}::bigint[],
      ${each(({ wanted }) => wanted.phase)}::text[], ${each(({ wanted }) => wanted.acceptOdds ?? 'SAME')}::text[],
      ${each(({ content }) => `\\x${content.toString('hex')}`)}::text[]::bytea[], ${each(({ version }) => version)}::bigint[],
      ${each(({ epoch }) => epoch)}::float8[], ${each(({ limited }) => limited)}::boolean[],
      ${each(({ forTests }) => forTests)}::boolean[], ${all(({ owner }) => owner)}::integer[],
      ${all(({ playWay }) => playWay.id)}::bigint[], ${all(({ rule }) => rule)}::bigint[],
      ${all(({ selection }) => selection)}::text[], ${all(({ units }) => units)}::integer[],
      ${all(({ unitStake }) => unitStake)}::numeric[], ${all(({ odds }) => JSON.stringify(odds))}::text[],
      ${all(({ maxPayout }) => maxPayout)}::numeric[], ${waiting})`.execute(db);
  return rows;
}

async function placeAlone(db: Db, slip: ReadySlip): Promise<Outcome> {
  const [outcome] = await retried(() => placeTogether(db, [slip], true));
  if (!outcome) throw new Error('nothing came of a slip');
  return outcome;
}

/** So many together still take a moment only, however many lines they have. */
const MOST = 32;
/** While the database works on one batch the next one is read and answered. */
const LANES = 2;

const gatheringOf = onceFor((db: Db) =>
  inBatches<ReadySlip, Outcome>(
    {
      together: (slips) => retried(() => placeTogether(db, slips, false)),
      alone: (slip) => placeAlone(db, slip),
    },
    { most: MOST, lanes: LANES },
  ),
);

/** What stands in the way of a slip, by the code under which the database would raise it of a single one. */
class InTheWay extends Error {
  readonly code: string;
  readonly detail: string;

  constructor(code: string, detail: string | null) {
    super(`a slip cannot be placed: ${code}`);
    this.code = code;
    this.detail = detail ?? '';
  }
}

async function outcomeOf(db: Db, slip: ReadySlip): Promise<Outcome> {
  const outcome = await gatheringOf(db)(slip);
  return outcome.problem === 'BUSY' ? placeAlone(db, slip) : outcome;
}

/**
 * Places a slip together with those that wait at this moment; what it needs and somebody else holds it waits for alone. Tells of the slip
 * that stands, or stood before (KNOWN). Throws what is in its way.
 */
export async function placeGathered(db: Db, slip: ReadySlip): Promise<Outcome> {
  const outcome = await outcomeOf(db, slip);
  const { problem, detail } = outcome;
  if (problem !== null && problem !== 'KNOWN') throw new InTheWay(problem, detail);
  return outcome;
}
