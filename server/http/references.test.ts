import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addBetLatitude } from '#contract/bet-latitudes.ts';
import { addChatSession } from '#contract/chat-sessions.ts';
import type { AnyEndpoint, WireInput } from '#contract/endpoint.ts';
import { addGameCategory, deleteGameCategory } from '#contract/game-categories.ts';
import { addGameNumber } from '#contract/game-numbers.ts';
import { addGame, updateGame } from '#contract/games.ts';
import { addMenu } from '#contract/menus.ts';
import { addNews, pageNews, updateNews } from '#contract/news.ts';
import { addNewsCategory, deleteNewsCategory, listNewsCategories } from '#contract/news-categories.ts';
import { createUser, placeDeposit } from '#contract/platform.ts';
import { addPlayWayCategory } from '#contract/play-way-categories.ts';
import { addPlayWaySubCategory } from '#contract/play-way-sub-categories.ts';
import { addPlayWay } from '#contract/play-ways.ts';
import { addRole, bindRoleMenus } from '#contract/roles.ts';
import { addSpider } from '#contract/spiders.ts';
import type { Db } from '#server/db/database.ts';
import { nounOfTable, tableOf } from '#server/db/noun-rows.ts';
import { buildGame } from '#server/testing/build-game.ts';
import { buildOperator } from '#server/testing/build-operator.ts';
import { given } from '#server/testing/given.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let platform: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  platform = server.site();
});
afterAll(() => server.close());

const waiting = async (): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    server.db,
  );
  return rows.length > 0;
};

/** Calls while another transaction has done something that only shows once the call waits for it. */
async function meanwhile<E extends AnyEndpoint>(
  client: TestClient,
  endpoint: E,
  input: WireInput<E>,
  other: (tx: Db) => Promise<unknown>,
) {
  const { answer } = await server.db.transaction().execute(async (tx) => {
    await other(tx);
    let answered = false;
    const started = client.call(endpoint, input).finally(() => {
      answered = true;
    });
    while (!answered && !(await waiting()));
    return { answer: started };
  });
  return (await answer).envelope;
}

const gone = (table: string, id: number) => (tx: Db) =>
  sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx);

let serial = 0;
const fresh = (what: string) => `${what} ${++serial}`;

async function made<E extends AnyEndpoint>(endpoint: E, input: WireInput<E>): Promise<number> {
  const { envelope } = await (await server.admin()).call(endpoint, input);
  if (typeof envelope.data !== 'number') throw new Error(`not made: ${envelope.msg}`);
  return envelope.data;
}

const game = () => buildGame(server.db);
const newsCategory = () => made(addNewsCategory, { name: fresh('新闻分类') });
const gameCategory = () => made(addGameCategory, { name: fresh('游戏分类') });
const newGame = (categoryId: number) => ({
  ...{ categoryId, name: fresh('游戏'), openRate: 60, stopBetSecond: 5 },
});
const latitude = (gameId: number) =>
  made(addBetLatitude, {
    gameId,
    name: fresh('维度'),
    resultIndex: '0',
    resultHandlerName: 'BigSmallHandler',
  });
