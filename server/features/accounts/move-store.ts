import { Decimal } from 'decimal.js';
import { sql } from 'kysely';
import { moneyText } from '#contract/money-text.ts';
import type { Db } from '#server/db/database.ts';
import { inBatches } from '#server/db/in-batches.ts';
import type { Kept } from '#server/http/handler.ts';
import { onceFor } from '#server/once-for.ts';
import { readParam } from '#server/params/read-param.ts';
import { Refusal } from '#server/refusal.ts';
import { post, refusalOfProblem } from '../ledger/ledger-store.ts';

/** Money an operator moves by hand. */
export interface Move {
  account: number;
  type: 'MANUAL_ADDITION' | 'MANUAL_DEDUCTION';
  amount: string;
  desc: string;
  /** Whether the operator said why. */
  remarked: boolean;
}

/** A move with all that is to be kept of the call if it succeeds. */
interface KeptMove extends Move {
  kept: Kept;
}

/** What `move_by_hand` (db/schema.sql) tells of a move. */
interface Moved {
  problem: string | null;
  above: string;
}

const remarkMissing = (amount: string) =>
  new Refusal('remarkMissing', { field: 'remark', values: { amount: moneyText(amount) } });

async function moveTogether(db: Db, moves: readonly KeptMove[], waiting: boolean): Promise<Moved[]> {
  const each = <T>(value: (move: KeptMove) => T): T[] => moves.map(value);
  const { rows } = await sql<Moved>`
    select problem, above from move_by_hand(${each(({ account }) => account)}::bigint[], ${each(({ type }) => type)}::text[],
      ${each(({ amount }) => amount)}::numeric[], ${each(({ desc }) => desc)}::text[], ${each(({ remarked }) => remarked)}::boolean[],
      ${each(({ kept }) => kept.operator)}::bigint[], ${each(({ kept }) => kept.userName)}::text[],
      ${each(({ kept }) => kept.call)}::text[], ${each(({ kept }) => kept.summary)}::text[],
      ${each(({ kept }) => kept.input)}::jsonb[], ${each(({ kept }) => kept.address)}::text[], ${each(({ kept }) => kept.msg)}::text[],
      ${each(({ kept }) => kept.status)}::integer[], ${each(({ kept }) => kept.key)}::text[],
      ${each(({ kept }) => kept.request)}::text[]::bytea[], null, ${waiting})`.execute(db);
  return rows;
}

async function moveAlone(db: Db, move: KeptMove): Promise<Moved> {
  const [moved] = await moveTogether(db, [move], true);
  if (!moved) throw new Error('nothing came of a move');
  return moved;
}

/** A statement over so many is still short, and holds its accounts for a moment only. */
const MOST = 64;
/** One batch at a time costs the database least, since a batch costs much and a move in it little; a second one is for a flood, or beside one that waits. */
const LANES = 2;

const gathering = (db: Db, waiting: boolean, lanes: number) =>
  inBatches<KeptMove, Moved>(
    {
      together: (moves) => moveTogether(db, moves, waiting),
      alone: (move) => moveAlone(db, move),
    },
    { most: MOST, lanes, enough: MOST },
  );

type Gathering = ReturnType<typeof gathering>;

/** What waits in one server: all together, and by account those whose account somebody else holds. */
interface Queues {
  readonly all: Gathering;
  readonly held: Map<number, { readonly queue: Gathering; waiting: number }>;
}
const queuesOf = onceFor((db: Db): Queues => ({ all: gathering(db, false, LANES), held: new Map() }));

/** However many moves wait for one account, they hold one connection and go together when it is free. */
async function moveHeld(db: Db, { held }: Queues, move: KeptMove): Promise<Moved> {
  const own = held.get(move.account) ?? { queue: gathering(db, true, 1), waiting: 0 };
  held.set(move.account, own);
  own.waiting++;
  try {
    return await own.queue(move);
  } finally {
    own.waiting--;
    if (own.waiting === 0) held.delete(move.account);
  }
}

/**
 * Moves money by hand in one trip, together with whoever else waits at this moment; an account that somebody else holds is waited for
 * apart. False when its key has an answer already. Throws what `post` throws, and `remarkMissing`.
 */
export async function moveByHand(db: Db, move: KeptMove): Promise<boolean> {
  const known = queuesOf(db);
  let moved = await known.all(move);
  if (moved.problem === 'BUSY') moved = await moveHeld(db, known, move);
  if (moved.problem === 'BUSY') moved = await moveAlone(db, move);
  const { problem, above } = moved;
  if (problem === 'KEPT') return false;
  if (problem === 'MN006') throw remarkMissing(above);
  if (problem !== null) throw refusalOfProblem(problem);
  return true;
}

/** The same inside a transaction that may be undone; gives the account's total before and after. */
export async function moveInside(db: Db, { account, type, amount, desc, remarked }: Move) {
  const above = new Decimal(await readParam(db, 'account.remarkAbove'));
  if (!remarked && !above.isZero() && above.lessThan(amount)) throw remarkMissing(above.toFixed());
  const owner = await db.selectFrom('account').select('userId').where('id', '=', account).executeTakeFirst();
  if (!owner) throw new Refusal('recordNotFound');
  const entry = { userId: owner.userId, changeType: type, amount, bizOrderNo: null, desc };
  const { originAmount, totalAmount } = await post(db, entry);
  return { before: { totalAmount: originAmount }, after: { totalAmount } };
}
