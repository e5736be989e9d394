import { expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { testDatabase } from '#server/testing/test-database.ts';

const plain = Object.entries<AnyEndpoint>(contract).filter(([, { rows }]) => rows !== undefined);

it('are of tables that have every field as a column', async () => {
  const database = await testDatabase();
  try {
    const tables = await database.db.introspection.getTables();
    expect(plain.length).toBeGreaterThan(8);
    for (const [name, { rows, kind, input, output }] of plain) {
      const columns = tables.find((table) => table.name === rows)?.columns.map((column) => column.name);
      const wanted = kind === 'query' ? rowSchemaOf(output) : input;
      expect(columns, name).toEqual(expect.arrayContaining(Object.keys(shapeOf(wanted))));
    }
  } finally {
    await database.drop();
  }
});
