import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listResultHandlers } from '#contract/bet-latitudes.ts';
import { addBetLimit } from '#contract/bet-limits.ts';
import type { WireInput } from '#contract/endpoint.ts';
import { placeBet } from '#contract/platform-bets.ts';
import { tryRules } from '#contract/rule-sandbox.ts';
import { pageSlips } from '#contract/slips.ts';
import { addPhase, type Betting, buildBetting, slipOn } from '#server/testing/build-betting.ts';
import { recordResult } from '#server/testing/build-slips.ts';
import { expectProven } from '#server/testing/ledger-proof.ts';
import type { TestClient } from '#server/testing/test-client.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { proveBets } from '../bets-proof/prove-bets.ts';
import { settleDue } from '../settlements/settle.ts';
import { settledLines } from './settled-lines.ts';

let server: TestServer;
let site: TestClient;
let admin: TestClient;
let betting: Betting;
let latitude = 0;

const latitudeOf = async (playWayId: number) => {
  const { rows } = await sql<{ id: number }>`
    select "betLatitudeId" as id from play_way where id = ${playWayId}`.execute(server.db);
  return rows[0]?.id ?? 0;
};
const bet = async (phase: string, playWayId: number, selection: string, unitStake: string) => {
  const wanted = slipOn(betting, { phase, lines: [{ playWayId, selection, unitStake }] });
  expect((await site.call(placeBet, wanted)).envelope.msg).toBe('操作成功');
};

beforeAll(async () => {
  server = await startTestServer();
  // Phases are drawn here while they still take bets.
  await sql`alter table draw_record disable trigger draw_record_checked`.execute(server.database.owner);
  site = server.site();
  admin = await server.admin();
  betting = await buildBetting(server.db);
  const { gameId, bigSmall, threeStars } = betting;
  latitude = await latitudeOf(bigSmall);
  await addPhase(server.db, gameId, '1001', -60, 3_600);
  await bet('1000', bigSmall, '大', '10');
  await bet('1000', bigSmall, '小', '20');
  await bet('1000', threeStars, '1|2|3', '1');
  await bet('1001', bigSmall, '大', '5');
  await recordResult(server.db, { gameId, phase: '1000' }, '9,9,9,9,9');
  await recordResult(server.db, { gameId, phase: '1001' }, '0,0,9,9,9');
  await settleDue(server.db);
});
afterAll(() => server.close());

type Trial = WireInput<typeof tryRules>;
const tried = async (more: Partial<Trial> = {}) => {
  const trial = { gameId: betting.gameId, id: latitude, resultIndex: '*' };
  return (await admin.call(tryRules, { ...trial, resultHandlerName: 'SumBigSmallHandler', ...more } as Trial))
    .envelope;
};

it('shows what the slips of the last phases came to beside what other rules would give, and changes nothing', async () => {
  const state = async () =>
    (
      await sql`select (select jsonb_agg(s order by id) from slip s) as slips, (select jsonb_agg(l order by id) from slip_line l) as lines,
        (select count(*) from account_history) as ledger`.execute(server.db)
    ).rows;
  const before = await state();
  const same = await tried();
  expect(same.data?.totals).toEqual({
    ...{ lines: 3, stake: '35.00', paid: '29.70', tried: '29.70', difference: '0.00', changed: 0 },
  });
  // Of the first two digits alone 9+9 is big still, 0+0 is small.
  const { data } = await tried({ resultIndex: '0,1', handlerOptions: '{"from":10}' });
  expect(data?.handlerVersion).toBe(1);
  expect(data?.totals).toEqual({
    ...{ lines: 3, stake: '35.00', paid: '29.70', tried: '19.80', difference: '9.90', changed: 1 },
  });
  expect(data?.phases.find(({ phase }) => phase === '1001')).toMatchObject({
    ...{ result: '0,0,9,9,9', stake: '5.00', paid: '9.90', tried: '0.00', difference: '9.90' },
    ...{ changed: 1, isWhole: true, problem: null },
  });
  expect(await state()).toEqual(before);
  await expectProven(server.db);
  expect((await proveBets(server.db)).broken).toBe(0);
});

it('tries a typed result by the rules that slips keep and by the tried ones', async () => {
  const { data } = await tried({ result: '0,0,0,9,9', resultIndex: '3,4', handlerOptions: '{"from":10}' });
  // By their own rules 18 is small; by the last two digits it is big.
  expect(data?.totals).toMatchObject({ lines: 3, paid: '39.60', tried: '29.70', difference: '9.90' });
  expect(data?.phases.every(({ result }) => result === '0,0,0,9,9')).toBe(true);
});

