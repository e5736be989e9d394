import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Vault } from '#server/vault.ts';
import { type Anchor, codeOf } from './anchor.ts';
import { note, type SealProof } from './proof.ts';
import { sealedKinds } from './seal-kinds.ts';

interface Standing {
  mac: Buffer | null;
  rows: number | null;
  /** What is left. */
  lastNo: number;
  lastRows: number;
}

async function standingOf(db: Db, { kind, no }: Anchor['heads'][number]): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select s.mac, s."firstNo" + s.rows - 1 as rows, coalesce(l.no, 0) as "lastNo", coalesce(l."firstNo" + l.rows - 1, 0) as "lastRows"
    from (values (1)) as one left join seal s on s.kind = ${kind} and s.no = ${no}
      left join lateral (select no, "firstNo", rows from seal where kind = ${kind} order by no desc limit 1) l on true`.execute(
    db,
  );
  return rows[0];
}

/** Whether the database still holds what an anchor says; `proof` takes what it does not. */
export async function proveAnchor(db: Db, vault: Vault, anchor: Anchor, proof: SealProof): Promise<void> {
  proof.anchors++;
  const name = `锚点 ${anchor.code}（第 ${anchor.no} 号，${anchor.time}）`;
  if (codeOf(vault, anchor) !== anchor.code) {
    note(proof, null, `${name}与它的校验码不符：锚点被改动，或者 APP_SECRET 不是当时的`);
    return;
  }
  for (const head of anchor.heads.filter(({ no }) => no > 0)) {
    const { title } = sealedKinds[head.kind];
    const standing = await standingOf(db, head);
    if (!standing?.mac)
      note(
        proof,
        head.kind,
        `${name}记有${title} ${head.rows} 行、${head.no} 段，现在只有 ${standing?.lastRows ?? 0} 行、${standing?.lastNo ?? 0} 段：第 ${(standing?.lastRows ?? 0) + 1} 至 ${head.rows} 号被截去`,
      );
    else if (standing.mac.toString('hex') !== head.mac || standing.rows !== head.rows)
      note(
        proof,
        head.kind,
        `${title}第 ${head.no} 段（到第 ${head.rows} 号）与${name}不符：锚点之后有人重做了封存链`,
      );
  }
}
