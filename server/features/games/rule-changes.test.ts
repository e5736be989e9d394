import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addGamePreset, type Game, listGames, updateGame } from '#contract/games.ts';
import { addPlayWay, pagePlayWays } from '#contract/play-ways.ts';
import type { ResultRule } from '#contract/result-rules.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const preset = async (key: string, name: string) =>
  given((await admin.call(addGamePreset, { key, name })).envelope.data);
const gameOf = async (id: number): Promise<Game> =>
  given((await admin.call(listGames, {})).envelope.data?.find((game) => game.id === id));

/** What another rule is refused with at its field; or the answer's sentence. */
async function changed(id: number, change: (rule: ResultRule) => ResultRule, more: object = {}) {
  const { name, categoryId, openRate, stopBetSecond, resultRule } = await gameOf(id);
  const next = change(given(resultRule));
  const {
    msg,
    data: answer,
    success,
  } = (
    await admin.call(updateGame, { id, name, categoryId, openRate, stopBetSecond, resultRule: next, ...more })
  ).envelope;
  if (success) return msg;
  const data: unknown = answer;
  // What is refused changes nothing.
  expect((await gameOf(id)).resultRule).toEqual(resultRule);
  return typeof data === 'object' && data !== null && 'errors' in data ? data.errors : msg;
}

const withPart = (
  rule: ResultRule,
  place: number,
  part: Partial<ResultRule['parts'][number]>,
): ResultRule => ({
  parts: rule.parts.map((each, at) => (at === place ? { ...each, ...part } : each)),
});
const without = (number: string) => (rule: ResultRule) =>
  withPart(rule, 0, { of: rule.parts[0]?.of.filter((each) => each !== number) ?? [] });

it('a rule with fewer numbers names the latitude that would look beyond the result', async () => {
  const id = await preset('gd11x5', '改规则一');
  expect(await changed(id, (rule) => withPart(rule, 0, { count: 4 }))).toEqual({
    resultRule: expect.stringMatching(/^改后投注维度“.+”看第 5 个位置，而结果只有 4 个号码$/),
  });
});

it('a rule without a number names the play way on which it would be bet in vain, by its odds', async () => {
  const id = await preset('gd11x5', '改规则二');
  expect(await changed(id, without('11'))).toEqual({
    resultRule: expect.stringMatching(/^改后玩法“.+”不能再判定：11 再也不会中奖$/),
  });
});

it.each([
  ['gd11x5', '11', 'COMBINATION'],
  ['gd11x5', '11', 'PLACES'],
  ['cqssc', '9', 'GROUP'],
])(
  'without odds of single numbers the pools of selections tell: %s without %s, %s',
  async (key, number, kind) => {
    const id = await preset(key, `改规则 ${kind}`);
    await sql`delete from odds o using play_way p where p.id = o."playWayId" and p."gameId" = ${id}`.execute(
      server.db,
    );
    await sql`
    delete from play_way where "gameId" = ${id} and selection ->> 'kind' is distinct from ${kind}`.execute(
      server.db,
    );
    const named = await changed(id, without(number));
    expect(named).toEqual({
      resultRule: expect.stringMatching(new RegExp(`不能再判定：${number} 再也不会中奖$`)),
    });
    await sql`delete from play_way where "gameId" = ${id}`.execute(server.db);
    expect(await changed(id, without(number))).toBe('修改成功');
  },
);

it('the parts of a ticket are told apart: 16 is drawn among the red balls, and no more among the blue ones', async () => {
  const id = await preset('ssq', '改规则三');
  await sql`delete from play_way where "gameId" = ${id} and selection is null`.execute(server.db);
  const fewerBlue = (rule: ResultRule) => withPart(rule, 1, { of: rule.parts[1]?.of.slice(0, 15) ?? [] });
  expect(await changed(id, fewerBlue)).toEqual({
    resultRule: expect.stringMatching(/^改后玩法“.+”不能再判定：16 再也不会中奖$/),
  });
});

it('a selection over all positions must have as many places as the result has, now and while one is being added', async () => {
  const id = await preset('fc3d', '改规则四');
  const { data } = (await admin.call(pagePlayWays, { gameId: id, pageSize: 9999 })).envelope;
  const places = given(
    data?.data.find(({ selection }) => selection?.kind === 'PLACES' && selection.places === 3),
  );
  await sql`delete from play_way where "gameId" = ${id}`.execute(server.db);
  await sql`delete from bet_latitude where "gameId" = ${id} and id <> ${places.betLatitudeId}`.execute(
    server.db,
  );
  await sql`update bet_latitude set "resultIndex" = '*' where "gameId" = ${id}`.execute(server.db);
  const fewer = (rule: ResultRule) => withPart(rule, 0, { count: 2 });
  const { subCategoryId, betLatitudeId, selection } = places;
  const add = () =>
    admin.call(addPlayWay, { subCategoryId, betLatitudeId, name: '直选', selection: given(selection) });
  // Whoever adds meanwhile waits for the rule, and is told by the new one.
  const adding = await server.db.transaction().execute(async (tx) => {
    const rule = given((await gameOf(id)).resultRule);
    await sql`update game set "resultRule" = ${JSON.stringify(fewer(rule))}::jsonb where id = ${id}`.execute(
      tx,
    );
    const sent = add();
    await expect
      .poll(
        async () =>
          (
            await sql<{ n: number }>`
              select count(*)::int as n from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%for share%'`.execute(
              server.db,
            )
          ).rows[0]?.n,
        { timeout: 20_000 },
      )
      .toBe(1);
    return { sent };
  });
  expect((await adding.sent).envelope).toMatchObject({
    ...{ success: false, data: { errors: { selection: '选号方式的位数须与投注维度的 2 个位置一样多' } } },
  });
  expect(await changed(id, (rule) => withPart(rule, 0, { count: 3 }))).toBe('修改成功');
  expect((await add()).envelope.success).toBe(true);
  expect(await changed(id, fewer)).toEqual({
    resultRule: '改后玩法“直选”不能再判定：选号方式的位数须与投注维度的 2 个位置一样多',
  });
});

it('a rule that fits is taken: one with more numbers, none at all, and the same again', async () => {
  const id = await preset('marksix', '改规则五');
  expect(await changed(id, (rule) => rule)).toBe('修改成功');
  expect(await changed(id, (rule) => withPart(rule, 0, { of: [...(rule.parts[0]?.of ?? []), '50'] }))).toBe(
    '修改成功',
  );
  const { name, categoryId, openRate, stopBetSecond } = await gameOf(id);
  const none = { id, name, categoryId, openRate, stopBetSecond, resultRule: { parts: [] } };
  expect((await admin.call(updateGame, none)).envelope.msg).toBe('修改成功');
});
