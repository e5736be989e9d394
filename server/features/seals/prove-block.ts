import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type Block, readMarks, sha256 } from './block.ts';
import { note, type SealProof } from './proof.ts';
import { hashedRows, sealedKinds } from './seal-kinds.ts';

interface Row {
  id: number;
  at: string;
  hash: Buffer;
}

export const told = (seconds: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
    seconds * 1_000,
  );

/** Ids within a block's range that belong elsewhere: to blocks of late rows, or that may still be sealed as such. */
async function elsewhere(db: Db, { kind, fromId, toId }: Block): Promise<(id: number) => boolean> {
  const { rows } = await sql<{ marks: Buffer }>`
    select marks from seal where kind = ${kind} and late and "toId" >= ${fromId}::bigint and "fromId" <= ${toId}::bigint`.execute(
    db,
  );
  const ids = new Set(rows.flatMap(({ marks }) => [...readMarks(marks).keys()]));
  const { rows: open } = await sql<{ id: number }>`
    select r.id from ${sql.table(sealedKinds[kind].table)} r where r.id between ${fromId}::bigint and ${toId}::bigint
      and exists (select from seal_gap where kind = ${kind} and ids::int8multirange @> r.id)`.execute(db);
  for (const { id } of open) ids.add(id);
  return (id) => ids.has(id);
}

async function rowsOf(db: Db, { kind, fromId, toId, late }: Block, ids: readonly number[]): Promise<Row[]> {
  const where = late
    ? sql`r.id = any(${[...ids]}::bigint[])`
    : sql`r.id between ${fromId}::bigint and ${toId}::bigint`;
  const { rows } = await sql<Row>`
    select id, to_char(at, 'YYYY-MM-DD HH24:MI:SS') as at, hash from (${hashedRows(kind, where)}) as h order by id`.execute(
    db,
  );
  return rows;
}

export interface Look {
  readonly db: Db;
  readonly proof: SealProof;
  readonly timeZone: string;
  /** Change records of before this moment may be gone, in epoch seconds. */
  readonly cleanedUntil: number;
}

/** Says of a block whose rows do not give its digest, row by row, what became of them; or finds that only late rows lie among them. */
export async function proveBlock({ db, proof, timeZone, cleanedUntil }: Look, block: Block): Promise<void> {
  const { kind, no, firstNo, fromTime, createTime } = block;
  const { title } = sealedKinds[kind];
  const { rows: found } = await sql<{ marks: Buffer }>`
    select marks from seal where kind = ${kind} and no = ${no}`.execute(db);
  const marks = readMarks(found[0]?.marks ?? Buffer.alloc(0));
  const rows = await rowsOf(db, block, [...marks.keys()]);
  const isElsewhere = block.late ? () => false : await elsewhere(db, block);
  const sealed = `封存于 ${told(createTime, timeZone)}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const before = proof.broken;
  let cleaned = 0;
  [...marks].forEach(([id, mark], place) => {
    const row = byId.get(id);
    const name = `${title}第 ${firstNo + place} 号（编号 ${id}`;
    if (row && row.hash.toString('hex', 0, 4) !== mark)
      note(proof, kind, `${name}，记录时间 ${row.at}，${sealed}）在封存后被改动`);
    if (row) return;
    if (kind === 'CHANGE' && fromTime < cleanedUntil) cleaned++;
    else
      note(
        proof,
        kind,
        `${name}，记录时间在 ${told(fromTime, timeZone)} 至 ${told(block.toTime, timeZone)} 之间，${sealed}）在封存后被删除`,
      );
  });
  for (const { id, at } of rows)
    if (!marks.has(id) && !isElsewhere(id))
      note(proof, kind, `${title}（编号 ${id}，记录时间 ${at}）是封存之后插进已封存的行之间的`);
  proof.cleaned += cleaned;
  if (proof.broken > before || cleaned > 0) return;
  const digest = sha256(Buffer.concat(rows.filter(({ id }) => marks.has(id)).map(({ hash }) => hash)));
  if (!digest.equals(block.digest))
    note(
      proof,
      kind,
      `${title}第 ${no} 段（第 ${firstNo} 号起 ${block.rows} 行，${sealed}）与封存时的摘要不符`,
    );
}
