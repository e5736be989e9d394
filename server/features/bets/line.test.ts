import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OddsFrom, SelectionRule } from '#contract/selections.ts';
import { betCases } from '#server/testing/bet-cases.ts';
import { everyResult } from '#server/testing/brute-bets.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { judge } from './judge.ts';
import { judgeOfDraw } from './judge-lines.ts';
import { lineOdds, numbersOf, oddsChange, readLine } from './line.ts';
import { lineRulesOf, readLineRules } from './line-rules.ts';
import { payoutOf, refundOf } from './payout.ts';
import { type OddsRow, type Play, playOf } from './play.ts';
import { BadSelection } from './selection.ts';
import { printSelection } from './selection-text.ts';

const drawTime = '2018-09-15 12:00:00';
const latitude = { id: 7, name: '维度' };

const rowsIn = (odds: Record<string, string>): OddsRow[] =>
  Object.entries(odds).map(([number, each]) => ({ number, odds: each }));

function play(
  handler: string,
  odds: readonly OddsRow[],
  selection: SelectionRule | null,
  { oddsFrom = 'OUTCOME', options }: { oddsFrom?: OddsFrom; options?: object } = {},
): Play {
  return playOf({
    latitude: {
      resultIndex: '*',
      resultHandlerName: handler,
      handlerOptions: options && JSON.stringify(options),
    },
    ...{ selection, oddsFrom: selection ? oddsFrom : 'NUMBER', rows: odds, resultRule: null },
  });
}

/** A copy as it comes back from where it is kept. */
const kept = (of: Play, text: string) =>
  readLineRules(JSON.parse(JSON.stringify(lineRulesOf(of, readLine(of, text).selection, latitude))));

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof BadSelection || error instanceof Unreadable) return error.message;
    throw error;
  }
  return undefined;
};

const sides = play('BigSmallHandler', rowsIn({ 大: '1.95', 小: '1.95' }), null, {
  options: { from: 25, push: [49] },
});
const throws = play('ContainsHandler', rowsIn({ 5: '2', '1,1': '13.5', '1,1,2': '60', 6: '2' }), null);
const animals = [...'鼠牛虎兔龙蛇马羊猴鸡狗猪'];
const twoAnimals = play(
  'ZodiacHandler',
  animals.map((number) => ({ number, odds: number === '狗' ? '3' : '4' })),
  { kind: 'COMBINATION', choose: 2, of: animals },
  { oddsFrom: 'LOWEST' },
);
const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
const three = play('ValueHandler', rowsIn({ 前三直选: '970' }), { kind: 'PLACES', places: 3, of: digits });

describe('a line', () => {
  it('is read and counted, and refused with what is wrong', () => {
    expect(readLine(three, '1,2|3|4,5')).toMatchObject({ units: 4 });
    const all = digits.join();
    const five = play('ValueHandler', rowsIn({ 五星直选: '9.7' }), { kind: 'PLACES', places: 6, of: digits });
    expect(refusal(() => readLine(five, Array(6).fill(all).join('|')))).toBe(
      '共 1000000 注，一次不能超过 100000 注',
    );
    const most = play('ValueHandler', rowsIn({ 五星直选: '9.7' }), { kind: 'PLACES', places: 5, of: digits });
    expect(readLine(most, Array(5).fill(all).join('|'))).toMatchObject({ units: 100_000 });
    const distinct: SelectionRule = { kind: 'PLACES', places: 2, of: digits, distinct: true };
    expect(refusal(() => readLine(play('ValueHandler', rowsIn({ 前二: '90' }), distinct), '1|1'))).toBe(
      '所选号码组不成一注',
    );
    expect(refusal(() => readLine(sides, '和'))).toBe('不能选号码 和');
    expect(numbersOf(readLine(three, '1,2|2|4').selection)).toEqual(['1', '2', '4']);
  });

  it('has odds as text where all its units share one, else row by row', () => {
    const odds = (of: Play, text: string) => lineOdds(of, readLine(of, text).selection);
    expect(odds(sides, '大,小')).toBe('1.95');
    expect(odds(throws, '5;1,1')).toEqual(rowsIn({ 5: '2', '1,1': '13.5' }));
    expect(odds(three, '1|2|3')).toBe('970');
    expect(odds(twoAnimals, '狗,鸡')).toBe('3');
    expect(odds(twoAnimals, '猪,鸡,马')).toBe('4');
    expect(odds(twoAnimals, '狗,鸡,猪')).toEqual([
      ...[
        { number: '狗', odds: '3' },
        { number: '鸡', odds: '4' },
        { number: '猪', odds: '4' },
      ],
    ]);
    const bare = play('ValueHandler', [], { kind: 'PLACES', places: 3, of: digits });
    expect(refusal(() => odds(bare, '1|2|3'))).toBe('该玩法还没有赔率');
    const partly = play('ZodiacHandler', rowsIn({ 狗: '3' }), twoAnimals.rule, { oddsFrom: 'LOWEST' });
    expect(refusal(() => odds(partly, '狗,鸡'))).toBe('号码 鸡 还没有赔率');
  });

  it('tells whether its odds are those that were seen, better or worse in any row', () => {
    const change = (of: Play, text: string, seen: Parameters<typeof oddsChange>[2]) =>
      oddsChange(of, readLine(of, text).selection, seen);
    expect(change(sides, '大,小', '1.950')).toBe('SAME');
    expect(change(sides, '大,小', '1.94')).toBe('BETTER');
    expect(change(sides, '大', '1.96')).toBe('WORSE');
    // What was not chosen says nothing, and one worse row outweighs any better one.
    expect(change(throws, '5;1,1', rowsIn({ 5: '1.9', '1,1': '13.5', '1,1,2': '70' }))).toBe('BETTER');
    expect(change(throws, '5;1,1', rowsIn({ 5: '1.9', '1,1': '14' }))).toBe('WORSE');
    expect(change(throws, '5;1,1', rowsIn({ 5: '2' }))).toBe('WORSE');
    expect(change(three, '1|2|3', rowsIn({ 前三直选: '970', 前三组选: '5' }))).toBe('WORSE');
    expect(change(twoAnimals, '狗,鸡', '3')).toBe('SAME');
    expect(change(twoAnimals, '狗,鸡', rowsIn({ 狗: '3', 鸡: '4' }))).toBe('SAME');
    expect(change(twoAnimals, '狗,鸡', rowsIn({ 狗: '3', 鸡: '4.1' }))).toBe('WORSE');
  });
});

