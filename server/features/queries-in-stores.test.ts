import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const handlers = globSync(fileURLToPath(new URL('*/*-handlers.ts', import.meta.url)));

/** A query of the builder, or one of SQL that names what its rows hold; a transaction around calls is none. */
const QUERY =
  /\.(?:selectFrom|insertInto|updateTable|deleteFrom|selectNoFrom|executeQuery)\(|\bsql<|\bsql`[^`]*`\s*\.execute\(/;

it('handlers ask stores, and write no query of their own', () => {
  expect(handlers.length).toBeGreaterThan(50);
  const asking = handlers.filter((path) => QUERY.test(readFileSync(path, 'utf8')));
  expect(asking.map((path) => basename(path))).toEqual([]);
});
