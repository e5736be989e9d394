import type { SealKind } from './seal-kinds.ts';

/** What a proof of all seals found; problems are Chinese sentences that name row and time. */
export interface SealProof {
  blocks: number;
  rows: number;
  /** Rows that no seal is over yet. */
  unsealed: number;
  /** Change records that were deleted when their time to be kept had passed. */
  cleaned: number;
  /** For how many days change records are kept by the parameter as it stands; 0 for ever. */
  keptDays: number;
  anchors: number;
  broken: number;
  problems: { kind: SealKind | null; problem: string }[];
}

/** More would say no more, and a database that is wrong throughout must not fill the memory. */
const MOST_KEPT = 1_000;

export const emptyProof = (): SealProof => ({
  ...{ blocks: 0, rows: 0, unsealed: 0, cleaned: 0, keptDays: 0, anchors: 0, broken: 0 },
  problems: [],
});

export function note(proof: SealProof, kind: SealKind | null, problem: string): void {
  proof.broken++;
  if (proof.problems.length < MOST_KEPT) proof.problems.push({ kind, problem });
}
