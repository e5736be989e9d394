import type { z } from 'zod';
import { metaOf } from '#contract/fields.ts';
import { rowsIn } from '#contract/recorded-fields.ts';
import type { NounName } from '#contract/ref.ts';
import { type ChangedLine, type Told, told } from './changed-lines.ts';

interface Column {
  readonly name: string;
  readonly label: string;
  readonly ref: NounName | undefined;
}

/** A row as it was sent, or as it was and is; a cell has both where they differ. */
export interface ChangedRow {
  readonly key: string;
  readonly kind: '新增' | '删除' | '修改' | '不变' | undefined;
  readonly cells: readonly { readonly before: Told | undefined; readonly after: Told }[];
}

export interface RowsTable {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ChangedRow[];
}

type Fields = Readonly<Record<string, z.ZodType>>;
type Row = Readonly<Record<string, unknown>>;
interface Pair {
  readonly before?: Row | undefined;
  readonly after?: Row | undefined;
}

const EMPTY: Row = {};

/** The rows of both sides by their numbers; those that have none yet are added ones. */
function paired(before: readonly Row[], after: readonly Row[]): Pair[] {
  const present = new Map<unknown, Row>(after.map((row) => [row.id, row]));
  const former = new Set(before.map(({ id }) => id));
  return [
    ...before.map((row) => ({ before: row, after: present.get(row.id) })),
    ...after.filter(({ id }) => id === undefined || !former.has(id)).map((row) => ({ after: row })),
  ];
}

const kindOf = ({ before, after }: Pair) => {
  if (!before) return '新增';
  if (!after) return '删除';
  return JSON.stringify(before) === JSON.stringify(after) ? '不变' : '修改';
};

/** What a row is comes before what it says; the record keeps fields in no order of anybody's. */
const rankOf = ({ name, ref }: Pick<Column, 'name' | 'ref'>): number => {
  if (name === 'id') return 0;
  return ref === undefined ? 2 : 1;
};

function tableOf(label: string, fields: Fields, pairs: readonly Pair[], isSent: boolean): RowsTable {
  const names = new Set(pairs.flatMap(({ before, after }) => Object.keys({ ...before, ...after })));
  const unordered = [...names].map((name) => {
    const { title, ref } = fields[name] ? metaOf(fields[name]) : {};
    return { name, label: title ?? name, ref };
  });
  const columns = unordered.toSorted((one, other) => rankOf(one) - rankOf(other));
  const rows = pairs.map((pair, place): ChangedRow => {
    const { before = EMPTY, after = before } = pair;
    return {
      key: `${place}`,
      kind: isSent ? undefined : kindOf(pair),
      cells: columns.map(({ name }) => {
        const [was, is] = [told(before[name], fields[name]), told(after[name], fields[name])];
        return { before: pair.before && was.text !== is.text ? was : undefined, after: is };
      }),
    };
  });
  return { label, columns, rows };
}

/** The lists of rows in a change: what was sent, and what becomes of rows that are there. `fields` are those of such rows. */
export function changedRows(lines: readonly ChangedLine[], fields: Fields): RowsTable[] {
  return lines.flatMap(({ label, input, before, after }) => {
    const [sent, was, is] = [rowsIn(input.value), rowsIn(before.value), rowsIn(after.value)];
    const sentRows = sent?.map((row) => ({ after: row }));
    return [
      ...(sentRows ? [tableOf(`${label}：提交内容`, fields, sentRows, true)] : []),
      ...(was || is ? [tableOf(`${label}：变更前后`, fields, paired(was ?? [], is ?? []), false)] : []),
    ];
  });
}
