import type { z } from 'zod';
import { metaOf } from './fields.ts';
import { eitherOf, elementOf, shapeOf } from './row-schema.ts';

/** What a value may be of: more than one where a union stands, whose kinds say the same by the same names. */
type Schemas = readonly z.ZodType[];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSchema = (schema: z.ZodType | undefined): schema is z.ZodType => schema !== undefined;
const itemsOf = (schemas: Schemas): Schemas => schemas.flatMap(eitherOf).map(elementOf).filter(isSchema);
const fieldOf = (schemas: Schemas, name: string): Schemas =>
  schemas
    .flatMap(eitherOf)
    .map((each) => shapeOf(each)[name])
    .filter(isSchema);

const metaAmong = (schemas: Schemas): z.core.GlobalMeta =>
  schemas.map(metaOf).find(({ title, choices }) => title !== undefined || choices) ?? {};

/** The names of a value's fields: the database keeps them in no order of anybody's. */
const inOrder = (value: object, schemas: Schemas): string[] => {
  const known = schemas.flatMap(eitherOf).flatMap((each) => Object.keys(shapeOf(each)));
  return [...new Set([...known.filter((name) => name in value), ...Object.keys(value)])];
};

/** What a field says: a word that says itself stands without a label. */
function said(name: string, schemas: Schemas, value: unknown): string[] {
  const text = words(value, schemas);
  if (text === '') return [];
  const { title, choices } = metaAmong(schemas);
  return [title === undefined && choices ? text : `${title ?? name}：${text}`];
}

function words(value: unknown, schemas: Schemas): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) {
    const all = value.map((each) => words(each, itemsOf(schemas)));
    return value.some(isObject) ? all.join('；') : all.join('、');
  }
  if (!isObject(value)) return metaAmong(schemas).choices?.[String(value)] ?? String(value);
  return inOrder(value, schemas)
    .flatMap((name) => said(name, fieldOf(schemas, name), Reflect.get(value, name)))
    .join('，');
}

/** A value with fields or items of its own as operators read it: by labels and words of the contract, and what it does not know as it is. */
export const nestedWords = (value: unknown, schema: z.ZodType | undefined): string =>
  words(value, schema ? [schema] : []);
