import { z } from 'zod';

type Shape = Readonly<Record<string, z.ZodType>>;

/** The schema under `optional`, `nullable`, `default` and the codecs that read text. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  const wraps =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  const inner = wraps ? schema.unwrap() : schema instanceof z.ZodPipe ? schema.out : undefined;
  return inner instanceof z.ZodType ? bareSchema(inner) : schema;
}

/** The fields of an object schema, by name. */
export function shapeOf(schema: z.ZodType): Shape {
  const object = bareSchema(schema);
  return object instanceof z.ZodObject ? object.shape : {};
}

/** The schema of a list's items; undefined when it is not a list. */
export function elementOf(schema: z.ZodType): z.ZodType | undefined {
  const list = bareSchema(schema);
  return list instanceof z.ZodArray && list.element instanceof z.ZodType ? list.element : undefined;
}

/** The schemas of which a value may be: one, or those of a union. */
export function eitherOf(schema: z.ZodType): readonly z.ZodType[] {
  const bare = bareSchema(schema);
  if (!(bare instanceof z.ZodUnion)) return [bare];
  return bare.options.filter((each): each is z.ZodType => each instanceof z.ZodType);
}

/** Whether it is one value, and not an object or a list, of which a cell would show only that it is one. */
export function isOneValue(schema: z.ZodType): boolean {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodUnion)
    return bare.options.every((each) => each instanceof z.ZodType && isOneValue(each));
  return ![z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodUnknown].some((kind) => bare instanceof kind);
}

/** The row of a list or page call. */
export function rowSchemaOf(output: z.ZodType): z.ZodType {
  const schema = bareSchema(output);
  const element = elementOf(schema);
  if (element) return bareSchema(element);
  const { data } = shapeOf(schema);
  return data ? rowSchemaOf(data) : schema;
}
