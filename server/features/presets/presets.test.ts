import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageGameCategories } from '#contract/game-categories.ts';
import { addGamePreset, listGamePresets, listGames } from '#contract/games.ts';
import { pagePlayWays } from '#contract/play-ways.ts';
import { dayOf, momentOf } from '#server/platform-days.ts';
import { given } from '#server/testing/given.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { demandReadable } from '../bet-latitudes/latitude-rules.ts';
import { runsBetween, runsOfDay } from '../draw-plans/slots.ts';
import { fitsRule } from '../draw-records/same-result.ts';
import { firstPhase } from '../games/first-phase.ts';
import { demandRangesFit } from '../games/game-rules.ts';
import { winningNumbers } from '../result-handlers/winning-numbers.ts';
import type { Preset } from './preset.ts';
import { presets } from './registry.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const playWaysOf = (preset: Preset) =>
  preset
    .categories('2026-11-21')
    .flatMap((category) => category.subCategories.flatMap((sub) => sub.playWays));

/** A result of each game, in the form its source sends. */
const results: Record<string, string> = {
  bjpk10: '06,05,10,03,01,09,07,08,02,04',
  cqssc: '4,9,3,5,2',
  jsk3: '1,1,5',
  gd11x5: '03,11,06,01,09',
  pc28: '4,5,6',
  marksix: '7+10+11+19+25+30+46',
  fc3d: '2 1 1',
  ssq: '06,09,12,20,25,31+10',
  kl8: '01,05,09,12,17,22,28,31,36,39,44,48,52,57,61,66,70,73,77,80',
};

const counts = (of: string, from: number, to: number): string[] =>
  [...'一二三四五六七八九', '十', '十一', '十二'].slice(from - 1, to).map((n) => of.replace('N', n));
const groups = ['前三', '中三', '后三'].flatMap((three) =>
  ['直选', '组选三', '组选六'].map((way) => three + way),
);