it('looks at one play way or as many phases as asked, and tells what cannot be judged', async () => {
  const ways = await latitudeOf(betting.threeStars);
  const stars = { id: ways, playWayId: betting.threeStars, resultHandlerName: 'ValueHandler' };
  expect((await tried({ ...stars, resultIndex: '0,1,2' })).data?.totals).toMatchObject({ lines: 1 });
  expect((await tried({ ...stars, playWayId: betting.bigSmall })).data?.totals.lines).toBe(0);
  const { data } = await tried({ ...stars, resultIndex: '0,1' });
  expect(data?.phases.find(({ phase }) => phase === '1000')).toMatchObject({
    ...{ lines: 0, problem: '结果须有 3 个位置' },
  });
  expect((await tried({ last: 1 })).data?.phases).toHaveLength(1);
});

it('cuts what it tries to the caps of slips and players, as settling does, beside lines that stay as they are', async () => {
  const capped = await buildBetting(server.db);
  const { gameId, bigSmall, threeStars } = capped;
  await admin.call(addBetLimit, { gameId, payoutCapUser: '1000' });
  const place = async (playWayId: number, selection: string, unitStake: string) => {
    const { envelope } = await site.call(
      placeBet,
      slipOn(capped, { lines: [{ playWayId, selection, unitStake }] }),
    );
    expect(envelope.msg).toBe('操作成功');
  };
  // Of 900, 198 and 19.80 the player is paid 900, 100 and nothing.
  await place(threeStars, '9|9|9', '1');
  await place(bigSmall, '大', '100');
  await place(bigSmall, '大', '10');
  await recordResult(server.db, { gameId, phase: '1000' }, '9,9,9,9,9');
  await settleDue(server.db);
  const totals = async (playWayId: number, more: Partial<Trial> = {}) =>
    (await tried({ gameId, id: await latitudeOf(playWayId), ...more })).data?.totals;
  const same = { lines: 2, stake: '110.00', paid: '100.00', tried: '100.00', difference: '0.00', changed: 0 };
  expect(await totals(bigSmall)).toEqual(same);
  expect(await totals(bigSmall, { result: '9,9,9,0,0' })).toEqual(same);
  expect(await totals(bigSmall, { result: '0,9,9,9,9' })).toMatchObject({ paid: '217.80', changed: 0 });
  expect(await totals(bigSmall, { handlerOptions: '{"from":46}' })).toMatchObject({
    ...{ paid: '100.00', tried: '0.00', difference: '100.00', changed: 1 },
  });
  const stars = { resultHandlerName: 'ValueHandler', resultIndex: '0,1,2' };
  expect(await totals(threeStars, stars)).toMatchObject({ lines: 1, paid: '900.00', changed: 0 });
});

it('looks at no more than it has room for', async () => {
  const wanted = { gameId: betting.gameId, latitudeId: latitude, playWayId: undefined };
  const room = { slips: 2, lines: 1 };
  const { lines, isWhole } = await settledLines(server.db, wanted, '1000', room);
  expect([lines.length, isWhole]).toEqual([1, false]);
  expect(room).toEqual({ slips: 0, lines: 0 });
  expect(await settledLines(server.db, wanted, '1001', room)).toEqual({ lines: [], isWhole: false });
});

it('refuses what reads no result, at its field', async () => {
  const refused = async (more: Partial<Trial>, field: string) =>
    expect((await tried(more)).data).toMatchObject({ errors: { [field]: expect.any(String) } });
  await refused({ gameId: 987_654 }, 'gameId');
  await refused({ id: 987_654 }, 'id');
  await refused({ resultHandlerName: '没有' }, 'resultHandlerName');
  await refused({ handlerOptions: '{' }, 'handlerOptions');
  await refused({ resultIndex: 'x' }, 'resultIndex');
  await refused({ result: '1,2' }, 'result');
  await refused({ last: 101 }, 'last');
});

it('shows the version of handlers, and the one that a slip keeps', async () => {
  const handlers = (await admin.call(listResultHandlers, {})).envelope.data ?? [];
  expect(handlers.every(({ version }) => version >= 1)).toBe(true);
  const slips = (await admin.call(pageSlips, { gameId: betting.gameId, phase: '1001' })).envelope.data;
  expect(slips?.data[0]?.lines[0]).toMatchObject({ handler: 'SumBigSmallHandler', handlerVersion: 1 });
});
