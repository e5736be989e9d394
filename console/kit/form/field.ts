import { z } from 'zod';
import { type FieldKind, type Match, metaOf } from '#contract/fields.ts';
import type { NounName } from '#contract/ref.ts';
import { bareSchema, isOneValue, rowSchemaOf, shapeOf } from '#contract/row-schema.ts';

export { rowSchemaOf, shapeOf };

/** Whose rows a field's ids name, and which of them may be chosen. */
export interface Reference {
  readonly noun: NounName;
  readonly of: string | undefined;
  readonly only: Readonly<Record<string, readonly string[]>>;
}

/** What the kit knows of a field of the contract: enough to head a column, fill a cell and ask for a value. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind | 'other';
  /** The words of a choice or flag by code. */
  readonly words: Readonly<Record<string, string>> | undefined;
  readonly ref: Reference | undefined;
  /** Of a name that may have come with the system: whose words it is in. */
  readonly seeded?: string | undefined;
  /** Whether its end tells it from others; see the contract's `endTells`. */
  readonly endTells?: true | undefined;
  /** Of a text by which a row is known: whose row, and which field of the same object holds its id. */
  readonly names?: { readonly noun: NounName; readonly id: string } | undefined;
  readonly many: boolean;
  /** Of a value with fields or items of its own: what those are. */
  readonly nested?: z.ZodType | undefined;
  readonly required: boolean;
  /** Of a search field: how much of a text it takes, where that is not any part. */
  readonly match?: Match | undefined;
  /** What the server assumes where nothing is sent; forms start with it. */
  readonly preset: unknown;
}

const mayBeLeftOut = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;

/** Looks a field up by name; `account.username` names a field of a nested object. */
export function fieldOf(schema: z.ZodType, name: string): Field {
  const [first = '', ...rest] = name.split('.');
  const found = shapeOf(schema)[first];
  if (found && rest.length > 0) {
    const field = fieldOf(found, rest.join('.'));
    const { names } = field;
    return { ...field, name, names: names && { ...names, id: `${first}.${names.id}` } };
  }
  const meta = found ? metaOf(found) : {};
  return {
    name,
    label: meta.title ?? name,
    kind: meta.kind ?? 'other',
    words: meta.choices,
    ref: meta.ref && { noun: meta.ref, of: meta.of, only: meta.only ?? {} },
    names: meta.names,
    seeded: meta.seeded,
    endTells: meta.endTells,
    match: meta.match,
    many: found !== undefined && bareSchema(found) instanceof z.ZodArray,
    nested: found && !isOneValue(found) ? found : undefined,
    required: found !== undefined && !mayBeLeftOut(found),
    preset: found instanceof z.ZodDefault ? found.def.defaultValue : undefined,
  };
}

/** Whether of the two ends of a range only one is there. */
export const isHalf = (range: unknown): boolean =>
  Array.isArray(range) && range.filter((end) => end !== '').length === 1;

/** The value of a field in a row, through nested objects. */
export function valueAt(row: object, name: string): unknown {
  // Asked for thousands of rows at once, most names are taken as they are.
  if (!name.includes('.')) return Reflect.get(row, name);
  let value: unknown = row;
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
