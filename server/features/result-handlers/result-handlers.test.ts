import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findResultHandler, resultHandlers } from './registry.ts';
import { Unreadable } from './result-handler.ts';
import { shapeOf } from './shape.ts';
import { type ReadableLatitude, valuesOf, winningNumbers } from './winning-numbers.ts';
import { animalOf, animalOfYear } from './zodiac.ts';

/** What a latitude says of a result, and what its handler names by itself. */
function readBy(latitude: ReadableLatitude, result: string, date: string) {
  const { outcome, among } = winningNumbers(latitude, result, `${date} 12:00:00`);
  return { outcome, among, ...among([]) };
}

/** Reads a result by a handler; options as the operator would write them. */
const read = (name: string, resultIndex: string, result: string, options?: object, date = '2018-09-15') =>
  readBy(
    { resultHandlerName: name, resultIndex, handlerOptions: options && JSON.stringify(options) },
    result,
    date,
  );
const winners = (...args: Parameters<typeof read>) => read(...args).winners;

describe('result handlers on draws as they were', () => {
  it('read PK10: champion, sides, dragon and tiger, sum of the first two', () => {
    const draw = '06,05,10,03,01,09,07,08,02,04';
    expect(winners('ValueHandler', '0', draw)).toEqual(['6']);
    expect(read('ValueHandler', '0', draw).outcome('06')).toBe('WIN');
    expect(winners('BigSmallHandler', '0', draw, { from: 6 })).toEqual(['大']);
    expect(winners('BigSmallHandler', '1', draw, { from: 6 })).toEqual(['小']);
    expect(winners('DragonTigerHandler', '0,9', draw)).toEqual(['龙']);
    expect(winners('SumHandler', '0,1', draw)).toEqual(['11']);
    // 冠亚和 11 is small and odd.
    expect(winners('SumBigSmallHandler', '0,1', draw, { from: 12 })).toEqual(['小']);
    expect(winners('SumOddEvenHandler', '0,1', draw)).toEqual(['单']);
  });

  it('read 时时彩: sum, tie, shapes, digits over the turn from 9 to 0', () => {
    expect(winners('SumBigSmallHandler', '*', '4,9,3,5,2')).toEqual(['大']);
    expect(winners('SumBigSmallHandler', '*', '4,9,2,5,2')).toEqual(['小']);
    expect(read('DragonTigerHandler', '0,4', '4,9,3,5,4').outcome('龙')).toBe('PUSH');
    expect(read('DragonTigerHandler', '0,4', '4,9,3,5,4').outcome('和')).toBe('WIN');
    expect(read('DragonTigerHandler', '0,4', '4,9,3,5,4', { tie: 'LOSE' }).outcome('龙')).toBe('LOSE');
    const shapes = { '7,7,7': '豹子', '9,0,1': '顺子', '8,0,9': '顺子', '0,5,9': '半顺', '3,3,8': '对子' };
    for (const [draw, shape] of Object.entries(shapes))
      expect(winners('ShapeHandler', '0,1,2', draw)).toEqual([shape]);
    expect(winners('ShapeHandler', '0,1,2', '1,3,6')).toEqual(['杂六']);
  });

  it('read 快3: sum from 11 is big; combinations count each die once', () => {
    expect(winners('SumBigSmallHandler', '*', '2,3,6', { from: 11 })).toEqual(['大']);
    expect(winners('SumBigSmallHandler', '*', '2,3,5', { from: 11 })).toEqual(['小']);
    const dice = read('ContainsHandler', '*', '1,1,5');
    expect(['1', '5', '1,1', '1,1,5', '1-5'].map(dice.outcome)).toEqual(Array(5).fill('WIN'));
    expect(['2', '5,5', '1,1,1'].map(dice.outcome)).toEqual(Array(3).fill('LOSE'));
    expect(winners('ShapeHandler', '*', '1,6,5', { circle: false })).toEqual(['半顺']);
  });

  it('read 六合彩: 49 gives the stake back on sides and keeps its colour; animals follow the lunar year', () => {
    const draw = '7+10+11+19+25+30+49';
    for (const handler of ['BigSmallHandler', 'OddEvenHandler'])
      expect(read(handler, '6', draw, { push: [49] }).pushes).toHaveLength(2);
    expect(winners('BigSmallHandler', '4', draw, { from: 25, push: [49] })).toEqual(['大']);
    expect(winners('BigSmallHandler', '5', draw, { from: 7, measure: 'digitSum' })).toEqual(['小']);
    expect(winners('ColourWaveHandler', '6', draw)).toEqual(['绿波']);
    expect(winners('ColourWaveHandler', '4', draw)).toEqual(['蓝波']);
    expect(winners('TailHandler', '4,5', draw)).toEqual(['5尾', '5', '0尾', '0']);
    // Spring Festival of 2024 was on 10 February.
    expect([animalOfYear('2024-02-09'), animalOfYear('2024-02-10')]).toEqual(['兔', '龙']);
    expect(winners('ZodiacHandler', '6', draw, undefined, '2024-02-10')).toEqual(['龙']);
    expect(winners('ZodiacHandler', '6', draw, undefined, '2024-02-09')).toEqual(['兔']);
  });

  it('read PC28 and 快乐8 by their parts of the sum', () => {
    expect(winners('SumRangeHandler', '*', '0,2,3')).toEqual(['极小']);
    expect(winners('SumRangeHandler', '*', '4,2,3')).toEqual([]);
    expect(winners('SumCombinationHandler', '*', '4,5,6')).toEqual(['大单']);
    expect(winners('ColourWaveHandler', '*', '4,5,6', { scheme: 'REST' })).toEqual(['红波']);
    expect(read('ColourWaveHandler', '*', '4,5,5', { scheme: 'REST', push: [14] }).pushes).toHaveLength(3);
  });

  it('say what they cannot read', () => {
    expect(() => read('ValueHandler', '5', '1,2,3')).toThrow(new Unreadable('结果“1,2,3”没有位置 5'));
    expect(() => read('SumHandler', '*', '1,x')).toThrow('结果“x”不是数字');
    expect(() => read('DragonTigerHandler', '*', '1,2,3')).toThrow('龙虎不能用于 3 个位置');
    expect(() => read('NoHandler', '0', '1')).toThrow(Unreadable);
  });
});

