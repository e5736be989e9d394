import type { z } from 'zod';
import { id, metaOf } from './fields.ts';
import { ids } from './list-fields.ts';
import { bareSchema, elementOf, shapeOf } from './row-schema.ts';

/** Whatever has rows that others refer to. `contract/nouns.ts` says what each of them is. */
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
    /** The field whose value limits which rows may be chosen, such as the numbers of one game. */
    of?: string;
    /** What a text names: a row of this noun, whose id stands in that field beside it. */
    names?: { readonly noun: NounName; readonly id: string };
    /** The rows that may be chosen: those that hold one of these codes in this field. */
    only?: Readonly<Record<string, readonly string[]>>;
  }
}

interface Limit {
  /** The field beside it whose row the chosen ones belong to. */
  readonly of?: string;
  /** The codes that a field of the chosen ones may hold. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

// Only the noun's name travels in the field: a noun names its list call, whose own fields refer to nouns.
const meant = (noun: NounName, label: string, limit: Limit) => ({ title: label, ref: noun, ...limit });

/** The id of a noun's row. Select, name, link, export, refusal and OpenAPI follow from it. */
export const ref = (noun: NounName, label: string, limit: Limit = {}) =>
  id(label).meta({ ...meant(noun, label, limit), kind: 'id' });

/** Ids of a noun's rows; one sent alone counts as a list of one. */
export const refs = (noun: NounName, label: string, { min = 0, ...limit }: Limit & { min?: number } = {}) =>
  ids(label, { min, each: ref(noun, label) }).meta(meant(noun, label, limit));

/** A field by which a noun's row is known, and the field beside it that holds the row's id: it leads to the row's page. */
export const namesRow = <S extends z.ZodType>(schema: S, noun: NounName, idField: string): S =>
  schema.meta({ ...metaOf(schema), names: { noun, id: idField } });

/** A field that refers to a noun, by the names that lead to it; the lists on the way are left out. */
export interface FoundRef {
  readonly path: readonly string[];
  readonly ref: NounName;
}

/** Every field of a schema that refers to a noun, in nested objects and lists too. */
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
