import type { RowNote } from '#server/db/rows.ts';
import type { Told } from './context.ts';

interface Recorded {
  addedId: number | undefined;
  before?: unknown;
  after?: unknown;
}

type Side = 'before' | 'after';

/** Not shortened: a call changes no more rows than its request names. */
const listed = (notes: readonly RowNote[], side: Side): unknown[] =>
  notes.map((note) => note[side]).filter((row) => row !== undefined);

/** The row that the call is about, and under the name of each other table its rows that changed too. */
function sideOf(own: RowNote | undefined, others: ReadonlyMap<string, RowNote[]>, side: Side): unknown {
  const lists = [...others].map(([table, notes]) => [table, listed(notes, side)] as const);
  const whole = { ...own?.[side], ...Object.fromEntries(lists.filter(([, rows]) => rows.length > 0)) };
  return Object.keys(whole).length > 0 ? whole : undefined;
}

/** A handler's remark as the change record and an approval keep it: with `moving` as part of `after`. */
export const remarked = ({ moving, ...remark }: NonNullable<Told['remark']>) =>
  moving ? { ...remark, after: Object.assign({}, remark.after, moving) } : remark;

/** What the change record says of the rows that a call changed; the first is the one that the call is about. */
export function recordedRows(notes: readonly RowNote[]): Recorded | undefined {
  const [first] = notes;
  if (!first) return undefined;
  const tables = Map.groupBy(notes, ({ table }) => table);
  const alone = tables.get(first.table)?.length === 1;
  if (alone) tables.delete(first.table);
  const own = alone ? first : undefined;
  const addedId = first.before ? undefined : first.id;
  return { addedId, before: sideOf(own, tables, 'before'), after: sideOf(own, tables, 'after') };
}
