import { readFileSync } from 'node:fs';
import type { Catalog } from './catalog.ts';
import { schemaSql } from './schema-sql.ts';
import { tableTypes } from './table-types.ts';

interface SchemaFile {
  readonly name: string;
  readonly file: URL;
  /** What it should say. */
  readonly text: string;
}

const schemaFile = (name: string, text: string): SchemaFile => ({
  name,
  file: new URL(`../${name}`, import.meta.url),
  text,
});

/** The files that say the schema. */
export const schemaFiles = (catalog: Catalog): SchemaFile[] => [
  schemaFile('tables.ts', tableTypes(catalog)),
  schemaFile('schema.sql', schemaSql(catalog)),
];

/** What is wrong with them, a sentence each, with the command that mends it. */
export const staleFiles = (catalog: Catalog): string[] =>
  schemaFiles(catalog)
    .filter(({ file, text }) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== text)
    .map(({ name }) => `server/db/${name} is not what the migrations make: run \`npm run schema\``);
