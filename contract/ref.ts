import type { z } from 'zod';
import { id, metaOf } from './fields.ts';
import { ids } from './list-fields.ts';
import { bareSchema, elementOf, shapeOf } from './row-schema.ts';

/** The nouns that others refer to; `contract/nouns.ts` says what each of them is. */
export const nounNames = [
  'game',
  'gameCategory',
  'gameNumber',
  'betLatitude',
  'playWayCategory',
  'playWay',
  'odds',
  'drawPlan',
  'drawRecord',
  'spider',
  'newsCategory',
  'news',
  'menu',
  'role',
  'operator',
  'user',
  'account',
  'deposit',
  'withdrawal',
  'chatSession',
  'mailConfig',
  'paramSetting',
  'slip',
  'settlement',
  'betLimit',
  'agent',
] as const;

/** The name of a noun. */
export type NounName = (typeof nounNames)[number];

declare module 'zod' {
  interface GlobalMeta {
    /** The noun whose row this id names. */
    ref?: NounName;
    /** The field beside it that limits which rows may be chosen, as the game limits its numbers. */
    of?: string;
    /** For a text that names a row: its noun, and the field beside it that holds its id. */
    names?: { readonly noun: NounName; readonly id: string };
    /** For a text that a noun's rows are found by: its noun. A list searched by it has what belongs to such a row. */
    nameOf?: NounName;
    /** Limits which rows may be chosen to those with one of these codes in this field. */
    only?: Readonly<Record<string, readonly string[]>>;
  }
}

type Limit = Pick<z.core.GlobalMeta, 'of' | 'only'>;

// A field knows its noun by name only: the noun knows its list call, whose fields refer to nouns again.
const meant = (noun: NounName, label: string, limit: Limit) => ({ title: label, ref: noun, ...limit });

/** A field with the id of a noun's row. Select, name, link, export, refusal and OpenAPI follow from it. */
export const ref = (noun: NounName, label: string, limit: Limit = {}) =>
  id(label).meta({ ...meant(noun, label, limit), kind: 'id' });

/** Ids of a noun's rows; one sent alone counts as a list of one. */
export const refs = (noun: NounName, label: string, { min = 0, ...limit }: Limit & { min?: number } = {}) =>
  ids(label, { min, each: ref(noun, label) }).meta(meant(noun, label, limit));

/** Makes a text that names a noun's row lead to that row; `idField` is the field beside it with the row's id. */
export const namesRow = <S extends z.ZodType>(schema: S, noun: NounName, idField: string): S =>
  schema.meta({ ...metaOf(schema), names: { noun, id: idField } });

/** Marks a text as what a noun's rows are found by. */
export const namesNoun = <S extends z.ZodType>(schema: S, noun: NounName): S =>
  schema.meta({ ...metaOf(schema), nameOf: noun });

/** A field that refers to a noun, and the names of the fields that lead to it. */
export interface FoundRef {
  readonly path: readonly string[];
  readonly ref: NounName;
}

/** All fields of a schema that refer to a noun, in nested objects and lists too. */
export function refsIn(
  schema: z.ZodType,
  path: readonly string[] = [],
  above: readonly z.ZodType[] = [],
): FoundRef[] {
  const { ref: noun } = metaOf(schema);
  if (noun) return [{ path, ref: noun }];
  const bare = bareSchema(schema);
  // Rows below rows are of the same kind.
  if (above.includes(bare)) return [];
  const inside = [...above, bare];
  const element = elementOf(bare);
  if (element) return refsIn(element, path, inside);
  return Object.entries(shapeOf(bare)).flatMap(([name, field]) => refsIn(field, [...path, name], inside));
}
