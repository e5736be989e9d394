import { z } from 'zod';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { bareSchema, isOneValue, rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { type Column, type ColumnSpec, columnsOf } from './columns.ts';

/** The names of everything a row of a list holds that reads as one value: through nested objects, and without what no operator reads. */
function pathsIn(schema: z.ZodType, above = ''): string[] {
  return Object.entries(shapeOf(schema)).flatMap(([name, field]) => {
    const path = `${above}${name}`;
    const bare = bareSchema(field);
    if (bare instanceof z.ZodObject) return pathsIn(bare, `${path}.`);
    return isOneValue(bare) && metaOf(field).kind !== 'version' ? [path] : [];
  });
}

/**
 * Everything of a row, as columns: those that the list shows as it shows them, then all others in the contract's order, but for what a
 * column of its own making shows under the same name.
 */
export function rowFields<R extends object>(endpoint: AnyEndpoint, shown: readonly Column<R>[]): Column<R>[] {
  const known = new Set(shown.map(({ key }) => key));
  const others = pathsIn(rowSchemaOf(endpoint.output)).filter((path) => !known.has(path));
  // Read from the row's own schema, though the compiler cannot follow.
  const specs = others as readonly unknown[] as readonly ColumnSpec<R>[];
  const made = new Set(shown.filter(({ field }) => field === null).map(({ label }) => label));
  return [...shown, ...columnsOf<R>(endpoint, specs).filter(({ label }) => !made.has(label))];
}
