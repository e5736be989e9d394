import { sql } from 'kysely';
import type { Vault } from '#server/vault.ts';
import { type Block, macOf } from './block.ts';
import { note } from './proof.ts';
import { type Look, proveBlock, told } from './prove-block.ts';
import { hashedRows, type SealKind, sealedKinds } from './seal-kinds.ts';

/** Blocks that one statement looks at. */
const AT_ONCE = 32;

type Found = Block & {
  mac: Buffer;
  before: Buffer | null;
  /** The number that the next row had before this block, and up to which id rows were sealed. */
  nextNo: number | null;
  through: number | null;
  /** What the rows give that are there now. */
  rowsNow: number | null;
  digestNow: Buffer | null;
};

const seconds = (column: string) => sql.raw(`extract(epoch from s."${column}")::bigint as "${column}"`);

async function readBlocks({ db }: Look, kind: SealKind, from: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select s.kind, s.no, s."firstNo", s.rows, s."fromId", s."toId", s.late, ${seconds('fromTime')}, ${seconds('toTime')},
      ${seconds('createTime')}, s.digest, sha256(s.marks) as "marksHash", s.mac, b.mac as before, b."firstNo" + b.rows as "nextNo",
      case when not s.late then (select max(t."toId") from seal t where t.kind = s.kind and not t.late and t."toId" < s."toId") end as through,
      n.rows as "rowsNow", n.digest as "digestNow"
    from seal s left join seal b on b.kind = s.kind and b.no = s.no - 1
      left join lateral (
        select count(*)::integer as rows, sha256(string_agg(hash, ''::bytea)) as digest
        from (${hashedRows(kind, sql`not s.late and r.id between s."fromId" and s."toId" order by r.id`)}) as h
      ) n on true
    where s.kind = ${kind} and s.no between ${from}::bigint and ${from + AT_ONCE - 1}::bigint order by s.no`.execute(
    db,
  );
  return rows;
}

/** What is wrong with a block's place in the chain, whatever its rows are. */
function chainProblem(vault: Vault, block: Found): string | undefined {
  if (block.no > 1 && block.before === null) return '之前的一段不见了';
  if (!macOf(vault, block.before ?? Buffer.alloc(0), block).equals(block.mac))
    return '封存码不对：不是本平台的密钥封的，或者封存记录被改动';
  if (block.no > 1 && block.nextNo !== block.firstNo) return '行号与上一段不连续';
  if (block.through !== null && block.fromId !== block.through + 1) return '与上一段之间有空档';
  return undefined;
}

async function look(at: Look, vault: Vault, block: Found): Promise<void> {
  const { kind, no, firstNo, rows, createTime } = block;
  at.proof.blocks++;
  at.proof.rows += rows;
  const problem = chainProblem(vault, block);
  if (problem)
    note(
      at.proof,
      kind,
      `${sealedKinds[kind].title}第 ${no} 段（第 ${firstNo} 至 ${firstNo + rows - 1} 号，封存于 ${told(createTime, at.timeZone)}）：${problem}`,
    );
  const same = !block.late && block.rowsNow === rows && block.digestNow?.equals(block.digest);
  if (!same) await proveBlock(at, block);
}

/** Proves some blocks of a kind from a number on; tells how many there were. */
export async function proveBlocks(at: Look, vault: Vault, kind: SealKind, from: number): Promise<number> {
  const blocks = await readBlocks(at, kind, from);
  for (const block of blocks) await look(at, vault, block);
  return blocks.length;
}

/** The ranges of blocks there are, to be shared out among connections. */
export async function rangesOf({ db }: Look): Promise<{ kind: SealKind; from: number }[]> {
  const { rows } = await sql<{ kind: SealKind; last: number }>`
    select kind, max(no) as last from seal group by kind`.execute(db);
  return rows.flatMap(({ kind, last }) =>
    Array.from({ length: Math.ceil(last / AT_ONCE) }, (_, index) => ({ kind, from: 1 + index * AT_ONCE })),
  );
}
