import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';
import type { Anchor } from './anchor.ts';
import { proveStanding } from './cross-checks.ts';
import { emptyProof, type SealProof } from './proof.ts';
import { proveAnchor } from './prove-anchors.ts';
import type { Look } from './prove-block.ts';
import { proveBlocks, rangesOf } from './prove-kind.ts';
import { sealedKinds } from './seal-kinds.ts';
import { kindsDue, readHeads } from './seal-store.ts';

interface Options {
  readonly timeZone: string;
  /** Anchors that were kept elsewhere. */
  readonly anchors?: Iterable<Anchor>;
  /** Statements at once; `db` should have as many connections. */
  readonly lanes?: number;
  readonly onProgress?: (proof: SealProof) => void;
}

/**
 * Up to when change records may have been cleaned, in epoch seconds: since when they are kept, and no further than the oldest there is, for the
 * oldest go first; with the days they are kept.
 */
async function readKept(db: Db): Promise<{ until: number; days: number }> {
  const { rows } = await sql<{ until: number; days: number }>`
    select greatest(days, 90) as days, least(floor(extract(epoch from change_records_kept_since())),
      (select floor(extract(epoch from min("createTime"))) + 1 from change_record))::bigint as until
    from (select max(case when value ~ '^[0-9]{1,5}$' then value::integer end) as days from param_setting
      where key = 'retention.changeRecordDays') as kept where days > 0`.execute(db);
  return rows[0] ?? { until: Number.NEGATIVE_INFINITY, days: 0 };
}

async function countUnsealed(db: Db): Promise<number> {
  const heads = await readHeads(db);
  const due = await kindsDue(db, heads);
  let unsealed = 0;
  for (const { kind, through } of heads.filter((head) => due.includes(head.kind))) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(sealedKinds[kind].table)} where id > ${through}::bigint`.execute(
      db,
    );
    unsealed += rows[0]?.n ?? 0;
  }
  return unsealed;
}

/**
 * Proves all that is sealed: that the chains of seals are whole and ours, that their rows are what they were, that accounts, results and slips
 * are what the sealed rows make of them, and that all of it goes on from what anchors say. It may run while servers work; some blocks at a
 * time are in memory.
 */
export async function proveSeals(db: Db, vault: Vault, options: Options): Promise<SealProof> {
  const { timeZone, anchors = [], lanes = 1, onProgress = () => {} } = options;
  const proof = emptyProof();
  const kept = await readKept(db);
  proof.keptDays = kept.days;
  const look: Look = { db, proof, timeZone, cleanedUntil: kept.until };
  const ranges = await rangesOf(look);
  const lane = async () => {
    for (let range = ranges.shift(); range; range = ranges.shift()) {
      await proveBlocks(look, vault, range.kind, range.from);
      onProgress(proof);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await proveStanding(db, proof);
  for (const anchor of anchors) await proveAnchor(db, vault, anchor, proof);
  proof.unsealed = await countUnsealed(db);
  return proof;
}
