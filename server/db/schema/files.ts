import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Catalog } from './catalog.ts';
import { schemaSql } from './schema-sql.ts';
import { tableTypes } from './table-types.ts';

const folder = new URL('..', import.meta.url);
const TABLES = 'tables/';
const tables = new URL(TABLES, folder);

/** What the files that say the schema should say, by name. */
const schemaFiles = (catalog: Catalog): ReadonlyMap<string, string> =>
  new Map([
    ...[...tableTypes(catalog)].map(([name, text]) => [TABLES + name, text] as const),
    ['schema.sql', schemaSql(catalog)],
  ]);

/** The file of a table that is no more, or whose file is yet to be written, is as wrong as one that says something else. */
const namesOfAll = (wanted: ReadonlyMap<string, string>): Set<string> =>
  new Set([
    ...wanted.keys(),
    ...(existsSync(tables) ? readdirSync(tables).map((name) => TABLES + name) : []),
  ]);

function textOf(name: string): string | undefined {
  const file = new URL(name, folder);
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : undefined;
}

function staleNames(wanted: ReadonlyMap<string, string>): string[] {
  return [...namesOfAll(wanted)].filter((name) => textOf(name) !== wanted.get(name));
}

/** What is wrong with them, a sentence each, with the command that mends it. */
export const staleFiles = (catalog: Catalog): string[] =>
  staleNames(schemaFiles(catalog)).map(
    (name) => `server/db/${name} is not what the migrations make: run \`npm run schema\``,
  );

/** Writes anew what is stale. */
export function writeSchemaFiles(catalog: Catalog): void {
  const wanted = schemaFiles(catalog);
  mkdirSync(tables, { recursive: true });
  for (const name of staleNames(wanted)) {
    const text = wanted.get(name);
    if (text === undefined) rmSync(new URL(name, folder));
    else writeFileSync(new URL(name, folder), text);
  }
}
