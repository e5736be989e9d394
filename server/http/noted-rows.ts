import type { RowNote } from '#server/db/rows.ts';
import type { Told } from './context.ts';

interface Recorded {
  addedId: number | undefined;
  before?: unknown;
  after?: unknown;
}

type Side = 'before' | 'after';

/** All of them: a call changes no more rows than its request names. */
const listed = (notes: readonly RowNote[], side: Side): unknown[] =>
  notes.map((note) => note[side]).filter((row) => row !== undefined);

/** The row that the call is about, with the rows of other tables that went along with it under the name of their table. */
function sideOf(own: RowNote | undefined, others: ReadonlyMap<string, RowNote[]>, side: Side): unknown {
  const lists = [...others].map(([table, notes]) => [table, listed(notes, side)] as const);
  const whole = { ...own?.[side], ...Object.fromEntries(lists.filter(([, rows]) => rows.length > 0)) };
  return Object.keys(whole).length > 0 ? whole : undefined;
}

/** What a handler remarked, as the change record and an approval keep it: with what moves by itself among what is left. */
export const remarked = ({ moving, ...remark }: NonNullable<Told['remark']>) =>
  moving ? { ...remark, after: Object.assign({}, remark.after, moving) } : remark;

/** What the change record says of the rows that a call touched, the first of which is what the call was about. */
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
