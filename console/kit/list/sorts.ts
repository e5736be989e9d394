import type { AnyEndpoint } from '#contract/endpoint.ts';
import { bareSchema, shapeOf } from '#contract/row-schema.ts';

/** What a list may be sorted by, as its call takes it: a column, or one with a minus in front. */
export function sortsOf({ input }: AnyEndpoint): readonly string[] {
  const { sort } = shapeOf(input);
  const schema = sort && bareSchema(sort);
  return schema && 'options' in schema && Array.isArray(schema.options) ? schema.options.map(String) : [];
}
