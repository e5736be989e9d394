import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { bareSchema, rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { rowFields } from './row-fields.ts';

/** Whether a value of it may be an object, of which a cell would show only that it is one. */
const mayBeObject = (schema: z.ZodType): boolean => {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodUnion) return bare.options.some((each) => mayBeObject(each as z.ZodType));
  return [z.ZodObject, z.ZodRecord, z.ZodArray, z.ZodUnknown, z.ZodAny].some((kind) => bare instanceof kind);
};

const schemaAt = (endpoint: AnyEndpoint, path: string): z.ZodType =>
  path
    .split('.')
    .reduce<z.ZodType>((schema, name) => shapeOf(schema)[name] ?? schema, rowSchemaOf(endpoint.output));

it('a row in full holds no value that would be shown as an object', () => {
  const lists = Object.values<AnyEndpoint>(contract).filter(({ kind }) => kind === 'query');
  const found = lists.flatMap((endpoint) =>
    rowFields(endpoint, [])
      .filter(({ key }) => mayBeObject(schemaAt(endpoint, key)))
      .map(({ key }) => `${endpoint.path} ${key}`),
  );
  expect(lists.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
