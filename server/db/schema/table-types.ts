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
  const line = `  ${column.name}: ${open}${values.join(' | ')}${close};\n`;
  if (line.length <= WIDTH + 1) return line;
  const indent = ' '.repeat(4);
  const list = values.map((value) => `${indent}| ${value}`).join('\n');
  return wrapper ? `  ${column.name}: ${open}\n${list}\n  ${close};\n` : `  ${column.name}:\n${list};\n`;
}

const commentOf = ({ comment }: Table): string =>
  comment ? `/** ${comment.replaceAll('\n', '\n * ')} */\n` : '';

const nameOf = ({ name }: Table): string =>
  `${name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`;

const fileOf = ({ name }: Table): string => `${name.replaceAll('_', '-')}.ts`;

/** What the columns' types are called, and where from. */
const imported = [
  { names: ['GeneratedAlways'], from: 'kysely' },
  { names: ['Defaulted', 'Json', 'Moment'], from: '../columns.ts' },
];

const importsOf = (text: string): string =>
  imported
    .map(({ names, from }) => ({
      from,
      used: names.filter((name) => new RegExp(`\\b${name}\\b`).test(text)),
    }))
    .filter(({ used }) => used.length > 0)
    .map(({ used, from }) => `import type { ${used.join(', ')} } from '${from}';\n`)
    .join('');

const HEAD = '// Made from the migrated database by `npm run schema`, never by hand.';

function tableFile(table: Table): string {
  const columns = table.columns.map((column) => propertyOf(column, table)).join('');
  const imports = importsOf(columns);
  return `${HEAD}\n${imports}${imports && '\n'}${commentOf(table)}export interface ${nameOf(table)} {\n${columns}}\n`;
}

const indexFile = (
  tables: readonly Table[],
): string => `${HEAD} What is narrower than its column stands in narrower.ts.
${tables.map((table) => `import type { ${nameOf(table)} } from './${fileOf(table)}';\n`).join('')}
/** Every table as the database has it. */
export interface StoredTables {
${tables.map((table) => `  ${table.name}: ${nameOf(table)};\n`).join('')}}
`;

/** The TypeScript files of table types, by name: one a table, columns in their order, and one that names them all. */
export function tableTypes({ tables }: Catalog): ReadonlyMap<string, string> {
  const sorted = tables.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return new Map([
    ['index.ts', indexFile(sorted)],
    ...sorted.map((table) => [fileOf(table), tableFile(table)] as const),
  ]);
}
