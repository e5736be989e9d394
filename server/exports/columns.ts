import { z } from 'zod';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type FieldKind, metaOf } from '#contract/fields.ts';
import { isNamed, nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { bareSchema, elementOf, rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import type { Say } from './saying.ts';

/** A column of an exported list: what heads it, where its value lies in a row, and how to read that value. */
export interface ExportColumn {
  readonly label: string;
  readonly path: readonly string[];
  readonly kind: FieldKind | 'list' | 'json';
  readonly words: Readonly<Record<string, string>> | undefined;
  /** Of what the server itself put into words: how it is said in the file's language. */
  readonly say: Say | undefined;
  /** The noun whose rows' names stand in place of their ids. */
  readonly names: NounName | undefined;
  /** What the parts of a list are made of. */
  readonly parts: readonly ExportColumn[];
}

/** Fields that hold the rows below a row, as the wire spells them. */
const below = ['childrens', 'subCategories'] as const;

/** The rows below a row; none for a leaf. */
export function rowsBelow(row: object): readonly object[] {
  for (const name of below) {
    const rows: unknown = Reflect.get(row, name);
    if (Array.isArray(rows)) return rows;
  }
  return [];
}

const saidBy = (say: Say, words: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(words).map(([code, word]) => [code, say(word)]));

function columnOf(path: readonly string[], schema: z.ZodType, say: Say | undefined): ExportColumn[] {
  const { title = path.at(-1) ?? '', kind, choices, ref, told, seeded } = metaOf(schema);
  const bare = bareSchema(schema);
  const file = told ?? seeded;
  const names = ref && isNamed(nounOf(ref)) ? ref : undefined;
  const common = {
    label: say?.(title) ?? title,
    path,
    words: say && choices ? saidBy(say, choices) : choices,
    say: say && file !== undefined ? (text: string) => say(text, file) : undefined,
    names,
    parts: [],
  };
  if (kind === 'secret' || kind === 'version') return [];
  if (kind) return [{ ...common, kind }];
  if (bare instanceof z.ZodObject) return columnsIn(bare, path, say);
  const element = elementOf(bare);
  if (element) return [{ ...common, kind: 'list', parts: partsOf(bareSchema(element), say) }];
  return [{ ...common, kind: 'json' }];
}

/** Of the things in a list an operator reads the words and not the ids, unless there is nothing else. */
function partsOf(element: z.ZodType, say: Say | undefined): ExportColumn[] {
  if (!(element instanceof z.ZodObject)) return columnOf([], element, say);
  const columns = columnsIn(element, [], say);
  const readable = columns.filter(({ kind }) => kind !== 'id');
  return readable.length > 0 ? readable : columns;
}

const columnsIn = (schema: z.ZodType, path: readonly string[], say: Say | undefined): ExportColumn[] =>
  Object.entries(shapeOf(schema))
    .filter(([name]) => !below.some((each) => each === name))
    .flatMap(([name, field]) => columnOf([...path, name], field, say));

/** The columns of a list: every field of its rows that is no secret, headed by the contract's labels; in Chinese, or as `say` has them. */
export function exportColumns(endpoint: AnyEndpoint, say?: Say): ExportColumn[] {
  return columnsIn(rowSchemaOf(endpoint.output), [], say);
}

/** The nouns that these columns name rows of. */
export const nounsIn = (columns: readonly ExportColumn[]): NounName[] =>
  columns.flatMap(({ names, parts }) => [...(names ? [names] : []), ...nounsIn(parts)]);
