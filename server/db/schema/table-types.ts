import type { Catalog, Column, Constraint, Table } from './catalog.ts';

/** How values of these types travel: see `columnTypes`. */
const types: Readonly<Record<string, string>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  numeric: 'string',
  text: 'string',
  uuid: 'string',
  date: 'string',
  'time without time zone': 'string',
  'timestamp with time zone': 'Moment',
  boolean: 'boolean',
  bytea: 'Buffer',
  jsonb: 'Json',
};

const LIST_OF_TEXTS = /^CHECK \("?\w+"? = ANY \(ARRAY\[('[^']*'::text(?:, '[^']*'::text)*)\]\)\)$/;

/** The only texts that a check constraint lets into a column. */
function textsOf({ name }: Column, constraints: readonly Constraint[]): string[] | undefined {
  const own = constraints.filter(
    ({ kind, columns }) => kind === 'c' && columns.length === 1 && columns[0] === name,
  );
  const list = own.flatMap(({ definition }) => LIST_OF_TEXTS.exec(definition)?.[1] ?? [])[0];
  return list?.split(', ').map((text) => text.replace('::text', ''));
}

function valuesOf(column: Column, table: Table): string[] {
  const [, item = '', brackets = ''] =
    /^(.*?)((?:\[\])?)$/.exec(column.type.replace(/\(\d+(,\d+)?\)/, '')) ?? [];
  const type = types[item];
  if (!type) throw new Error(`${table.name}."${column.name}": no value is known for the type ${column.type}`);
  const values = textsOf(column, table.constraints) ?? [`${type}${brackets}`];
  return column.notNull ? values : [...values, 'null'];
}

/** Whether the database fills the column: always, or unless a value is given. */
function wrapperOf({ identity, stored, expression }: Column): string | undefined {
  if (identity === 'a' || stored) return 'GeneratedAlways';
  return identity === 'd' || expression !== null ? 'Defaulted' : undefined;
}

const WIDTH = 110;

/** One property, as the formatter would write it. */
function propertyOf(column: Column, table: Table): string {
  const values = valuesOf(column, table);
  const wrapper = wrapperOf(column);
  const [open, close] = wrapper ? [`${wrapper}<`, '>'] : ['', ''];
  const line = `    ${column.name}: ${open}${values.join(' | ')}${close};\n`;
  if (line.length <= WIDTH + 1) return line;
  const indent = ' '.repeat(6);
  const list = values.map((value) => `${indent}| ${value}`).join('\n');
  return wrapper
    ? `    ${column.name}: ${open}\n${list}\n    ${close};\n`
    : `    ${column.name}:\n${list};\n`;
}

const commentOf = ({ comment }: Table): string =>
  comment ? `  /** ${comment.replaceAll('\n', '\n   * ')} */\n` : '';

const tableOf = (table: Table): string =>
  `${commentOf(table)}  ${table.name}: {\n${table.columns.map((column) => propertyOf(column, table)).join('')}  };\n`;

/** The TypeScript file of table types: tables by name, columns in their order. */
export function tableTypes({ tables }: Catalog): string {
  const sorted = tables.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return `// Made from the migrated database by \`npm run schema\`, never by hand. What is narrower than its column stands in narrower.ts.
import type { GeneratedAlways } from 'kysely';
import type { Defaulted, Json, Moment } from './columns.ts';

/** Every table as the database has it. */
export interface StoredTables {
${sorted.map(tableOf).join('')}}
`;
}
