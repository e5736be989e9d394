import { wordOf } from '#contract/fields.ts';
import { changeType as changeTypes } from '#contract/named-fields.ts';
import type { Db } from '#server/db/database.ts';
import { cutPayouts, isCapped } from './capped.ts';
import { problemsOfCountedTurnover } from './counted-turnover-proof.ts';
import { wrongExposure } from './exposure-proof.ts';
import { problemsOfLimits } from './limit-proof.ts';
import { problemsOfLosses } from './loss-proof.ts';
import { inOneSnapshot } from './one-snapshot.ts';
import {
  type KeptSlip,
  readKeptRules,
  readLedger,
  readLines,
  readMoves,
  readSlips,
  readSlipsBefore,
  readVoids,
  strayRows,
  wrongCounters,
} from './proof-store.ts';
import { problemsOfRebates } from './rebate-proof.ts';
import { proveReport } from './report-proof.ts';
import { type Deciding, type Memory, problemsOf } from './slip-proof.ts';

/** Where bets are not what they should be: the slip, or 0 for what belongs to none, and what is wrong, in Chinese. */
export interface BetBreak {
  readonly slipId: number;
  readonly problem: string;
}

export interface BetsProof {
  slips: number;
  /** How many things are wrong; the first of them in `breaks`. */
  broken: number;
  breaks: BetBreak[];
}

const MOST_KEPT = 1_000;
const SLIPS_AT_ONCE = 500;
const ROWS_AT_ONCE = 20_000;
const MOST_REMEMBERED = 20_000;

function note(proof: BetsProof, slipId: number, problems: readonly string[]): void {
  proof.broken += problems.length;
  for (const problem of problems) if (proof.breaks.length < MOST_KEPT) proof.breaks.push({ slipId, problem });
}

const ofSlip = <T extends { readonly slipId: number }>(rows: readonly T[]) =>
  Map.groupBy(rows, ({ slipId }) => slipId);

/** Slips with what decides their lines. */
async function decidingOf(tx: Db, slips: readonly KeptSlip[]): Promise<Deciding[]> {
  if (slips.length === 0) return [];
  const lines = await readLines(
    tx,
    slips.map(({ id }) => id),
  );
  const rules = await readKeptRules(tx, [...new Set(lines.map(({ rulesId }) => rulesId))]);
  const voids = await readVoids(tx, slips);
  const own = ofSlip(lines);
  return slips.map((slip) => ({ slip, rules, voids, lines: own.get(slip.id) ?? [] }));
}

/** What caps leave of lines, the players' slips of before included. */
async function cutOf(tx: Db, all: readonly Deciding[], memory: Memory): Promise<Map<number, bigint>> {
  const capped = all.filter(isCapped).map(({ slip }) => slip);
  const before = await readSlipsBefore(tx, capped, all[0]?.slip.id ?? 0);
  return cutPayouts([...(await decidingOf(tx, before)), ...all], memory);
}

/** Some slips after a place, in one snapshot. Gives the last, or nothing at the end. */
async function proveSome(
  tx: Db,
  after: number,
  memory: Memory,
  proof: BetsProof,
): Promise<number | undefined> {
  const slips = await readSlips(tx, after, SLIPS_AT_ONCE);
  const ids = slips.map(({ id }) => id);
  const deciding = await decidingOf(tx, slips);
  const [ledger, moves] = [ofSlip(await readLedger(tx, ids)), ofSlip(await readMoves(tx, ids))];
  const cut = await cutOf(tx, deciding, memory);
  for (const each of deciding) {
    const { id } = each.slip;
    const known = { ...each, cut, ledger: ledger.get(id) ?? [], moves: moves.get(id) ?? [] };
    note(proof, id, problemsOf(known, memory));
  }
  proof.slips += slips.length;
  return slips.at(-1)?.id;
}

async function proveLedger(
  db: Db,
  proof: BetsProof,
  onProgress: (proof: BetsProof) => unknown,
): Promise<void> {
  for (let after = 0; ; ) {
    const from: number = after;
    const { last, strays } = await inOneSnapshot(db, (tx) => strayRows(tx, from, ROWS_AT_ONCE));
    if (last === null) return;
    for (const { number, changeType, amount } of strays)
      note(proof, 0, [`账变 ${number}（${wordOf(changeTypes, changeType)} ${amount}）不属于任何注单或结算`]);
    after = last;
    await onProgress(proof);
  }
}

/**
 * Proves all bets: every slip is what its copy of the rules and the result make of it, the ledger moved just that, once, and nothing under
 * the numbers of slips besides, settlements counted what they did, and the report what slips came to, rebates that were released
 * are what turnover and rates make of them, so is what was counted for 流水要求, and limits have counted what slips take and players
 * lost. By code of its own, some slips at a time, each lot in one snapshot,
 * so that it holds while slips are placed and settled.
 */
export async function proveBets(
  db: Db,
  onProgress: (proof: BetsProof) => unknown = () => {},
): Promise<BetsProof> {
  const proof: BetsProof = { slips: 0, broken: 0, breaks: [] };
  const memory: Memory = new Map();
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    after = await inOneSnapshot(db, (tx) => proveSome(tx, from, memory, proof));
    if (memory.size > MOST_REMEMBERED) memory.clear();
    await onProgress(proof);
  }
  await proveLedger(db, proof, onProgress);
  for (const { id } of await inOneSnapshot(db, wrongCounters))
    note(proof, 0, [`第 ${id} 号结算的合计与它的明细不符`]);
  note(proof, 0, await proveReport(db));
  note(proof, 0, await problemsOfRebates(db));
  note(proof, 0, await problemsOfCountedTurnover(db));
  note(proof, 0, await problemsOfLimits(db));
  note(proof, 0, await problemsOfLosses(db));
  for (const { gameId, phase, number } of await inOneSnapshot(db, wrongExposure))
    note(proof, 0, [`游戏 ${gameId} 期号 ${phase} 号码“${number}”的单期风险与注单不符`]);
  return proof;
}
