import { afterAll, expect, it } from 'vitest';
import { updateBetLatitude } from '#contract/bet-latitudes.ts';
import { listGameNumbersByGame, updateGameNumber } from '#contract/game-numbers.ts';
import { addGamePreset, type Game, listGames, updateGame } from '#contract/games.ts';
import { addOdds, deleteOdds, setOdds, updateOdds } from '#contract/odds.ts';
import { addPlayWay, pagePlayWays, updatePlayWay } from '#contract/play-ways.ts';
import { startApproving, waiting } from '#server/testing/approving.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { given } from '#server/testing/given.ts';

const { server, admin, release, whyOf } = await startApproving();
afterAll(() => server.close());

const playWaysOf = async (gameId: number) =>
  (await admin.call(pagePlayWays, { gameId, pageSize: 9999 })).envelope.data?.data ?? [];
const oddsOf = async (gameId: number) => (await playWaysOf(gameId)).flatMap(({ odds }) => odds);
const gameOf = async (gameId: number): Promise<Game> =>
  given((await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === gameId));
async function setRule(gameId: number, of: readonly string[]) {
  const { id, version, name, categoryId, openRate, stopBetSecond } = await gameOf(gameId);
  const parts = of.length === 0 ? [] : [{ count: 1, of: [...of], repeat: false, ordered: true }];
  const edit = { id, version, name, categoryId, openRate, stopBetSecond };
  return admin.call(updateGame, { ...edit, resultRule: { parts } });
}

/** A play way on some numbers, all of which have these odds. */
async function withOdds(numbers: readonly string[], odds: string) {
  const built = await buildPlayWay(admin, numbers);
  const { data } = (await admin.call(listGameNumbersByGame, { id: built.gameId })).envelope;
  const numberIds = given(data ?? undefined).map(({ id }) => id);
  if (numbers.length > 1) await admin.call(addOdds, { playWayId: built.playWayId, numberIds, odds });
  return { ...built, numberIds };
}
/** The same where nobody says what a result is, once that was agreed on. */
async function withoutRule(numbers: readonly string[], odds: string) {
  const built = await withOdds(numbers, odds);
  expect((await release(waiting(await setRule(built.gameId, [])))).success).toBe(true);
  return built;
}

it('odds of which the chance was taken away do not become any odds: each step waits', async () => {
  const { gameId } = await withOdds(['1', '2', '3'], '2.7');
  const [one, ...others] = await oddsOf(gameId);
  for (const { id } of others) await admin.call(deleteOdds, { id });
  const rule = waiting(await setRule(gameId, []));
  expect(await whyOf(rule)).toBe('玩法“猜号”的“1”赔率 2.7，无法计算返还率');
  expect((await gameOf(gameId)).resultRule?.parts).toHaveLength(1);
  expect((await release(rule)).success).toBe(true);
  const raise = waiting(await admin.call(updateOdds, { id: given(one).id, odds: '1000' }));
  expect(await whyOf(raise)).toBe('玩法“猜号”的“1”赔率 1000，无法计算返还率');
  expect((await oddsOf(gameId)).map(({ odds }) => odds)).toEqual(['2.7']);
  expect((await release(raise)).success).toBe(true);
  expect((await oddsOf(gameId)).map(({ odds }) => odds)).toEqual(['1000']);
});

it('a rule is taken away at once where no odds go by it, and given at once where there was none', async () => {
  const { gameId } = await buildPlayWay(admin, ['1', '2', '3']);
  expect((await setRule(gameId, [])).envelope.data).toBe(gameId);
  expect((await setRule(gameId, ['1', '2', '3'])).envelope.data).toBe(gameId);
});

it('a complete set does not tell of one of its numbers: lowered ones let another be raised by two only', async () => {
  const { gameId, playWayId, numberIds } = await withoutRule(['1', '2', '3'], '2.7');
  const set = (odds: readonly string[], seen: readonly string[]) =>
    admin.call(setOdds, {
      playWayId,
      rows: numberIds.map((numberId, place) => ({
        ...{ numberId, odds: odds[place] ?? '', seen: seen[place] },
      })),
    });
  const lowered = ['2.7', '1.01', '1.01'];
  expect((await set(lowered, ['2.7', '2.7', '2.7'])).envelope.data).toBe(2);
  const id = waiting(await set(['1000', '1.01', '1.01'], lowered));
  expect(await whyOf(id)).toBe('玩法“猜号”的“1”赔率 1000，无法计算返还率');
  const short = waiting(await set(['500', '500.5', '500'], lowered));
  expect(await whyOf(short)).toBe(
    '3 个赔率无法计算返还率，最高的是玩法“猜号”的“2”：赔率 500.5；玩法“猜号”的赔率倒数和 0.0059，低于 1',
  );
  expect((await oddsOf(gameId)).map(({ odds }) => odds)).toEqual(lowered);
});

