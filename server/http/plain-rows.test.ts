import { expect, it } from 'vitest';
import { contract } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { rowSchemaOf, shapeOf } from '#contract/row-schema.ts';
import { registry } from '#server/features/registry.ts';
import { testDatabase } from '#server/testing/test-database.ts';
import { plainRows } from './plain-rows.ts';

const plain = Object.entries<AnyEndpoint>(contract).filter(([, { rows }]) => rows !== undefined);

it('are of tables that have every field as a column', async () => {
  const database = await testDatabase();
  try {
    const tables = await database.db.introspection.getTables();
    expect(plain.length).toBeGreaterThan(8);
    for (const [name, { rows, kind, input, output }] of plain) {
      const columns = tables.find((table) => table.name === rows)?.columns.map((column) => column.name);
      const { currentPage: _, pageSize: __, sort: ___, ...fields } = shapeOf(input);
      const wanted = kind === 'query' ? { ...shapeOf(rowSchemaOf(output)), ...fields } : fields;
      expect(columns, name).toEqual(expect.arrayContaining(Object.keys(wanted)));
    }
  } finally {
    await database.drop();
  }
});

it('have no handler of their own', () => {
  expect(
    Object.entries(plainRows).filter(([name, handler]) => Reflect.get(registry, name) !== handler),
  ).toEqual([]);
});
