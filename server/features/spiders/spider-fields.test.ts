import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSpider, deleteSpider, listSpiderServices, pageSpiders, updateSpider } from '#contract/spiders.ts';
import { buildGame } from '#server/testing/build-game.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

const url = 'http://example.com/feed.json';
/** A host that no compression makes short enough for an index. */
const distinct = Array.from({ length: 1_900 }, (_, at) =>
  String.fromCharCode(0x4e00 + ((at * 7_919) % 20_000)),
).join('');

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const spider = (gameId: number, overrides: object = {}) => ({
  gameId,
  name: '甲',
  url,
  spiderServiceName: 'OpenCodeSpider',
  ...overrides,
});
async function added(gameId: number, overrides: object = {}): Promise<number> {
  const { envelope } = await admin.call(addSpider, spider(gameId, overrides));
  if (!envelope.data) throw new Error(`not added: ${envelope.msg}`);
  return envelope.data;
}
const shown = async (id: number) =>
  (await admin.call(pageSpiders, { pageSize: 9999 })).envelope.data?.data.find((each) => each.id === id);

describe('spiders', () => {
  it('are added, listed with their game, changed and deleted', async () => {
    const gameId = await buildGame(server.db, { name: '采集的游戏' });
    const id = await added(gameId, { remark: '备注' });
    expect(await shown(id)).toMatchObject({
      game: { name: '采集的游戏' },
      name: '甲',
      enabled: true,
      options: null,
      lastRunTime: null,
      consecutiveFailures: 0,
    });
    const twice = await admin.call(addSpider, spider(gameId));
    expect(twice.envelope).toMatchObject({ success: false, msg: '采集名称已存在' });
    await admin.call(updateSpider, { id, ...spider(gameId, { name: '乙', enabled: false }) });
    expect(await shown(id)).toMatchObject({ name: '乙', enabled: false, remark: null, pauseMs: 3_000 });
    // What is switched off is not switched on by whoever says nothing of it.
    for (const said of [{}, { enabled: null }, { enabled: '' }]) {
      await admin.call(updateSpider, { id, ...spider(gameId, { name: '丙', ...said }) });
      expect(await shown(id)).toMatchObject({ name: '丙', enabled: false });
    }
    const polite = { headers: 'X-Key: 1', pauseMs: 500, url: `${url}/{date}/{phase}?{}` };
    await admin.call(updateSpider, { id, ...spider(gameId, polite) });
    expect(await shown(id)).toMatchObject(polite);
    await admin.call(deleteSpider, { id });
    expect(await shown(id)).toBeUndefined();
    expect((await admin.call(deleteSpider, { id })).envelope.msg).toBe('记录不存在');
  });

  it('name collectors that exist', async () => {
    const names = (await admin.call(listSpiderServices, {})).envelope.data?.map(({ name }) => name);
    expect(names).toEqual([
      'WelfareLotterySpider',
      'SportsLotterySpider',
      'OpenCodeSpider',
      'PreDrawSpider',
      'FiveHundredXmlSpider',
      'JsonPathSpider',
      'LocalDrawSpider',
    ]);
  });

  it.each([
    [{ spiderServiceName: 'NoSuchSpider' }, '没有名为 NoSuchSpider 的采集器'],
    [{ url: undefined }, '采集地址不能为空'],
    [{ url: 'ftp://example.com/' }, '须以 http:// 或 https:// 开头'],
    [{ url: 'http://a:b@example.com/' }, '不能带有账号或密码'],
    [{ url: `http://${distinct}.cn/` }, '主机名不能超过 253 个字符'],
    [{ spiderServiceName: 'JsonPathSpider' }, 'JSONPath'],
    [{ spiderServiceName: 'LocalDrawSpider', options: '{}' }, '采集选项须为'],
    [{ gameId: 999_999 }, '游戏不存在'],
    [{ url: 'http://{date}.example.com/' }, '占位符只能出现在主机名之后'],
    [{ url: 'http://example.com/{issue}' }, '无法识别的占位符 {issue}'],
    [{ url: 'http://example.com/{date:HH}' }, '无法识别的占位符 {date:HH}'],
    [{ headers: 'X-Key' }, '“X-Key”不是“名称: 值”的形式'],
    [{ headers: 'X-Key: a\nHost: b' }, '不能设置请求头 Host'],
    [{ headers: 'Proxy-Authorization: a' }, '不能设置请求头 Proxy-Authorization'],
    [{ headers: 'sec-fetch-mode: a' }, '不能设置请求头 sec-fetch-mode'],
    [{ headers: 'X-Key: a\nx-key: b' }, '请求头 x-key 出现了两次'],
    [{ headers: 'X-Key: 中' }, '请求头 X-Key 的值只能是可见的 ASCII 字符'],
    [{ headers: 'X-Key: a\u000bb' }, '请求头 X-Key 的值只能是可见的 ASCII 字符'],
    [{ pauseMs: 199 }, '最短间隔（毫秒）不能小于 200'],
    [{ pauseMs: 60_001 }, '最短间隔（毫秒）不能大于 60000'],
    [
      { spiderServiceName: 'JsonPathSpider', options: '{"list":"$~","phase":"$","result":"$"}' },
      '采集选项的 list（开奖列表）不是有效的 JSONPath（RFC 9535）：从“~”起无法识别',
    ],
  ])('are refused with %j', async (overrides, msg) => {
    const gameId = await buildGame(server.db);
    const { envelope } = await admin.call(addSpider, spider(gameId, overrides));
    expect(envelope).toMatchObject({ success: false, code: 400 });
    expect(envelope.msg).toContain(msg);
    // A form shows it where it was typed; a value that must be there says so by its own field.
    expect(Object.values((envelope.data as unknown as { errors: object }).errors)).toEqual([
      expect.stringContaining(msg),
    ]);
  });
});
