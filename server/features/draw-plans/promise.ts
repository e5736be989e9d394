import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';
import { beaconDeadline } from './beacon.ts';
import { commitmentOf, drawnNumbers } from './commitment.ts';
import type { DrawRules } from './draw-rules.ts';

const SEED_BYTES = 32;

const binding = (gameId: number, phase: string): string => `draw_commitment/${gameId}/${phase}`;

/** A server that fell silent (and not its process) must not hold plans for long: see docs/decisions/0020. */
export const giveUpSoon = (db: Db) => sql`set local idle_in_transaction_session_timeout = '3s'`.execute(db);

/** A promise as it is kept: what is drawn by which rules, the commitment shown, and the seed it hides. */
export interface Promised {
  readonly gameId: number;
  readonly phase: string;
  readonly rules: DrawRules;
  readonly commitment: string;
  readonly seed: Buffer;
  /** What the promised beacon published; null before, and where none is promised. */
  readonly beaconValue: string | null;
}

/** Promises a phase: a new seed, sealed, and the commitment to it. */
export function newPromise(vault: Vault, gameId: number, phase: string, rules: DrawRules): Promised {
  const seed = randomBytes(SEED_BYTES).toString('hex');
  const commitment = commitmentOf({ gameId, phase, rules, seed });
  return {
    gameId,
    phase,
    rules,
    commitment,
    seed: vault.seal(seed, binding(gameId, phase)),
    beaconValue: null,
  };
}

/** What a promise draws, or why it cannot be kept. */
export function resultOf(
  vault: Vault,
  { gameId, phase, rules, commitment, seed: sealed, beaconValue }: Promised,
): { seed: string; result: string } | { reason: string } {
  let seed: string;
  try {
    seed = vault.open(sealed, binding(gameId, phase));
  } catch {
    return { reason: '种子无法解密：数据已损坏，或承诺时的 APP_SECRET 与现在不同' };
  }
  try {
    // Anyone may check a draw afterwards; one that would fail must not come about.
    if (commitmentOf({ gameId, phase, rules, seed }) !== commitment) return { reason: '种子与承诺值不符' };
    if (rules.beacon && beaconValue === null) return { reason: '公开随机值还没有取到' };
    return { seed, result: drawnNumbers({ rules, seed }, beaconValue).join(',') };
  } catch {
    return { reason: '承诺的开奖规则已损坏' };
  }
}

/** Whether the value that a draw was promised to wait for may still come. */
export const isAwaitingBeacon = (
  { rules: { beacon }, beaconValue }: Pick<Promised, 'rules' | 'beaconValue'>,
  now: Date,
): boolean => beacon !== undefined && beaconValue === null && now.getTime() / 1_000 <= beaconDeadline(beacon);
