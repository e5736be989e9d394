import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageGames } from '#contract/games.ts';
import { addOperator, bindOperatorRoles, listOperators } from '#contract/operators.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { addRole } from '#contract/roles.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('finds play ways by their category, the one above it, and their latitude', async () => {
  const admin = await server.admin();
  await buildPlayWay(admin, ['1', '2']);
  const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2']);
  const find = async (filter: object) => given((await admin.call(pagePlayWays, filter)).envelope.data);
  const { data } = await find({ gameId });
  const { categoryId, subCategoryId, betLatitudeId } = given(data[0]);
  for (const filter of [{ categoryId }, { categoryId: subCategoryId }, { betLatitudeId }]) {
    const found = await find(filter);
    expect(found.data.map(({ id }) => id)).toEqual([playWayId]);
    expect(found.totalCount).toBe(1);
  }
  expect((await find({ categoryId, betLatitudeId: betLatitudeId + 1_000 })).totalCount).toBe(0);
});

it('finds games by their category', async () => {
  const admin = await server.admin();
  const { gameId } = await buildPlayWay(admin, ['1', '2']);
  const all = given((await admin.call(pageGames, {})).envelope.data).data;
  const { categoryId } = given(all.find(({ id }) => id === gameId));
  const found = given((await admin.call(pageGames, { categoryId })).envelope.data);
  expect(found.data.map(({ id }) => id)).toEqual([gameId]);
});

it('finds operators by a role', async () => {
  const admin = await server.admin();
  const roleId = given((await admin.call(addRole, { desc: '值班', name: 'on-duty' })).envelope.data);
  const operator = { userName: 'on-duty-one', password: 'Long-enough-password-1' };
  const oid = given((await admin.call(addOperator, operator)).envelope.data);
  const find = async () => (await admin.call(listOperators, { roleId })).envelope.data?.map(({ id }) => id);
  expect(await find()).toEqual([]);
  await admin.call(bindOperatorRoles, { oid, roleIds: [roleId], seen: [] });
  expect(await find()).toEqual([oid]);
});
