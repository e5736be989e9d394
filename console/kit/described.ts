import type { z } from 'zod';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { bareSchema, eitherOf, elementOf, isOneValue, rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { fieldOf } from './form/field.ts';
import { sortsOf } from './list/sorts.ts';

/** All that the console asks of a schema, as plain values. */
function described(schema: z.ZodType, above: readonly z.ZodType[] = []): object | string {
  const bare = bareSchema(schema);
  if (above.includes(bare)) return 'like what it is in';
  const inside = [...above, bare];
  const element = elementOf(bare);
  const either = eitherOf(bare);
  const fields = Object.entries(shapeOf(bare)).map(([name, field]) => [
    name,
    {
      ...fieldOf(bare, name),
      nested: undefined,
      isOneValue: isOneValue(field),
      inside: described(field, inside),
    },
  ]);
  return {
    ...{ meta: metaOf(schema), fields: Object.fromEntries(fields) },
    ...(element ? { element: described(element, inside) } : {}),
    ...(either.length > 1 ? { either: either.map((each) => described(each, inside)) } : {}),
  };
}

const ofCall = (endpoint: AnyEndpoint): object => ({
  ...{ input: described(endpoint.input), output: described(endpoint.output), sorts: sortsOf(endpoint) },
  ...{ row: described(rowSchemaOf(endpoint.output)), edits: endpoint.edits && described(endpoint.edits) },
});

/** The whole contract as the console sees it, by the names of its calls. */
export const describedContract: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries<AnyEndpoint>(contract).map(([name, endpoint]) => [name, ofCall(endpoint)]),
);
