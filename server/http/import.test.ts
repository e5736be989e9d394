import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, pageAgents } from '#contract/agents.ts';
import { contract } from '#contract/all.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { metaOf } from '#contract/fields.ts';
import { addGameNumber, listGameNumbersByGame } from '#contract/game-numbers.ts';
import { type ImportTemplate, importColumns, importTypes } from '#contract/imports.ts';
import { addNews, pageNews } from '#contract/news.ts';
import { addNewsCategory } from '#contract/news-categories.ts';
import { addOdds, putOdds, setOdds } from '#contract/odds.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { addRole } from '#contract/roles.ts';
import { shapeOf } from '#contract/row-schema.ts';
import { addUser, pageUsers } from '#contract/users.ts';
import { sayingIn } from '#server/exports/saying.ts';
import { ZipWriter } from '#server/exports/zip-writer.ts';
import { readWorkbook } from '#server/imports/read-workbook.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { sendTable } from '#server/testing/send-table.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { testWorkbook } from '#server/testing/test-workbook.ts';
import { unzipped } from '#server/testing/unzip.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

/** Sends a table as the console does. */
const send = (
  endpoint: AnyEndpoint,
  body: Buffer | string,
  { token = admin.token, ...sent }: Parameters<typeof sendTable>[3] & { token?: string } = {},
) => sendTable({ origin: server.origin, token }, endpoint, body, sent);

const countUsers = async (username: string) =>
  (await admin.call(pageUsers, { username })).envelope.data?.totalCount;

