import { afterAll, beforeAll, expect, it } from 'vitest';
import { addGamePreset, listGames, updateGame } from '#contract/games.ts';
import type { ResultPart } from '#contract/result-rules.ts';
import { addSpider, pageSpiders, updateSpider } from '#contract/spiders.ts';
import { randomFrom } from '#server/testing/chosen-selections.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { playOf } from '../bets/play.ts';
import { drawnNumbers } from '../draw-plans/commitment.ts';
import { fitsRule } from '../draw-records/same-result.ts';
import type { Preset } from './preset.ts';
import { presets } from './registry.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const random = randomFrom(randomSeed);
const seed = (): string =>
  Array.from({ length: 32 }, () => random(256).toString(16).padStart(2, '0')).join('');

/** The local draws of a game that has only one drum. */
function drawsOf({ resultRule: { parts } }: Preset) {
  const [{ count = 1, of = [], repeat = false } = {}] = parts;
  return { count, pool: [...of], repeat };
}

const spider = (gameId: number, draws: object) => ({
  ...{ gameId, name: `本地 ${random(1e9)}`, spiderServiceName: 'LocalDrawSpider' },
  options: JSON.stringify(draws),
});
const message = ({ msg, data }: { msg: string | null; data: unknown }) =>
  typeof data === 'object' && data !== null && 'errors' in data ? data.errors : msg;

it.each(presets)(
  'what $name draws by itself is a result of it, read by each of its latitudes',
  async (preset) => {
    const { data: gameId = 0 } = (await admin.call(addGamePreset, { key: preset.key })).envelope;
    const draws = drawsOf(preset);
    const added = await admin.call(addSpider, spider(gameId ?? 0, draws));
    if (preset.resultRule.parts.length > 1) {
      expect(message(added.envelope)).toEqual({
        options: '本地开奖只从一组号码中开出，不能用于结果由几部分组成的游戏',
      });
      return;
    }
    expect(added.envelope.success).toBe(true);
    const playWays = preset
      .categories('2026-01-01')
      .flatMap(({ subCategories }) => subCategories.flatMap((sub) => sub.playWays));
    const plays = playWays.map(({ latitude, selection = null, odds, oddsFrom = 'NUMBER' }) =>
      playOf({
        latitude: {
          ...latitude,
          handlerOptions: latitude.handlerOptions && JSON.stringify(latitude.handlerOptions),
        },
        rows: odds.flatMap(([numbers, each]) => numbers.map((number) => ({ number, odds: each }))),
        ...{ selection, oddsFrom, resultRule: preset.resultRule },
      }),
    );
    for (let draw = 0; draw < 100; draw++) {
      const result = drawnNumbers({ rules: draws, seed: seed() }).join(',');
      expect(fitsRule(result, preset.resultRule), result).toBe(true);
      for (const play of plays) play.read(result, '2026-01-01 21:30:00');
    }
  },
);

it('local draws that might be no result of their game are refused, and so is a rule that they might break', async () => {
  const { data: gameId } = (await admin.call(addGamePreset, { key: 'jsk3', name: '自开快3' })).envelope;
  const dice = { count: 3, pool: ['1', '2', '3', '4', '5', '6'], repeat: true };
  const add = async (draws: object) =>
    message((await admin.call(addSpider, spider(gameId ?? 0, draws))).envelope);
  expect(await add({ ...dice, count: 4 })).toEqual({
    options: '本地开奖开出 4 个号码，游戏的开奖结果是 3 个',
  });
  expect(await add({ ...dice, pool: [...dice.pool, '7'] })).toEqual({
    options: '本地开奖的号码 7 不在游戏的开奖结果之内',
  });
  expect(await add(dice)).toBe('新增成功');
  const made = (await admin.call(pageSpiders, { gameId: gameId ?? 0 })).envelope.data?.data[0];
  const change = { id: made?.id ?? 0, ...spider(gameId ?? 0, { ...dice, count: 2 }) };
  expect(message((await admin.call(updateSpider, change)).envelope)).toMatchObject({
    options: expect.stringContaining('开出 2 个'),
  });
  const game = (await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === gameId);
  const { name = '', categoryId = 0, openRate = 0, stopBetSecond = 0 } = game ?? {};
  const fields = { id: gameId ?? 0, name, categoryId, openRate, stopBetSecond };
  const part = { count: 3, of: dice.pool, repeat: false, ordered: true };
  const rule = async (parts: ResultPart[]) =>
    message((await admin.call(updateGame, { ...fields, resultRule: { parts } })).envelope);
  expect(await rule([part])).toEqual({
    resultRule: '本地开奖的号码可重复，游戏的开奖结果不可重复',
  });
  expect(await rule([{ ...part, repeat: true, ordered: false }])).toBe('修改成功');
  expect(await rule([])).toBe('修改成功');
  expect(await add({ ...dice, count: 4 })).toBe('新增成功');
});
