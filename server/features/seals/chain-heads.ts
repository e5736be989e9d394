import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type SealKind, sealedKinds, sealKinds } from './seal-kinds.ts';

/** The heads of a chain: its newest row, the newest one under a seal, and for how long the next one has waited for its own. */
interface Heads {
  readonly kind: SealKind;
  readonly newest: number;
  readonly sealed: number;
  readonly unsealedSeconds: number;
}

const headsOf = (kind: SealKind) => {
  const table = sql.table(sealedKinds[kind].table);
  return sql`
    select ${kind}::text as kind, coalesce((select max(id) from ${table}), 0) as newest, s.sealed,
      coalesce((select greatest(0, extract(epoch from clock_timestamp() - "createTime")) from ${table} where id > s.sealed order by id limit 1), 0)::float8
        as "unsealedSeconds"
    from (select coalesce(max("toId"), 0) as sealed from seal where kind = ${kind} and not late) as s`;
};

async function readHeads(db: Db): Promise<readonly Heads[]> {
  const { rows } = await sql<Heads>`${sql.join(sealKinds.map(headsOf), sql` union all `)}`.execute(db);
  return rows;
}

/** What is read of every chain, by its name in small letters. */
const ofChains =
  (figure: (heads: Heads) => number) =>
  async (db: Db): Promise<Record<string, number>> =>
    Object.fromEntries((await readHeads(db)).map((heads) => [heads.kind.toLowerCase(), figure(heads)]));

export const chainHeads = ofChains(({ newest }) => newest);
export const sealedHeads = ofChains(({ sealed }) => sealed);
export const unsealedSeconds = ofChains((heads) => heads.unsealedSeconds);
