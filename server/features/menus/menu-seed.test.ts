import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStanding } from '#server/access/access-events.ts';
import { type TestDatabase, testDatabase } from '#server/testing/test-database.ts';
import { expressionOfButton, seedMenus } from './menu-seed.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const menuAt = (path: string) =>
  database.db.selectFrom('menu').select(['id', 'urlExpression']).where('path', '=', path).executeTakeFirst();

/** Makes a button's menu one of a version before, with an expression of that time; an operator may have put another in its place. */
async function outdate(code: string, urlExpression = '/of/before'): Promise<void> {
  const { db } = database;
  const id = (await menuAt(code))?.id;
  await db.updateTable('menu').set({ urlExpression }).where('path', '=', code).execute();
  await db
    .updateTable('seed_row')
    .set({ value: JSON.stringify({ id, expression: '/of/before' }) })
    .where('key', '=', `menu:button:${code}`)
    .execute();
}

it('a version’s expressions replace those of the version before, for everyone at once; what an operator edited or deleted stays so', async () => {
  const { db } = database;
  const [renewed, edited, deleted] = ['pms:role:add', 'pms:role:update', 'pms:role:delete'] as const;
  await outdate(renewed);
  await outdate(edited, '/of/an/operator');
  await db.deleteFrom('menu').where('path', '=', deleted).execute();
  const { epoch } = await readStanding(db, -1);
  await seedMenus(db);
  expect((await menuAt(renewed))?.urlExpression).toBe(expressionOfButton(renewed));
  expect((await menuAt(edited))?.urlExpression).toBe('/of/an/operator');
  expect(await menuAt(deleted)).toBeUndefined();
  const after = await readStanding(db, epoch);
  expect(after).toMatchObject({ epoch: epoch + 1, touched: 'everyone' });
  await seedMenus(db);
  expect((await readStanding(db, after.epoch)).epoch).toBe(after.epoch);
});
