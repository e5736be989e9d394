import type { z } from 'zod';
import { type Contract, contract, type EndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { orderOfFew } from '#server/db/list-order.ts';
import { type Paging, page } from '#server/db/page.ts';
import { added, changed, removed, type VersionedTable } from '#server/db/rows.ts';
import { contains, equals, type Way, where } from '#server/db/where.ts';
import type { Context, Handler } from './handler.ts';

/** The calls that name the table whose rows they list, add, change or remove as they are. */
type PlainName = {
  [N in EndpointName]: Contract[N]['rows'] extends undefined ? never : N;
}[EndpointName];
type PlainTable = NonNullable<Contract[PlainName]['rows']>;
type Fields = Record<string, unknown>;
type Handle = (context: Context, input: Fields & { id: number; version?: number }) => Promise<unknown>;

/** Does not compile if a call names a table without a `version`. */
const tableIn = (rows: PlainTable): VersionedTable => rows;

/** All tables have the type of one here: the compiler cannot follow a statement on any of them. */
const anyTable = (endpoint: AnyEndpoint) => tableIn(endpoint.rows as PlainTable) as 'news';

const isText = (field: z.ZodType): boolean => ['text', 'longText'].includes(metaOf(field).kind ?? '');

const wayOf = (field: z.ZodType): Way<never> => (isText(field) ? contains : equals);

function listing(endpoint: AnyEndpoint): Handle {
  const row = Object.entries(shapeOf(rowSchemaOf(endpoint.output)));
  const columns = row.map(([name]) => name) as 'id'[];
  const words = row.filter(([, field]) => isText(field)).map(([name]) => name);
  const { currentPage, pageSize: _, sort: __, ...fields } = shapeOf(endpoint.input);
  const ways = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, wayOf(field)]));
  return async ({ db }, filter) => {
    const rows = db
      .selectFrom(anyTable(endpoint))
      .select(columns)
      .where(where(filter, ways as never));
    if (!currentPage) return rows.orderBy('id', 'desc').execute();
    const asked = filter as unknown as Paging;
    return page(db, rows, asked, orderOfFew(asked.sort, { words }));
  };
}

/** The fields of an edit: one that is left out becomes null, except a switch, which stays as it was. */
function whole(fields: Readonly<Record<string, z.ZodType>>, input: Fields): Fields {
  const said = Object.entries(fields).filter(
    ([name, field]) => input[name] !== undefined || metaOf(field).kind !== 'flag',
  );
  return Object.fromEntries(said.map(([name]) => [name, input[name] ?? null]));
}

function handleOf(endpoint: AnyEndpoint): Handle {
  const { id: _, version: __, ...fields } = shapeOf(endpoint.input);
  const table = anyTable(endpoint);
  if (endpoint.effect === 'add') return async ({ db }, input) => (await added(db, table, input as never)).id;
  if (endpoint.effect === 'update')
    return async ({ db }, { id, version, ...input }) =>
      (await changed(db, table, { id, version }, whole(fields, input))).id;
  if (endpoint.effect !== 'delete') return listing(endpoint);
  return async ({ db }, { id }) => {
    await removed(db, table, id);
    return true;
  };
}

/** The handlers of all calls that name their `rows`. */
export const plainRows = Object.fromEntries(
  Object.entries<AnyEndpoint>(contract)
    .filter(([, { rows }]) => rows !== undefined)
    .map(([name, endpoint]) => [name, handleOf(endpoint)]),
) as unknown as { readonly [N in PlainName]: Handler<N> };
