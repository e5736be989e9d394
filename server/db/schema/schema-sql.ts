import type { Catalog, Column, Constraint, Routine, RowType, Table } from './catalog.ts';
import { functionMeanings } from './function-meanings.ts';

/** PostgreSQL's own spelling as one would write it: no capitals, no casts that say nothing, short names of types. */
const plain = (sql: string): string =>
  sql
    .split(/('(?:[^']|'')*'|"(?:[^"]|"")*")/)
    .map((part, place) =>
      place % 2 === 0 ? part.replace(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase()) : part,
    )
    .join('')
    .replaceAll(/('(?:[^']|'')*')::text\b(?!\[)/g, '$1')
    .replaceAll(/\b(\d+)::numeric\b/g, '$1')
    .replaceAll(
      /array\[((?:\d+::smallint(?:, )?)+)\]/g,
      (_, items: string) => `array[${items.replaceAll('::smallint', '')}]::smallint[]`,
    )
    .replaceAll(/= any \(array\[([^\]]*)\]\)/g, 'in ($1)')
    .replaceAll(/(\S+) >= (\d+) and \1 <= (\d+)/g, '$1 between $2 and $3')
    .replaceAll(' using btree', '')
    .replaceAll('timestamp with time zone', 'timestamptz')
    .replaceAll(' without time zone', '')
    .replaceAll(/\s*\n\s*/g, ' ');

const quoted = (name: string): string => (/^[a-z][a-z0-9_]*$/.test(name) ? name : `"${name}"`);

const remark = (comment: string | null | undefined, indent = ''): string =>
  comment ? `${indent}-- ${comment.replaceAll('\n', `\n${indent}-- `)}\n` : '';

/** The name that PostgreSQL gives a constraint by itself. */
function usualName(table: Table, { kind, columns }: Constraint): string {
  const endings: Readonly<Record<string, string>> = { p: 'pkey', u: 'key', f: 'fkey', c: 'check', x: 'excl' };
  const named = kind === 'p' || (kind === 'c' && columns.length !== 1) ? [] : columns;
  return [table.name, ...named, endings[kind]].join('_');
}

const nameOf = (table: Table, constraint: Constraint): string =>
  constraint.name === usualName(table, constraint) ? '' : `constraint ${quoted(constraint.name)} `;

/** What is said beside the column itself: keys, references and checks of it alone. */
function besideColumn(table: Table, { kind, columns, definition, ...rest }: Constraint): string {
  const constraint = { kind, columns, definition, ...rest };
  const name = nameOf(table, constraint);
  const said = plain(definition);
  if (kind === 'f') {
    const short = said.replace(/^foreign key \(.*?\) /, '').replace(/^(references \w+)\(id\)/, '$1');
    return ` ${name}${short}`;
  }
  return ` ${name}${kind === 'c' ? said : said.replace(/ \(.*\)$/, '')}`;
}

const isBeside = ({ kind, columns }: Constraint): boolean => kind !== 'x' && columns.length === 1;

function generation({ identity, stored, expression }: Column): string {
  if (identity) return ` generated ${identity === 'a' ? 'always' : 'by default'} as identity`;
  if (expression === null) return '';
  return stored ? ` generated always as (${plain(expression)}) stored` : ` default ${plain(expression)}`;
}

function columnLine(table: Table, column: Column): string {
  const own = table.constraints.filter((one) => isBeside(one) && one.columns[0] === column.name);
  const implied = column.identity !== '' || own.some(({ kind }) => kind === 'p');
  const parts = [
    `${column.quoted} ${plain(column.type)}`,
    column.notNull && !implied ? ' not null' : '',
    generation(column),
    ...own.map((constraint) => besideColumn(table, constraint)),
  ];
  return parts.join('');
}

const WIDTH = 120;
const broken = (statement: string, ...words: string[]): string =>
  words.reduce(
    (text, word) =>
      (text.split('\n').at(-1) ?? '').length > WIDTH ? text.replace(word, `\n ${word}`) : text,
    statement,
  );

function tableText(table: Table): string {
  const lines = [
    ...table.columns.map((column) => [remark(column.comment, '  '), columnLine(table, column)]),
    ...table.constraints
      .filter((one) => !isBeside(one))
      .map((one) => ['', `${nameOf(table, one)}${plain(one.definition)}`]),
  ];
  const body = lines.map(([before, line]) => `${before}  ${line}`).join(',\n');
  const options =
    table.options.length > 0 ? ` with (${table.options.join(', ').replaceAll('=', ' = ')})` : '';
  const name = quoted(table.name);
  return [
    `${remark(table.comment)}create ${table.unlogged ? 'unlogged ' : ''}table ${name} (\n${body}\n)${options};`,
    ...table.indexes.map((index) => `${broken(plain(index), ' where ', ' include ')};`),
    ...table.triggers.map(
      (trigger) => `${broken(plain(trigger), ' referencing ', ' for each ', ' execute ')};`,
    ),
    ...(table.denied.length > 0
      ? [`revoke ${table.denied.join(', ').toLowerCase()} on ${name} from public, current_user;`]
      : []),
  ].join('\n');
}

const typeText = ({ name, comment, columns }: RowType): string =>
  `${remark(comment)}create type ${name} as (\n  ${columns.map(plain).join(',\n  ')}\n);`;

function routineText(routine: Routine): string {
  const { comment, name, language, traits, body, parsed } = routine;
  const head = `create function ${plain(routine.arguments)} returns ${plain(routine.result)}`;
  const traited = [`language ${language}`, ...traits].join(' ');
  const text = parsed ? `\n  ${plain(body)}` : ` as $$${body}$$`;
  const denied = routine.isPublic ? '' : `\nrevoke execute on function ${name} from public;`;
  const told = comment ?? functionMeanings[name.replace(/\(.*/, '')];
  return `${remark(told)}${head} ${traited}${text};${denied}`;
}

/** Every table after those it refers to, every function before the first table or function that calls it. */
function inOrder({ tables, routines }: Catalog): string[] {
  const said = new Set<string>();
  const parts: string[] = [];
  const sayRoutine = (name: string): void => {
    const routine = routines.find((one) => one.name === name);
    if (!routine || said.has(name)) return;
    said.add(name);
    routine.functions.forEach(sayRoutine);
    parts.push(routineText(routine));
  };
  const sayTable = (table: Table): void => {
    if (said.has(table.name)) return;
    said.add(table.name);
    for (const other of tables) if (table.tables.includes(other.name)) sayTable(other);
    table.functions.forEach(sayRoutine);
    parts.push(tableText(table));
  };
  tables.forEach(sayTable);
  for (const { name } of routines) sayRoutine(name);
  return parts;
}

/** The whole schema as an engineer would have written it: run on an empty database, it makes what the migrations make. */
export const schemaSql = (
  catalog: Catalog,
): string => `-- The schema as all migrations leave it, to be read instead of them. Made by \`npm run schema\`, never by hand.

${catalog.extensions.map((name) => `create extension ${name};\n`).join('')}-- Functions may name tables that come after them.
set check_function_bodies = off;

${[...catalog.types.map(typeText), ...inOrder(catalog)].join('\n\n')}
`;