describe('a kept copy of rules', () => {
  it('judges as the play way did, and keeps what single numbers stand apart by', () => {
    expect(kept(throws, '5;6')).toEqual({
      ...{ handler: 'ContainsHandler', version: 1, options: {}, separator: ';', selection: null },
      ...{ latitude: { ...latitude, resultIndex: '*' }, oddsFrom: 'NUMBER' },
      odds: rowsIn({ 5: '2', 6: '2' }),
    });
    const judged = judgeOfDraw({ result: '1,5,6', drawTime });
    expect(judged({ rules: kept(throws, '5;6'), selection: '5;6', unitStake: '0.3333' })).toEqual({
      ...{ winningUnits: 2, pushedUnits: 0, payout: '1.3332', refund: '0', status: 'WON' },
    });
    // Options that were left out are in the copy: it does not follow the usual ones.
    expect(kept(play('SumBigSmallHandler', rowsIn({ 大: '1.9' }), null), '大').options).not.toEqual({});
  });

  it('gives back, loses, and rounds down once a line', () => {
    const one = (rules: Play, text: string, result: string, unitStake = '1') =>
      judgeOfDraw({ result, drawTime })({ rules: kept(rules, text), selection: text, unitStake });
    expect(one(sides, '大,小', '49', '2.5')).toMatchObject({
      ...{ winningUnits: 0, pushedUnits: 2, payout: '0', refund: '5', status: 'PUSHED' },
    });
    expect(one(sides, '大', '24')).toMatchObject({ payout: '0', refund: '0', status: 'LOST' });
    const thirds = play('ContainsHandler', rowsIn({ 1: '3.3333', 2: '3.3333', 3: '3.3333' }), null);
    // 3 x 0.0333 x 3.3333 = 0.33299667
    expect(one(thirds, '1,2,3', '3,2,1', '0.0333').payout).toBe('0.3329');
  });

  it('holds what it cannot read, and goes by the day of the plan', () => {
    const rules = kept(twoAnimals, '狗,鸡');
    const line = { rules, selection: '狗,鸡', unitStake: '1' };
    const at = (day: string) => judgeOfDraw({ result: '1,2,4', drawTime: `${day} 12:00:00` })(line).status;
    expect([at('2018-09-15'), at('2019-09-15')]).toEqual(['WON', 'LOST']);
    const judged = judgeOfDraw({ result: '1,x,3', drawTime });
    expect(refusal(() => judged(line))).toBe('结果“x”不是数字');
    const unknown = { ...line, rules: { ...rules, version: 99 } };
    expect(refusal(() => judged(unknown))).toBe('结果处理器 ZodiacHandler 第 99 版已不存在');
    const options = { ...line, rules: { ...rules, options: { push: 'x' } } };
    expect(refusal(() => judged(options))).toBe('注单的处理器参数有误');
    expect(refusal(() => judgeOfDraw({ result: '1', drawTime })({ ...line, selection: '狗,龟' }))).toBe(
      '注单的选号有误：不能选号码 龟',
    );
    expect(refusal(() => readLineRules({ ...rules, odds: [] }))).toBe('注单的规则有误：odds');
  });

  it.each(Object.entries(betCases))('says of every draw what its play way says: %s', (_, cases) => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ play: of, selection }, pick) => {
        const text = printSelection(selection, of.rule, []);
        const results = everyResult(of.rules.resultRule ?? { parts: [] });
        const result = results[pick % results.length]?.join(',') ?? '';
        fc.pre(refusal(() => readLine(of, text)) === undefined);
        const told = judge(selection, of, of.read(result, drawTime));
        const line = { rules: kept(of, text), selection: text, unitStake: '0.7' };
        const judged = judgeOfDraw({ result, drawTime })(line);
        expect(judged.payout).toBe(payoutOf(told, '0.7', of.oddsOf));
        expect(judged.refund).toBe(refundOf(told, '0.7'));
        expect(judged.pushedUnits).toBe(told.pushed);
        expect(judged.status === 'WON').toBe(told.won.length > 0);
      }),
      { seed: randomSeed },
    );
  });
});
