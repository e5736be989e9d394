import { z } from 'zod';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { type FieldKind, metaOf } from '#contract/fields.ts';
import { fileOfNames, isNamed, nounOf } from '#contract/nouns.ts';
import type { NounName } from '#contract/ref.ts';
import { bareSchema, eitherOf, elementOf, rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
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
  /** What stands between the parts of a list. */
  readonly between: string;
  /** What stands before a value among others of a part, where it says nothing by itself: a list of its own, a yes or a no. */
  readonly before: string;
}

/** How a file is worded: in Chinese, or as `say` has it; and whether what is written stands among the values of a part of a list. */
interface Wording {
  readonly say: Say | undefined;
  readonly within: boolean;
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

/** What stands between the parts of a list, between those of a list in a part, and behind a label. */
const signs = { zh: ['；', '、', '：'], en: ['; ', ', ', ': '] } as const;

/** What says nothing by itself: a yes or a no, which many fields share, and a list. */
const isUnclear = (schema: z.ZodType): boolean => {
  const { kind, choices } = metaOf(schema);
  return kind === 'flag' ? choices?.true === '是' : !kind && elementOf(bareSchema(schema)) !== undefined;
};

/** What a list is made of; also one that stands where else one value may, as the odds of a line. */
const itemOf = (schema: z.ZodType) => eitherOf(schema).map(elementOf).find(Boolean);

function columnOf(path: readonly string[], schema: z.ZodType, wording: Wording): ExportColumn[] {
  const { say, within } = wording;
  const { title = path.at(-1) ?? '', kind, choices, ref, told, seeded } = metaOf(schema);
  const bare = bareSchema(schema);
  const names = ref && isNamed(nounOf(ref)) ? ref : undefined;
  const file = told ?? seeded ?? (names && fileOfNames(nounOf(names)));
  const label = say?.(title) ?? title;
  const [betweenParts, betweenThose, behindLabel] = signs[say ? 'en' : 'zh'];
  const common = {
    label,
    path,
    words: say && choices ? saidBy(say, choices) : choices,
    say: say && file !== undefined ? (text: string) => say(text, file) : undefined,
    names,
    parts: [],
    between: within ? betweenThose : betweenParts,
    before: within && isUnclear(schema) ? label + behindLabel : '',
  };
  if (kind === 'secret' || kind === 'version') return [];
  if (kind) return [{ ...common, kind }];
  if (bare instanceof z.ZodObject) return columnsIn(bare, path, wording);
  const element = itemOf(bare);
  if (element) return [{ ...common, kind: 'list', parts: partsOf(bareSchema(element), say) }];
  return [{ ...common, kind: 'json' }];
}

/** Of the things in a list an operator reads the words and not the ids, unless there is nothing else. */
function partsOf(element: z.ZodType, say: Say | undefined): ExportColumn[] {
  const wording = { say, within: true };
  if (!(element instanceof z.ZodObject)) return columnOf([], element, wording);
  const columns = columnsIn(element, [], wording);
  const readable = columns.filter(({ kind }) => kind !== 'id');
  return readable.length > 0 ? readable : columns;
}

const columnsIn = (schema: z.ZodType, path: readonly string[], wording: Wording): ExportColumn[] =>
  Object.entries(shapeOf(schema))
    .filter(([name]) => !below.some((each) => each === name))
    .flatMap(([name, field]) => columnOf([...path, name], field, wording));

/** The columns of a list: every field of its rows that is no secret, headed by the contract's labels; in Chinese, or as `say` has them. */
export function exportColumns(endpoint: AnyEndpoint, say?: Say): ExportColumn[] {
  return columnsIn(rowSchemaOf(endpoint.output), [], { say, within: false });
}

/** The nouns that these columns name rows of. */
export const nounsIn = (columns: readonly ExportColumn[]): NounName[] =>
  columns.flatMap(({ names, parts }) => [...(names ? [names] : []), ...nounsIn(parts)]);
