import { randomUUID } from 'node:crypto';
import { contract, type EndpointName } from '#contract/all.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { buildGame } from './build-game.ts';
import { buildUser } from './build-user.ts';
import type { TestClient } from './test-client.ts';

type Fields = Record<string, unknown>;

/** What a row of each editable noun may say, by the call that edits it; names are its own. */
type Samples = Readonly<Record<string, (name: string) => Fields | Promise<Fields>>>;

async function samplesFor(db: Db, admin: TestClient): Promise<Samples> {
  const { call } = admin;
  const gameId = await buildGame(db);
  const idOf = async (answer: Promise<{ envelope: { data: unknown } }>) =>
    Number((await answer).envelope.data);
  const categoryId = await idOf(call(contract.addNewsCategory, { name: '分类' }));
  const gameCategory = await idOf(call(contract.addGameCategory, { name: '分类' }));
  const parentCategoryId = await idOf(call(contract.addPlayWayCategory, { gameId, name: '上级' }));
  const subCategoryId = await idOf(call(contract.addPlayWaySubCategory, { parentCategoryId, name: '下级' }));
  const latitude = { resultIndex: '0', resultHandlerName: 'ValueHandler' };
  const betLatitudeId = await idOf(call(contract.addBetLatitude, { gameId, name: '维度', ...latitude }));
  const playWay = { subCategoryId, betLatitudeId, name: '玩法' };
  const playWayId = await idOf(call(contract.addPlayWay, playWay));
  const { userId } = await buildUser(db);
  // The first one is in use from the start, and so cannot be deleted.
  await call(contract.addMailConfig, { host: 'first.example.com', port: 25 });
  return {
    updateNewsCategory: (name) => ({ name }),
    updateNews: (title) => ({ title, categoryId, content: '内容', important: true }),
    updateGameCategory: (name) => ({ name, index: 3 }),
    updateGame: (name) => ({ name, categoryId: gameCategory, openRate: 300, stopBetSecond: 10 }),
    updateGameNumber: (name) => ({ gameId, number: name.slice(0, 30) }),
    updateBetLatitude: (name) => ({ gameId, name, ...latitude }),
    updatePlayWayCategory: (name) => ({ gameId, name }),
    updatePlayWaySubCategory: (name) => ({ parentCategoryId, name }),
    updatePlayWay: (name) => ({ subCategoryId, betLatitudeId, name }),
    updateOdds: async (name) => {
      const numberId = await idOf(call(contract.addGameNumber, { gameId, number: name.slice(0, 30) }));
      return { playWayId, numberIds: [numberId], odds: '3' };
    },
    updateSpider: (name) => ({ gameId, name, spiderServiceName: 'LocalDrawSpider', options: drawRules }),
    updateRole: (name) => ({ desc: '角色', name }),
    updateMenu: (title) => ({ title, type: 'MENU', path: `/main/${title}` }),
    updateOperator: (userName) => ({ userName, password: 'a long sample phrase' }),
    updateMailConfig: (name) => ({ host: `${name}.example.com`, port: 25 }),
    updateRebateRate: (name) => ({
      ...{ level: 1, categoryId: gameCategory, rate: '0.01' },
      validFrom: `2${String(Number.parseInt(name.slice(1, 5), 16) % 900).padStart(3, '0')}-01-01`,
    }),
    updateBetLimit: () => ({ gameId, maxLineStake: '1000' }),
    updateAgent: (name) => ({ name, userId, rate: '0.01', validFrom: '2026-01-01' }),
    updateUserNote: (note) => ({ userId, note }),
    updateParamSetting: (key) => ({ title: '参数', key, value: '1' }),
  };
}

const drawRules = JSON.stringify({ count: 1, pool: ['1', '2'], repeat: true });

const newest = async (db: Db, table: 'odds'): Promise<number> =>
  (await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()).id;

/** Adds rows of any noun, by the name of the call that edits it: the row's id and what was entered. */
export async function addedRow(db: Db, admin: TestClient) {
  const samples = await samplesFor(db, admin);
  return async (edit: EndpointName): Promise<{ id: number; fields: Fields }> => {
    const sample = samples[edit];
    if (!sample) throw new Error(`no sample row for ${edit}: say in added-row.ts what one looks like`);
    const fields = await sample(`x${randomUUID().slice(0, 12)}`);
    const add: AnyEndpoint = contract[edit.replace(/^update/, 'add') as EndpointName];
    const { envelope } = await admin.call(add, fields);
    if (!envelope.success) throw new Error(`${edit}: ${envelope.msg} ${JSON.stringify(envelope.data)}`);
    // Whoever adds several at once is told of none.
    const id = envelope.data === true ? await newest(db, 'odds') : Number(envelope.data);
    return { id, fields };
  };
}