/** A player without an account, who can go. */
async function playerAlone(): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into player ("nickName") values ('甲') returning id`.execute(server.db);
  return given(rows[0]?.id);
}
const category = (gameId: number) => made(addPlayWayCategory, { gameId, name: fresh('玩法分类') });

interface Race {
  table: string;
  id: number;
  send: (
    client: TestClient,
  ) => (other: (tx: Db) => Promise<unknown>) => Promise<{ success: boolean; data: unknown }>;
  error: Record<string, string>;
}

describe('a row that goes while somebody refers to it', () => {
  const sending =
    <E extends AnyEndpoint>(endpoint: E, input: WireInput<E>): Race['send'] =>
    (client) =>
    (other) =>
      meanwhile(client, endpoint, input, other);

  const races: readonly (readonly [string, () => Promise<Race>])[] = [
    [
      'addNews',
      async () => {
        const id = await newsCategory();
        const send = sending(addNews, { categoryId: id, title: '一', content: '一' });
        return { table: 'news_category', id, send, error: { categoryId: '新闻分类不存在' } };
      },
    ],
    [
      'updateNews',
      async () => {
        const [from, id] = [await newsCategory(), await newsCategory()];
        const news = await made(addNews, { categoryId: from, title: '一', content: '一' });
        const send = sending(updateNews, { id: news, categoryId: id, title: '二', content: '二' });
        return { table: 'news_category', id, send, error: { categoryId: '新闻分类不存在' } };
      },
    ],
    [
      'addGame',
      async () => {
        const id = await gameCategory();
        const send = sending(addGame, newGame(id));
        return { table: 'game_category', id, send, error: { categoryId: '游戏分类不存在' } };
      },
    ],
    [
      'updateGame',
      async () => {
        const [from, id] = [await gameCategory(), await gameCategory()];
        const { categoryId: _, ...fields } = newGame(from);
        const gameId = await made(addGame, { ...fields, categoryId: from });
        const send = sending(updateGame, { ...fields, id: gameId, categoryId: id });
        return { table: 'game_category', id, send, error: { categoryId: '游戏分类不存在' } };
      },
    ],
    [
      'addGameNumber',
      async () => {
        const id = await game();
        const send = sending(addGameNumber, { gameId: id, number: '1' });
        return { table: 'game', id, send, error: { gameId: '游戏不存在' } };
      },
    ],
    [
      'addSpider',
      async () => {
        const id = await game();
        const spiderServiceName = 'LocalDrawSpider';
        const options = JSON.stringify({ count: 1, pool: ['0', '1'], repeat: true });
        const send = sending(addSpider, { gameId: id, name: fresh('采集'), spiderServiceName, options });
        return { table: 'game', id, send, error: { gameId: '游戏不存在' } };
      },
    ],
    [
      'addPlayWaySubCategory',
      async () => {
        const id = await category(await game());
        const send = sending(addPlayWaySubCategory, { parentCategoryId: id, name: '子' });
        return { table: 'play_way_category', id, send, error: { parentCategoryId: '玩法分类不存在' } };
      },
    ],
    [
      'addPlayWay',
      async () => {
        const gameId = await game();
        const [id, parentCategoryId] = [await latitude(gameId), await category(gameId)];
        const subCategoryId = await made(addPlayWaySubCategory, { parentCategoryId, name: '子' });
        const send = sending(addPlayWay, { subCategoryId, name: '玩法', betLatitudeId: id });
        return { table: 'bet_latitude', id, send, error: { betLatitudeId: '投注维度不存在' } };
      },
    ],
    [
      'bindRoleMenus',
      async () => {
        const rid = await made(addRole, { desc: '角色', name: fresh('role') });
        const { rows } = await sql<{ id: number }>`
          insert into menu (title, type, "index") values ('临时', 'FOLDER', 99) returning id`.execute(
          server.db,
        );
        const id = given(rows[0]?.id);
        await sql`
          insert into role_menu ("roleId", "menuId") select "roleId", ${id} from operator_role r
            join operator o on o.id = r."operatorId" where o."userName" = 'admin'`.execute(server.db);
        // A change of menus is everybody’s, and in force at once.
        await made(addMenu, { title: fresh('menu'), type: 'FOLDER' });
        const send = sending(bindRoleMenus, { rid, menuIds: [id] });
        return { table: 'menu', id, send, error: { menuIds: '菜单不存在' } };
      },
    ],
  ];

  it.each(races)('refuses %s at the field that named it, and keeps nothing', async (_name, prepare) => {
    const { table, id, send, error } = await prepare();
    const answer = await send(await server.admin())(gone(table, id));
    expect(answer).toMatchObject({ success: false, data: { errors: error } });
  });

  it('says so of the players’ site, too', async () => {
    const parentId = await playerAlone();
    expect(
      await meanwhile(platform, createUser, { nickName: '甲', parentId }, gone('player', parentId)),
    ).toMatchObject({ success: false, data: { errors: { parentId: '用户不存在' } } });
    const userId = await playerAlone();
    const order = { userId, amount: '1', type: 'BANK_TRANSFER', bankOrderNo: fresh('order') } as const;
    expect(await meanwhile(platform, placeDeposit, order, gone('player', userId))).toMatchObject({
      success: false,
      data: { errors: { userId: '用户不存在' } },
    });
  });

  it('names no field where the call has none for it', async () => {
    const userId = await playerAlone();
    const { username, password } = await buildOperator(server.db, { grants: ['/main/user/user'] });
    const client = await server.as(username, password);
    const answer = await meanwhile(client, addChatSession, { userId }, (tx) =>
      sql`delete from operator where "userName" = ${username}`.execute(tx),
    );
    expect(answer).toMatchObject({ success: false, msg: '操作员不存在', data: null });
  });
});

describe('a row that is taken while somebody begins to refer to it', () => {
  it('stays, and is said to be in use', async () => {
    const id = await newsCategory();
    const admin = await server.admin();
    const answer = await meanwhile(admin, deleteNewsCategory, { id }, (tx) =>
      sql`insert into news ("categoryId", title, content) values (${id}, '一', '一')`.execute(tx),
    );
    expect(answer).toMatchObject({ success: false, msg: '新闻分类正在被使用，不能删除', data: null });
    const rows = (await admin.call(listNewsCategories, {})).envelope.data ?? [];
    expect(rows.map((row) => row.id)).toContain(id);
    expect((await admin.call(pageNews, { categoryId: id })).envelope.data?.totalCount).toBe(1);
  });

  it('is written down as a refusal', async () => {
    const id = await gameCategory();
    await meanwhile(await server.admin(), deleteGameCategory, { id }, (tx) =>
      sql`insert into game (name, "categoryId", phase, "phaseTime", "phaseRule", "openRate", "stopBetSecond")
        values (${fresh('游戏')}, ${id}, '1', now(), 'RUNNING', 60, 5)`.execute(tx),
    );
    const record = await server.db
      .selectFrom('change_record')
      .selectAll()
      .where('call', '=', 'deleteGameCategory')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    expect(record).toMatchObject({ outcome: 'REFUSED', msg: '游戏分类正在被使用，不能删除' });
  });
});

/** Tables in whose name nothing is refused: no operator knows of a session, what refers to a view goes with it, and runs are never deleted. */
const unknown = ['session', 'list_view', 'rebate_run', 'turnover_requirement'];

describe('foreign keys', () => {
  it('are of one column each, and lead to nouns', async () => {
    const { rows } = await sql<{ name: string; columns: number; target: string }>`
      select conname as name, cardinality(conkey) as columns, t.relname as target
      from pg_constraint k join pg_class t on t.oid = k.confrelid
      where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0`.execute(
      server.db,
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { name, columns, target } of rows) {
      expect(columns, name).toBe(1);
      if (!unknown.includes(target)) expect(tableOf(nounOfTable(target) ?? 'odds'), name).toBe(target);
    }
  });
});
