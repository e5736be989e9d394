import type { Db } from '#server/db/database.ts';
import { type LedgerProof, proveLedger } from '#server/features/ledger/ledger-proof.ts';

/** Throws, naming the first breaks, unless every account proves; otherwise tells how much was proven. */
export async function expectProven(db: Db): Promise<LedgerProof> {
  const proof = await proveLedger(db);
  if (proof.breaks.length > 0)
    throw new Error(`the ledger breaks: ${JSON.stringify(proof.breaks.slice(0, 5))}`);
  return proof;
}
