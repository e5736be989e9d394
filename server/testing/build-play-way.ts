import { addBetLatitude } from '#contract/bet-latitudes.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { addGameCategory } from '#contract/game-categories.ts';
import { addGame } from '#contract/games.ts';
import { addPlayWayCategory } from '#contract/play-way-categories.ts';
import { addPlayWaySubCategory } from '#contract/play-way-sub-categories.ts';
import { addPlayWay } from '#contract/play-ways.ts';
import type { TestClient } from './test-client.ts';

/** A game with these numbers, of which one is drawn, and a play way of betting on it, without odds yet. */
export async function buildPlayWay(client: TestClient, numbers: readonly string[]) {
  const made = async <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>): Promise<number> => {
    const { data, msg } = (await client.call(endpoint, input)).envelope;
    if (typeof data !== 'number') throw new Error(`${endpoint.path}: ${msg}`);
    return data;
  };
  const name = `彩种 ${Date.now().toString(36)}${Math.floor(Math.random() * 1e6)}`;
  const categoryId = await made(addGameCategory, { name });
  const gameId = await made(addGame, {
    ...{ name, categoryId, openRate: 300, stopBetSecond: 30 },
    numbers: numbers.map((number) => ({ number })),
    resultRule: { parts: [{ count: 1, of: [...numbers], repeat: false, ordered: true }] },
  });
  const latitude = { gameId, name: '号码', resultIndex: '0', resultHandlerName: 'ValueHandler' };
  const betLatitudeId = await made(addBetLatitude, latitude);
  const parentCategoryId = await made(addPlayWayCategory, { gameId, name: '号码' });
  const subCategory = { parentCategoryId, name: '单号', countOfRows: 10 };
  const subCategoryId = await made(addPlayWaySubCategory, subCategory);
  const playWay = { subCategoryId, betLatitudeId, name: '猜号', showRate: '1.87' };
  return { name, gameId, playWayId: await made(addPlayWay, playWay) };
}
