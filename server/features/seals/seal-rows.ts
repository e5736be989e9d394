import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';
import { type Block, macOf, readMarks } from './block.ts';
import type { SealKind } from './seal-kinds.ts';
import * as store from './seal-store.ts';

/** Rows that are sealed in one transaction at most: some seconds' worth of a busy platform. */
const AT_ONCE = 8 * store.BLOCK_ROWS;

/** One seals at a time over all servers: a block stands on the one before. */
export const lockSeals = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('seals', 0)) as got`.execute(db);
  return rows[0]?.got === true;
};

/** Puts blocks after a head, in order; the head moves on. */
async function append(
  db: Db,
  vault: Vault,
  head: store.Head,
  gathered: readonly store.Gathered[],
  late: boolean,
): Promise<void> {
  const blocks: store.SealedBlock[] = [];
  for (const { gaps: _, ...each } of gathered) {
    const fromId = late ? each.fromId : head.through + 1;
    const block: Block = {
      ...each,
      ...{ kind: head.kind, no: head.no + 1, firstNo: head.rows + 1, late, fromId },
    };
    const mac = macOf(vault, head.mac, block);
    blocks.push({ ...block, marks: each.marks, mac });
    head.no++;
    head.rows += each.rows;
    head.mac = mac;
    if (!late) head.through = each.toId;
  }
  if (blocks.length > 0) await store.insertBlocks(db, blocks);
}

/** Rows whose transaction ended after later ids were sealed. Who writes is asked before they are looked for: see `readWriters`. */
async function sealLate(db: Db, vault: Vault, head: store.Head): Promise<boolean> {
  const gaps = await store.readGaps(db, head.kind);
  if (gaps.length === 0) return false;
  const alive = await store.readWriters(db, head.kind);
  const late = await store.gatherLate(db, head.kind, gaps);
  if (late) await append(db, vault, head, [late], true);
  const came = late ? [...readMarks(late.marks).keys()] : [];
  const full = late?.rows === store.BLOCK_ROWS;
  const ids = `{${came.map((id) => `[${id},${id}]`).join(',')}}`;
  // Where more may have come than was taken, nothing is given up yet.
  const kept = full ? gaps.flatMap(({ writers }) => writers) : alive;
  await store.closeGaps(db, head.kind, gaps, { alive: kept, came: ids });
  return full;
}

async function sealNext(db: Db, vault: Vault, head: store.Head): Promise<boolean> {
  const blocks = await store.gatherNext(db, head.kind, head.through, AT_ONCE);
  const gaps = blocks.flatMap((block) => block.gaps ?? []);
  await append(db, vault, head, blocks, false);
  if (gaps.length > 0) await store.openGap(db, head.kind, gaps, await store.readWriters(db, head.kind));
  return blocks.reduce((sum, { rows }) => sum + rows, 0) === AT_ONCE;
}

/** Seals what is due of one kind; tells whether there is more. */
export const sealKind = (db: Db, vault: Vault, kind: SealKind): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    // What was not had for once is another server's turn.
    if (!(await lockSeals(tx))) return false;
    const [head] = await store.readHeads(tx, [kind]);
    if (!head) return false;
    const more = await sealLate(tx, vault, head);
    return (await sealNext(tx, vault, head)) || more;
  });

/** Seals all rows that are there; in turns, so that no kind waits for another's backlog, nor what comes meanwhile. */
export async function sealAll(db: Db, vault: Vault, isStopping: () => boolean = () => false): Promise<void> {
  for (let more = true; more && !isStopping(); ) {
    more = false;
    for (const kind of await store.kindsDue(db, await store.readHeads(db)))
      if (!isStopping() && (await sealKind(db, vault, kind))) more = true;
  }
}