it('where no chance can be told odds are added, and numbers renamed, by two', async () => {
  const { gameId, playWayId, numberIds } = await withoutRule(['1', '2', '3'], '1.4');
  const [row] = await oddsOf(gameId);
  await admin.call(deleteOdds, { id: given(row).id });
  waiting(await admin.call(addOdds, { playWayId, numberIds: numberIds.slice(0, 1), odds: '1.5' }));
  const renamed = { id: given(numberIds[1]), number: '7' };
  expect(await whyOf(waiting(await admin.call(updateGameNumber, renamed)))).toBe(
    '玩法“猜号”的“7”赔率 1.4，无法计算返还率',
  );
  expect((await admin.call(updateGameNumber, { id: given(numberIds[0]), number: '8' })).envelope.data).toBe(
    numberIds[0],
  );
});

it('what is paid by outcome waits alike, and another name of the play way does not', async () => {
  const { gameId } = await withoutRule(['1', '2', '3'], '2.7');
  const { subCategoryId, betLatitudeId } = given((await playWaysOf(gameId))[0]);
  const selection = { kind: 'PLACES' as const, places: 1, of: ['1', '2', '3'] };
  const straight = (odds: string, name = '直选') => ({ betLatitudeId, name, outcomes: [{ name, odds }] });
  const added = waiting(await admin.call(addPlayWay, { ...straight('2'), subCategoryId, selection }));
  expect(await whyOf(added)).toBe('玩法“直选”的“直选”赔率 2，无法计算返还率');
  const id = Number((await release(added)).data);
  expect((await admin.call(updatePlayWay, { id, ...straight('1.9') })).envelope.data).toBe(id);
  expect((await admin.call(updatePlayWay, { id, ...straight('1.9', '直选二') })).envelope.data).toBe(id);
  const raised = waiting(await admin.call(updatePlayWay, { id, ...straight('2.1', '直选三') }));
  expect(await whyOf(raised)).toBe('玩法“直选三”的“直选三”赔率 2.1，无法计算返还率');
});

it('another reading of results waits where nobody can tell what comes of it', async () => {
  const { gameId } = await withoutRule(['1', '2', '3'], '2.7');
  const id = given((await playWaysOf(gameId))[0]).betLatitudeId;
  const reading = { name: '号码', resultHandlerName: 'ValueHandler', resultIndex: '7' };
  const why = await whyOf(waiting(await admin.call(updateBetLatitude, { id, ...reading })));
  expect(why).toMatch(/^3 个赔率无法计算返还率/);
});

it('of several odds above 1 the highest is named, and how many there are', async () => {
  const { playWayId, numberIds } = await withOdds(['1', '2', '3'], '2.7');
  const odds = ['3.0102', '900', '2.7'];
  const rows = numberIds.map((numberId, place) => ({ numberId, odds: odds[place] ?? '', seen: '2.7' }));
  expect(await whyOf(waiting(await admin.call(setOdds, { playWayId, rows })))).toBe(
    '2 个赔率的返还率高于 1，最高的是玩法“猜号”的“2”：300',
  );
});

it('the odds of every preset are told, so that none of them has to wait when it is raised a little', async () => {
  const gameId = given((await admin.call(addGamePreset, { key: 'marksix', name: '六合彩二' })).envelope.data);
  if (typeof gameId !== 'number') throw new Error('not added');
  const ties = given((await playWaysOf(gameId)).find(({ name }) => name === '二连尾'));
  expect(ties.odds.some(({ returnRate }) => returnRate === null)).toBe(true);
  for (const { id, odds } of ties.odds)
    expect((await admin.call(updateOdds, { id, odds: `${odds}01`.slice(0, 6) })).envelope.data).toBe(true);
});