// By these names players and the platform's site know them.
it.each<[string, readonly string[]]>([
  ['cqssc', [...groups, '前二直选', '后二组选', '四星直选', '五星直选']],
  ['cqssc', ['四星组选24', '四星组选12', '四星组选6', '四星组选4']],
  ['cqssc', ['五星组选120', '五星组选60', '五星组选30', '五星组选20', '五星组选10', '五星组选5']],
  ['gd11x5', [...counts('任选N', 1, 8), '前二直选', '前三直选', '前二组选', '前三组选']],
  ['marksix', ['三全中', '三中二', '二全中', '二中特', '特串', ...counts('N不中', 5, 12)]],
  ['marksix', [...counts('N连肖', 2, 5), ...counts('N连尾', 2, 5), ...counts('N合肖', 2, 11)]],
  ['jsk3', ['三军', '三不同号', '二不同号']],
  ['ssq', ['双色球']],
  ['kl8', counts('选N', 1, 10)],
])('the preset %s has what is known as %j', (key, names) => {
  const preset = given(presets.find((one) => one.key === key));
  expect(playWaysOf(preset).map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
});

describe.each(presets)('the preset $name', (preset) => {
  it('can read a result of its game by every play way, and always knows the odds of a winner', () => {
    for (const { name, latitude, odds, selection } of playWaysOf(preset)) {
      const readable = {
        ...latitude,
        handlerOptions: latitude.handlerOptions && JSON.stringify(latitude.handlerOptions),
      };
      demandReadable(readable, preset.resultRule);
      const { outcome } = winningNumbers(readable, results[preset.key] ?? '', '2026-11-21 21:30:00');
      const numbers = odds.flatMap(([each]) => each);
      expect(new Set(numbers).size, name).toBe(numbers.length);
      if (selection) continue;
      const usual = numbers.some((number) => outcome(number) !== 'LOSE');
      // Of these a draw may well hit none.
      if (!/(同号|通选|极值|形态|组选)/.test(name)) expect(usual, name).toBe(true);
    }
  });

  it('has latitudes of different names and ranges that fit', () => {
    const names = playWaysOf(preset).map(({ latitude }) => latitude.name);
    expect(new Set(names).size).toBe(names.length);
    demandRangesFit(preset.timeRanges, preset.stopBetSecond, 'timeRanges');
  });

  it('goes in whole from the screen, switched off, with a margin for the house', async () => {
    const admin = await server.admin();
    const { data: gameId } = (await admin.call(addGamePreset, { key: preset.key })).envelope;
    const game = (await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === gameId);
    expect(game).toMatchObject({ name: preset.name, status: false, betStatus: false });
    const page = (await admin.call(pagePlayWays, { gameId: given(gameId), pageSize: 9999 })).envelope.data;
    expect(page?.totalCount).toBe(playWaysOf(preset).length);
    expect(game?.resultRule).toEqual(preset.resultRule);
    expect(fitsRule(results[preset.key] ?? '', preset.resultRule)).toBe(true);
    for (const { name, margin, odds, outcomes, oddsFrom, selection, returnRate } of page?.data ?? []) {
      expect(odds.length + outcomes.length, name).toBeGreaterThan(0);
      // What a selection says is in no rows.
      expect(selection !== null && odds.some(({ number }) => number.includes(',')), name).toBe(false);
      expect(oddsFrom === 'OUTCOME' ? odds : outcomes, name).toEqual([]);
      // Every bet of a preset can be reckoned, and leaves the house something.
      expect(Number(returnRate), name).toBeGreaterThan(0.3);
      expect(Number(returnRate), name).toBeLessThan(1);
      if (margin !== null) expect(Number(margin), name).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('presets', () => {
  it.each([
    ['bjpk10', 179, '09:07:45'],
    ['cqssc', 120, '00:05:00'],
    ['jsk3', 82, '08:39:00'],
    ['gd11x5', 84, '09:10:00'],
    ['pc28', 179, '09:05:00'],
    ['fc3d', 1, '21:15:00'],
    ['kl8', 1, '21:30:00'],
  ])('%s draws %i times a day, first at %s', (key, draws, first) => {
    const preset = presets.find((each) => each.key === key);
    const { openRate = 1, timeRanges = [] } = preset ?? {};
    const runs = runsOfDay({ timeZone: 'Asia/Shanghai', openRate, timeRanges }, '2026-11-21');
    expect(runs.reduce((sum, { count }) => sum + count, 0)).toBe(draws);
    const [run] = runs;
    const drawTime = new Date(((run?.start ?? 0) + (run?.rate ?? 0)) * 1000);
    expect(drawTime.toLocaleTimeString('en-GB', { timeZone: 'Asia/Shanghai' })).toBe(first);
  });

  it.each([
    ['ssq', ['2026-11-22', '2026-11-24', '2026-11-26', '2026-11-29']],
    ['marksix', ['2026-11-24', '2026-11-26', '2026-11-28']],
  ])('%s draws on some days of the week only', (key, wanted) => {
    const { openRate = 1, timeRanges = [] } = presets.find((each) => each.key === key) ?? {};
    const schedule = { timeZone: 'Asia/Shanghai', openRate, timeRanges };
    const from = momentOf('2026-11-21 21:15:00', schedule.timeZone);
    const runs = runsBetween(schedule, from, from + 8 * 86_400);
    const days = runs.map(({ start, rate }) => dayOf(start + rate, schedule.timeZone));
    expect(days).toEqual(wanted);
  });

  it('are filed under categories with an icon, in the order they came; one that is there is taken as it is', async () => {
    const admin = await server.admin();
    const list = async () => (await admin.call(pageGameCategories, { pageSize: 9999 })).envelope.data?.data;
    const before = await list();
    const racing = before?.find(({ name }) => name === '赛车');
    expect(racing).toMatchObject({ iconClass: 'ThunderboltOutlined' });
    expect(new Set(before?.map(({ index }) => index)).size).toBe(before?.length);
    await admin.call(addGamePreset, { key: 'bjpk10', name: '幸运飞艇' });
    expect(await list()).toEqual(before);
  });

  it.each([
    // By the calendar of 2026: the draws of the year up to the one that is bet on, or was last.
    ['ssq', '2026-11-21 12:00:00', [2, 4, 7], '2026-11-19'],
    ['ssq', '2026-11-21 21:15:00', [2, 4, 7], '2026-11-22'],
    ['marksix', '2026-11-21 12:00:00', [2, 4, 6], '2026-11-21'],
    ['fc3d', '2026-11-21 12:00:00', [1, 2, 3, 4, 5, 6, 7], '2026-11-21'],
    ['kl8', '2026-01-02 12:00:00', [1, 2, 3, 4, 5, 6, 7], '2026-01-02'],
    // The draw of New Year's Day is the year's first, though betting on it began on the day before.
    ['kl8', '2026-01-01 12:00:00', [1, 2, 3, 4, 5, 6, 7], '2026-01-01'],
    ['ssq', '2025-12-31 22:00:00', [2, 4, 7], '2026-01-01'],
  ])('%s at %s goes on with the count of its year', (key, now, weekdays, last) => {
    let draws = 0;
    for (let day = Date.parse('2026-01-01'); day <= Date.parse(last); day += 86_400_000)
      if (weekdays.includes(new Date(day).getUTCDay() || 7)) draws++;
    const preset = presets.find((each) => each.key === key);
    if (!preset) throw new Error(key);
    const at = { now: new Date(`${now.replace(' ', 'T')}+08:00`), timeZone: 'Asia/Shanghai' };
    expect(firstPhase(preset, at)).toBe(`2026${String(draws).padStart(3, '0')}`);
  });

  it('that number on and on say that the source has other numbers', async () => {
    const admin = await server.admin();
    const { envelope } = await admin.call(addGamePreset, { key: 'pc28', name: '连续' });
    expect(envelope.msg).toBe(
      '新增成功，期号从 1 起连续编号；采集官方结果之前，请用“更新期号”改为官方现在的期号',
    );
  });

  it('of a yearly count say which phase they were reckoned at; the next draws follow it', async () => {
    const admin = await server.admin();
    const { envelope } = await admin.call(addGamePreset, { key: 'fc3d', name: '按年' });
    const game = (await admin.call(listGames, {})).envelope.data?.find(({ id }) => id === envelope.data);
    expect(game?.phase).toMatch(/^20\d\d\d{3}$/);
    expect(envelope.msg).toContain(`当前期号按开奖日程推算为 ${game?.phase}`);
    const year = Number(game?.phase.slice(0, 4));
    const passed = (Date.now() - Date.UTC(year, 0, 1)) / 86_400_000;
    expect(Math.abs(Number(game?.phase.slice(4)) - passed)).toBeLessThan(2);
  });

  it('all added at once to a database without categories go in, filed once each and in an order of their own', async () => {
    const empty = await startTestServer({ sampleData: false });
    try {
      const other = await empty.admin();
      await sql`delete from game_category`.execute(empty.db);
      const added = await Promise.all(
        presets.flatMap(({ key, name }) =>
          [1, 2].map((copy) => other.call(addGamePreset, { key, name: `${name}${copy}` })),
        ),
      );
      expect(added.map(({ envelope }) => envelope.success && envelope.msg?.slice(0, 4))).toEqual(
        added.map(() => '新增成功'),
      );
      const filed = (await other.call(pageGameCategories, { pageSize: 9999 })).envelope.data?.data ?? [];
      expect(filed.map(({ name }) => name).toSorted()).toEqual(
        [...new Set(presets.map(({ gameCategory }) => gameCategory))].toSorted(),
      );
      expect(new Set(filed.map(({ index }) => index)).size).toBe(filed.length);
      expect((await other.call(listGames, {})).envelope.data).toHaveLength(2 * presets.length);
    } finally {
      await empty.close();
    }
  }, 60_000);

  it('take another name, and refuse one that is taken', async () => {
    const admin = await server.admin();
    const add = async (input: { key: string; name?: string }) =>
      (await admin.call(addGamePreset, input)).envelope.data;
    await add({ key: 'pc28', name: '加拿大28' });
    expect(await add({ key: 'pc28', name: '加拿大28' })).toEqual({ errors: { name: '游戏名称已存在' } });
    expect(await add({ key: 'nothing' })).toEqual({ errors: { key: '没有这个模板' } });
    expect((await admin.call(listGamePresets, {})).envelope.data).toHaveLength(9);
  });
});
