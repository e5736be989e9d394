import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAgent, pageAgents } from '#contract/agents.ts';
import { pageChangeRecords } from '#contract/change-records.ts';
import type { AnyEndpoint } from '#contract/endpoint.ts';
import { listGameNumbersByGame } from '#contract/game-numbers.ts';
import { importTypes } from '#contract/imports.ts';
import { addOdds, putOdds } from '#contract/odds.ts';
import { addUser, pageUsers } from '#contract/users.ts';
import { buildPlayWay } from '#server/testing/build-play-way.ts';
import { buildUser } from '#server/testing/build-user.ts';
import { given } from '#server/testing/given.ts';
import { sendTable } from '#server/testing/send-table.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.admin();
});
afterAll(() => server.close());

const send = (endpoint: AnyEndpoint, body: string, sent: Parameters<typeof sendTable>[3]) =>
  sendTable({ origin: server.origin, token: admin.token }, endpoint, body, sent);
const keep = (endpoint: AnyEndpoint, body: string, fields: object = {}) =>
  send(endpoint, body, { mode: 'keep', given: fields });

/** The newest line of the record of a call. */
async function recordOf({ summary }: AnyEndpoint) {
  const { data } = (await admin.call(pageChangeRecords, { summary, pageSize: 1 })).envelope;
  return given(data?.data[0]);
}
const nickNames = async (username: string) => {
  const { data } = (await admin.call(pageUsers, { username })).envelope;
  return data?.data.map(({ nickName }) => nickName).toSorted();
};

describe('the key of an import', () => {
  const table = (name: string) => `昵称,用户名\r\n${name},${name}\r\n`;

  it('answers the same file once more as at first, and is refused with another one', async () => {
    const sent = { mode: 'keep', key: randomUUID() };
    const first = await send(addUser, table('keyed-a'), sent);
    expect(first.envelope).toMatchObject({ success: true, msg: '已导入 1 行' });
    expect(await send(addUser, table('keyed-a'), sent)).toEqual(first);
    const other = await send(addUser, table('keyed-b'), sent);
    expect(other.envelope).toMatchObject({ success: false, msg: '同一幂等键不能用于不同的请求' });
    expect(await nickNames('keyed-')).toEqual(['keyed-a']);
  });

  it('answers what was wrong with a file once more', async () => {
    const sent = { mode: 'keep', key: randomUUID() };
    const first = await send(addUser, `昵称,用户名\r\n,keyed-c\r\n`, sent);
    expect(first.envelope.msg).toBe('表格中有 1 处错误，没有导入任何一行');
    expect(first.report.faults).toEqual([{ row: 2, column: '昵称', message: '昵称不能为空' }]);
    expect(await send(addUser, `昵称,用户名\r\n,keyed-c\r\n`, sent)).toEqual(first);
  });
});

describe('the record of an import', () => {
  it('has the odds before and after, and their play way', async () => {
    const { gameId, playWayId } = await buildPlayWay(admin, ['1', '2', '3']);
    const numbers = given((await admin.call(listGameNumbersByGame, { id: gameId })).envelope.data);
    const [one, two, three] = numbers.map(({ id }) => id);
    await admin.call(addOdds, { playWayId, numberIds: [given(one), given(two)], odds: '2' });
    const { envelope } = await keep(putOdds, '号码,赔率\r\n1,2.5\r\n2,2.6\r\n3,2.7\r\n', {
      gameId,
      playWayId,
    });
    expect(envelope.msg).toBe('已导入 3 行');
    const record = await recordOf(putOdds);
    expect(record).toMatchObject({
      ...{ outcome: 'SUCCESS', msg: '已导入 3 行', targetId: String(playWayId), input: { playWayId } },
      before: { odds: [one, two].map((numberId) => ({ numberId, odds: '2' })) },
      after: {
        odds: [
          { numberId: one, odds: '2.5' },
          { numberId: two, odds: '2.6' },
          { numberId: three, odds: '2.7' },
        ],
      },
    });
  });

  it('has every user that came with it, and so has that of a single one', async () => {
    await keep(addUser, '昵称,用户名\r\n甲,recorded1\r\n乙,recorded2\r\n');
    const { after } = await recordOf(addUser);
    expect(after).toMatchObject({
      player: [
        { id: expect.any(Number), nickName: '甲', username: 'recorded1' },
        { id: expect.any(Number), nickName: '乙', username: 'recorded2' },
      ],
    });
    const id = given((await admin.call(addUser, { nickName: '丙', username: 'recorded3' })).envelope.data);
    const single = { id, nickName: '丙', username: 'recorded3', level: 0 };
    expect(await recordOf(addUser)).toMatchObject({ targetId: String(id), after: single });
  });

  it('has every agent that came with it', async () => {
    const owners = [await buildUser(server.db), await buildUser(server.db)].map(({ userId }) => userId);
    const lines = owners.map((userId, n) => `代理${n},${userId},0.01,2030-01-01\r\n`);
    const { envelope } = await keep(addAgent, `代理名称,用户编号,返点比例,生效日\r\n${lines.join('')}`);
    expect(envelope.msg).toBe('已导入 2 行');
    const agents = given((await admin.call(pageAgents, {})).envelope.data).data.toReversed();
    const { after } = await recordOf(addAgent);
    expect(after).toMatchObject({ agent: agents.map(({ id, name, userId }) => ({ id, name, userId })) });
  });
});

describe('what is said of all rows', () => {
  it.each([
    [putOdds, { gameId: { toString: 1 }, playWayId: [1] }],
    [putOdds, { gameId: { toString: 1 } }],
    [putOdds, { gameId: null, playWayId: 1 }],
    [addUser, { level: {} }],
  ] as const)('is checked before anything is done with it', async (endpoint, wrong) => {
    for (const mode of ['template', 'check', 'keep']) {
      const type = mode === 'template' ? importTypes.xlsx : importTypes.csv;
      const { envelope } = await send(endpoint, '号码,赔率\r\n1,2\r\n', { mode, type, given: wrong });
      expect(envelope).toMatchObject({ success: false, code: 400 });
    }
  });
});
