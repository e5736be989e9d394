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

/** The row of a list or page call. */
export function rowSchemaOf(output: z.ZodType): z.ZodType {
  const schema = bareSchema(output);
  if (schema instanceof z.ZodArray) return bareSchema(schema.element as z.ZodType);
  const { data } = shapeOf(schema);
  return data ? rowSchemaOf(data) : schema;
}
