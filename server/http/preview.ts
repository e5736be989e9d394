import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { AccessChange } from '#contract/approvals.ts';
import type { Db } from '#server/db/database.ts';
import { type RowNote, timely } from '#server/db/rows.ts';
import type { Told } from './context.ts';
import { recordedRows, remarked } from './noted-rows.ts';

/** What a call changed, as the change record shows it; `digest` is equal for two runs that changed the same. */
export interface Preview {
  readonly targetId?: number | string | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly access?: readonly AccessChange[] | undefined;
  readonly digest: Buffer;
}

/** An added row by the fields that the call gave: its id and what else the database fills in differ between runs. */
function asSaid(note: RowNote): RowNote {
  const { before, after, given } = note;
  if (before || !after || !given) return note;
  return {
    ...note,
    after: Object.fromEntries(Object.entries(after).filter(([name]) => given.includes(name))),
  };
}

/** A changed row by the fields that differ: the others are in `before`, and cannot be moments of this run. */
function asChanged(note: RowNote): RowNote {
  const { table, before, after } = note;
  if (!before || !after) return asSaid(note);
  const late = timely[table] ?? [];
  const differing = Object.entries(after).filter(
    ([name, value]) => !late.includes(name) && JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return { ...note, after: Object.fromEntries(differing) };
}

/** The rows that a call has added, by id. */
type Added = ReadonlyMap<unknown, readonly RowNote[]>;

/** Whether a field holds the id of a row that the same call added, as `parentCategoryId` does of `play_way_category`. */
function namesAdded(added: Added, name: string, value: unknown): boolean {
  const meant = /([A-Z]?[a-z]+)Id$/.exec(name)?.[1]?.toLowerCase();
  return meant !== undefined && (added.get(value) ?? []).some(({ table }) => table.endsWith(meant));
}

/** A side as text to compare by, without what differs between runs that do the same: moments of the run, and ids of added rows. */
async function comparable(tx: Db, side: unknown, added: Added): Promise<string> {
  const { rows } = await sql<{ began: string; ends: string }>`
    select date_trunc('second', now()) as began, date_trunc('second', clock_timestamp()) + interval '1 second' as ends`.execute(
    tx,
  );
  // Columns of whole seconds round, so a moment of this run may lie up to a second outside of it.
  const [began, ends] = [rows[0]?.began ?? '', rows[0]?.ends ?? ''].map((moment) => moment.slice(0, 19));
  return JSON.stringify(side, (name, value: unknown) => {
    if (typeof value === 'string' && value >= (began ?? '') && value <= (ends ?? '')) return undefined;
    return namesAdded(added, name, value) ? 'added' : value;
  });
}

/** What a call has done in this transaction. */
export async function previewOf(
  tx: Db,
  { rows = [], remark }: Told,
  access?: readonly AccessChange[],
): Promise<Preview> {
  const { before, after } = { ...recordedRows(rows.map(asSaid)), ...(remark && remarked(remark)) };
  const added = Map.groupBy(
    rows.filter((note) => !note.before),
    ({ id }): unknown => id,
  );
  const told = { ...recordedRows(rows.map(asChanged)), ...remark };
  // A row of which only a moment was written may differ in nothing, when it is written within the same second.
  const left = told.after ?? (rows.some((note) => note.after) ? {} : null);
  const compared = JSON.stringify([before ?? null, await comparable(tx, left, added), ...(access ?? [])]);
  return { targetId: remark?.targetId, before, after, access, digest: hash('sha256', compared, 'buffer') };
}