describe('a table of rows', () => {
  it('is checked whole, told by row and column, and imported all or none with one line of the record', async () => {
    const head = ['昵称', '用户名', '等级', '上级编号'];
    const good = Array.from({ length: 60 }, (_, index) => [`玩家${index}`, `imported${index}`, '3', '']);
    const bad = good.map((row) => [...row]);
    bad[9] = ['', 'imported9', '3', ''];
    bad[29] = ['玩家29', 'IMPORTED5', '3', ''];
    bad[59] = ['玩家59', 'imported59', '很高', '987654321'];
    const type = importTypes.xlsx;
    const checked = await send(addUser, await testWorkbook([head, ...bad]), { type });
    expect(checked.report).toEqual({
      rows: 60,
      faults: [
        { row: 11, column: '昵称', message: '昵称不能为空' },
        { row: 31, column: '用户名', message: '用户名已存在' },
        { row: 61, column: '等级', message: '等级须为整数' },
      ],
    });
    const refused = await send(addUser, await testWorkbook([head, ...bad]), { type, mode: 'keep' });
    expect(refused.envelope).toMatchObject({ success: false, msg: '表格中有 3 处错误，没有导入任何一行' });
    expect(refused.report.faults).toHaveLength(3);
    expect(await countUsers('imported')).toBe(0);
    expect((await send(addUser, await testWorkbook([head, ...good]), { type })).report.faults).toEqual([]);
    expect(await countUsers('imported')).toBe(0);
    const kept = await send(addUser, await testWorkbook([head, ...good]), { type, mode: 'keep' });
    expect(kept.envelope).toMatchObject({ success: true, msg: '已导入 60 行' });
    expect(await countUsers('imported')).toBe(60);
    const records = (await admin.call(pageChangeRecords, { summary: '新增用户' })).envelope.data?.data ?? [];
    expect(records.map(({ outcome }) => outcome)).toEqual(['SUCCESS', 'REFUSED']);
    expect(records[0]).toMatchObject({ msg: '已导入 60 行' });
  });

  it('names rows and words as operators do, in UTF-8 or GBK', async () => {
    await admin.call(addNewsCategory, { name: '公告' });
    const text = '新闻分类,标题,内容,重要\r\n公告,维护,"第一行\n第二行",是\r\n没有,x,y,否\r\n';
    const faults = [{ row: 3, column: '新闻分类', message: '新闻分类“没有”不存在' }];
    expect((await send(addNews, `\ufeff${text}`)).report).toEqual({ rows: 2, faults });
    const gbk = Buffer.from('d0c2cec5b7d6c0e02cb1eacce22cc4dac8dd0d0ab9abb8e62cceacbba42cc7eb0d0a', 'hex');
    expect((await send(addNews, gbk, { mode: 'keep' })).envelope.msg).toBe('已导入 1 行');
    const [news] = (await admin.call(pageNews, {})).envelope.data?.data ?? [];
    expect(news).toMatchObject({ title: '维护', content: '请', important: false });
  });

  it('reads text of spreadsheets in UTF-16, and with tabs or semicolons between cells', async () => {
    const name = `公告 ${Date.now().toString(36)}`;
    await admin.call(addNewsCategory, { name });
    const kept = async (bytes: Buffer) => {
      expect((await send(addNews, bytes, { mode: 'keep' })).envelope.msg).toBe('已导入 1 行');
      return (await admin.call(pageNews, {})).envelope.data?.data[0];
    };
    const written = (between: string, title: string) =>
      [
        ['新闻分类', '标题', '内容', '重要'],
        [name, title, '"甲,乙;丙\t丁"', '是'],
      ]
        .map((row) => row.join(between))
        .join('\r\n');
    const little = Buffer.from(`\ufeff${written('\t', '长谢')}`, 'utf16le');
    const ways = {
      长谢: [little, Buffer.from(little).swap16()],
      维护: [Buffer.from(written(';', '维护')), Buffer.from(written(',', '维护'))],
    };
    for (const [title, files] of Object.entries(ways))
      for (const file of files)
        expect(await kept(file)).toMatchObject({ title, content: '甲,乙;丙\t丁', important: true });
  });

  it('takes days as spreadsheets write them into text, and leaves all other text as it stands', async () => {
    const players = await Promise.all(
      Array.from({ length: 5 }, async () => (await buildUser(server.db)).userId),
    );
    const days = ['2030/1/2', '2030-1-3', '2030.01.04', '2030年1月5日', '2030-01-06'];
    const written = await send(
      addAgent,
      ['代理名称,用户编号,返点比例,生效日', ...days.map((day, n) => `${day},${players[n]},0.01,${day}`)].join(
        '\n',
      ),
      { mode: 'keep' },
    );
    expect(written.envelope.msg).toBe('已导入 5 行');
    const agents = (await admin.call(pageAgents, {})).envelope.data?.data.toReversed();
    expect(agents?.map(({ name }) => name)).toEqual(days);
    expect(agents?.map(({ validFrom }) => validFrom)).toEqual([
      '2030-01-02',
      '2030-01-03',
      '2030-01-04',
      '2030-01-05',
      '2030-01-06',
    ]);
    const wrong = await send(addAgent, '代理名称,用户编号,返点比例,生效日\n甲,1,0.01,2030/2/30\n');
    expect(wrong.report.faults).toContainEqual({
      row: 2,
      column: '生效日',
      message: '生效日须为 YYYY-MM-DD 格式的日期',
    });
  });

  it('takes figures as they are typed and as spreadsheets write them into text', async () => {
    const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2', '3']);
    const table = '号码,赔率\r\n1,"1,980.50"\r\n２,１．９８\r\n3,0,980\r\n3,"0,980"\r\n';
    const { report } = await send(putOdds, table, { given: { gameId, playWayId } });
    expect(report.faults).toEqual([
      { row: 4, column: '赔率', message: '赔率须大于 0' },
      { row: 5, column: '赔率', message: '赔率须为不超过 4 位小数的数字' },
    ]);
    const sound = table.split('\r\n').slice(0, 3).join('\r\n');
    await send(putOdds, sound, { mode: 'keep', given: { gameId, playWayId } });
    const [playWay] = (await admin.call(pagePlayWays, { gameId })).envelope.data?.data ?? [];
    expect(playWay?.odds.map(({ number, odds }) => `${number} ${odds}`)).toEqual(['1 1980.50', '2 1.98']);
    const { envelope } = await send(addUser, '昵称,等级\r\n１２,１２\r\n', { mode: 'keep' });
    expect(envelope.msg).toBe('已导入 1 行');
    const [user] = (await admin.call(pageUsers, { nickName: '１２' })).envelope.data?.data ?? [];
    expect(user).toMatchObject({ nickName: '１２', level: 12 });
  });

  it('takes numbers and odds for one game, whose numbers are named', async () => {
    const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2']);
    const numbers = `号码,描述\r\n导01,红\r\n导02,蓝\r\n`;
    expect((await send(addGameNumber, numbers, { mode: 'keep', given: { gameId } })).envelope.msg).toBe(
      '已导入 2 行',
    );
    const list = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
    expect(list.slice(-2).map(({ number, desc }) => [number, desc])).toEqual([
      ['导01', '红'],
      ['导02', '蓝'],
    ]);
    const given = { gameId, playWayId };
    const odds = (lines: string) => send(addOdds, `号码,赔率\r\n${lines}`, { mode: 'keep', given });
    expect((await odds('导01,2.5\r\n导03,3\r\n导02,0\r\n')).report.faults).toEqual([
      { row: 3, column: '号码', message: '号码“导03”不存在' },
      { row: 4, column: '赔率', message: '赔率须大于 0' },
    ]);
    expect((await odds('导01 导02,2.5\r\n')).envelope.msg).toBe('已导入 1 行');
    const [playWay] = (await admin.call(pagePlayWays, { gameId })).envelope.data?.data ?? [];
    expect(playWay?.odds.filter(({ number }) => number.startsWith('导'))).toHaveLength(2);
  });

  it('changes the odds there are and adds the others; its check tells old and new, and keeps nothing', async () => {
    const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2', '3']);
    const numbers = (await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data ?? [];
    const id = (name: string) => numbers.find(({ number }) => number === name)?.id ?? 0;
    await admin.call(addOdds, { playWayId, numberIds: [id('1'), id('2')], odds: '2' });
    const kept = async () => {
      const [playWay] = (await admin.call(pagePlayWays, { gameId })).envelope.data?.data ?? [];
      return playWay?.odds.map(({ number, odds }) => `${number} ${odds}`).toSorted();
    };
    const given = { gameId, playWayId };
    const lines = '号码,赔率\r\n1,2.5\r\n2,2.00\r\n3,4\r\n';
    const { report } = await send(putOdds, lines, { given });
    expect(report.faults).toEqual([]);
    const changes = report.changes ?? [];
    expect(changes.map(({ before, after }) => [before?.odds ?? null, after.numberId, after.odds])).toEqual([
      ['2', id('1'), '2.5'],
      [null, id('3'), '4'],
    ]);
    expect(Object.keys(changes[0]?.after ?? {}).toSorted()).toEqual(['numberId', 'odds']);
    expect(await kept()).toEqual(['1 2', '2 2']);
    // Where a row is refused nothing is told to become of the others.
    const faulty = await send(putOdds, `${lines}4,2\r\n`, { given });
    expect(faulty.report).toEqual({
      rows: 4,
      faults: [{ row: 5, column: '号码', message: '号码“4”不存在' }],
    });
    expect((await send(putOdds, lines, { mode: 'keep', given })).envelope.msg).toBe('已导入 3 行');
    expect(await kept()).toEqual(['1 2.5', '2 2', '3 4']);
    expect(
      (await admin.call(putOdds, { playWayId, numberIds: [id('3'), id('2')], odds: '4' })).envelope.data,
    ).toBe(1);
    // Where all is so already, nothing is changed, and that is no failure.
    const rows = [{ numberId: id('3'), odds: '4', seen: '4.0' }];
    for (const answer of [
      await admin.call(putOdds, { playWayId, numberIds: [id('3'), id('2')], odds: '4' }),
      await admin.call(setOdds, { playWayId, rows }),
    ])
      expect(answer.envelope).toMatchObject({ success: true, data: true });
    expect(
      (await admin.call(putOdds, { playWayId: 987654, numberIds: [id('3')], odds: '4' })).envelope,
    ).toMatchObject({
      success: false,
      data: { errors: { playWayId: '玩法不存在' } },
    });
  });

  it.each(['zh', 'en'] as const)(
    'has a template for every call, whose example is taken as it stands: %s',
    async (language) => {
      const say = sayingIn(language);
      const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2']);
      await admin.call(addNewsCategory, { name: `模板分类 ${language}` });
      const given = { gameId, playWayId };
      const importing = Object.values<AnyEndpoint>(contract).filter(({ imports }) => imports);
      expect(importing.length).toBeGreaterThan(5);
      for (const endpoint of importing) {
        const own = Object.keys(shapeOf(endpoint.input)).includes('numberIds') ? given : {};
        const { envelope } = await send(endpoint, '', {
          ...{ mode: 'template', type: importTypes.xlsx, given: own, language },
        });
        const { workbook } = envelope.data as unknown as ImportTemplate;
        const file = Buffer.from(workbook, 'base64');
        const [head = [], ...rows] = await readWorkbook(file, 10);
        expect(rows, endpoint.path).toEqual([]);
        const columns = importColumns(endpoint, Object.keys(own));
        expect(head.map((label) => label.replace('*', ''))).toEqual(columns.map(({ label }) => say(label)));
        expect(head.map((label) => label.endsWith('*'))).toEqual(columns.map(({ required }) => required));
        // By these a file of text tells what stands between its cells.
        expect(head.join('')).not.toMatch(/[\t;]/);
        const explained = unzipped(file);
        const sheet = String(explained.get('xl/worksheets/sheet2.xml'));
        const cells = [
          ...(sheet.split(`${say('示例')}</v>`)[1] ?? '').matchAll(
            /<c r="\w+"\/>|<[tv](?: [^>]*)?>([^<]*)<\/[tv]>/g,
          ),
        ].map(([, text = '']) => text);
        expect(cells, endpoint.path).toHaveLength(columns.length);
        const filled = await testWorkbook([head, cells]);
        const checked = await send(endpoint, filled, { type: importTypes.xlsx, given: own });
        const refs = new Set(columns.filter(({ schema }) => metaOf(schema).ref).map(({ label }) => label));
        // A number of a row that there may not be is told at its column and nowhere else.
        expect(
          checked.report.faults.filter(({ column }) => column !== null && !refs.has(column)),
          endpoint.path,
        ).toEqual([]);
      }
      const users = await send(addNews, '', { mode: 'template', type: importTypes.xlsx, language });
      const file = Buffer.from((users.envelope.data as unknown as ImportTemplate).workbook, 'base64');
      expect(String(unzipped(file).get('xl/worksheets/sheet1.xml'))).toContain(
        language === 'zh' ? '"否,是"' : '"No,Yes"',
      );
      expect((await send(addRole, '', { mode: 'template', type: importTypes.xlsx })).envelope.success).toBe(
        false,
      );
    },
  );

  it('has a head of known columns, each once, and at least one row', async () => {
    const table = '昵称,称呼,昵称\r\na,b,c\r\n';
    expect((await send(addUser, table)).report.faults).toEqual([
      { row: 1, column: '称呼', message: '没有这一列，请使用模板的表头' },
      { row: 1, column: '昵称', message: '这一列出现了两次' },
    ]);
    expect((await send(addUser, '用户名\r\nabc\r\n')).report.faults).toEqual([
      { row: 1, column: '昵称', message: '缺少这一列' },
    ]);
    expect((await send(addUser, '昵称\r\n\r\n')).envelope.msg).toBe('无法读取该文件：表头下面没有任何一行');
  });

  it('is refused when it is too long, no such file, a bomb, or for a call that takes none', async () => {
    const long = `昵称\r\n${'a\r\n'.repeat(2_001)}`;
    expect((await send(addUser, long)).envelope.msg).toBe('无法读取该文件：不能超过 2000 行');
    expect((await send(addUser, '昵称\r\n"a\r\n')).envelope.msg).toMatch(/引号没有配对/);
    const type = importTypes.xlsx;
    expect((await send(addUser, 'no archive', { type })).envelope.msg).toMatch(/不是有效的 Excel 工作簿/);
    const zip = new ZipWriter();
    zip.open('xl/worksheets/sheet1.xml');
    const pieces: Buffer[] = [];
    for (let n = 0; n < 65; n++) pieces.push(await zip.write(' '.repeat(1_048_576)));
    const bomb = Buffer.concat([...pieces, await zip.shut(), zip.finish()]);
    expect(bomb.length).toBeLessThan(1_048_576);
    expect((await send(addUser, bomb, { type })).envelope.msg).toBe('无法读取该文件：解压后超过 64 MB');
    expect((await send(addUser, ' '.repeat(8_400_000))).status).toBe(413);
    expect((await send(addRole, '角色名称\r\na\r\n')).status).toBe(400);
    expect((await send(addUser, '昵称\r\na\r\n', { mode: 'perhaps' })).status).toBe(400);
    expect((await send(addUser, '昵称\r\na\r\n', { token: 'nobody' })).envelope.code).toBe(401);
  });
});