describe('result handlers whatever is drawn', () => {
  const ball = fc.integer({ min: 0, max: 49 });

  it('give every word exactly one outcome, and both sides never the same but in a push', () => {
    fc.assert(
      fc.property(ball, ball, fc.array(ball, { maxLength: 3 }), (from, drawn, push) => {
        const { winners: won, pushes, outcome } = read('BigSmallHandler', '0', String(drawn), { from, push });
        expect(won.length + pushes.length / 2).toBe(1);
        const isPush = push.includes(drawn);
        expect(outcome('大')).toBe(isPush ? 'PUSH' : drawn >= from ? 'WIN' : 'LOSE');
        expect(outcome('小')).toBe(isPush ? 'PUSH' : drawn < from ? 'WIN' : 'LOSE');
      }),
    );
  });

  it('do not depend on leading zeros or on how the result is written', () => {
    fc.assert(
      fc.property(fc.array(ball, { minLength: 3, maxLength: 3 }), (balls) => {
        const written = [balls.join(','), balls.map((one) => String(one).padStart(2, '0')).join(' ')];
        const [plain, padded] = written.map((result) => winners('ContainsHandler', '*', result));
        expect(padded).toEqual(plain);
        expect(valuesOf(balls.join('+'))).toEqual(balls.map(String));
      }),
    );
  });

  it('split the thousand draws of three digits into the shapes as the odds of the field assume', () => {
    const counts: Record<string, number> = {};
    for (let draw = 0; draw < 1000; draw++) {
      const shape = shapeOf([Math.floor(draw / 100), Math.floor(draw / 10) % 10, draw % 10], true);
      counts[shape] = (counts[shape] ?? 0) + 1;
    }
    expect(counts).toEqual({ 豹子: 10, 顺子: 60, 对子: 270, 半顺: 360, 杂六: 300 });
  });

  it('tell which numbers a winner gives back, as draws do', () => {
    const told = resultHandlers.flatMap((handler) =>
      [{}, { tie: 'PUSH' }, { tie: 'LOSE' }, { push: [3, 4] }]
        .filter((options) => handler.options.safeParse(options).success)
        .map((options) => ({ handler, options })),
    );
    for (const { handler, options } of told) {
      const seen = new Map<string, readonly string[]>();
      for (let draw = 0; draw < 1_000; draw++) {
        const values = String(draw).padStart(3, '0').split('').slice(-handler.positions[1]);
        const { winners: won, pushes } = handler.prepare(options)({ values, date: '2024-02-10' });
        if (pushes.length > 0) for (const winner of won) seen.set(winner, pushes);
      }
      const those = [...handler.givenBackWith(options)].filter(([, pushes]) => pushes.length > 0);
      expect(new Map(those), `${handler.name} ${JSON.stringify(options)}`).toEqual(seen);
    }
  });

  it('go round the twelve animals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 37 }), (number) => {
        expect(animalOf(number + 12, '2018-09-15')).toBe(animalOf(number, '2018-09-15'));
      }),
    );
  });
});

describe('the registry', () => {
  it('knows each by its name, in short and by its title; usual options suffice', () => {
    for (const handler of resultHandlers) {
      expect(findResultHandler(handler.name)).toBe(handler);
      expect(findResultHandler(handler.title)).toBe(handler);
      expect(() => handler.prepare({})).not.toThrow();
      expect(() => handler.prepare({ nonsense: 1 })).toThrow();
    }
    expect(findResultHandler('bigSmall')?.title).toBe('大小');
  });
});
