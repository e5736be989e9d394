import fc from 'fast-check';
import { Solar } from 'lunar-typescript';
import { describe, expect, it } from 'vitest';
import { betCases } from '#server/testing/bet-cases.ts';
import { everyResult } from '#server/testing/brute-bets.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import { lineRulesOf } from '../bets/line-rules.ts';
import { printSelection } from '../bets/selection-text.ts';
import { resultHandlers } from '../result-handlers/registry.ts';
import { winningNumbers } from '../result-handlers/winning-numbers.ts';
import { animalOf, animalOfYear } from '../result-handlers/zodiac.ts';
import { animalOfBall, type KeptRules } from './handlers-proof.ts';
import { amountText, tenThousandths, wantedOf } from './line.ts';
import { cameOfNumber } from './units.ts';

const drawTime = '2018-09-15 12:00:00';
const date = '2018-09-15';

describe.each(Object.entries(betCases))('what settles and what proves agree: %s', (_, cases) => {
  it('on units, wins, pushes and money, whatever is chosen and drawn', () => {
    fc.assert(
      fc.property(cases, fc.nat(), fc.integer({ min: 1, max: 99_999 }), (one, pick, stake) => {
        const { play, selection } = one;
        const results = everyResult(play.rules.resultRule ?? { parts: [] });
        const result = (results[pick % results.length] ?? []).join(',');
        const rules = lineRulesOf(play, selection, { id: 1, name: '维度' });
        const text = printSelection(
          selection,
          play.rule,
          play.rules.rows.map(({ number }) => number),
        );
        const unitStake = amountText(BigInt(stake));
        const judged = judgeOfDraw({ result, drawTime })({ rules, selection: text, unitStake });
        const line = {
          ...{ id: 1, slipId: 1, playWayId: 1, rulesId: 1, selection: text, units: 0, unitStake, stake: '0' },
          ...{ status: '', winningUnits: 0, pushedUnits: 0, payout: '0', refund: '0' },
        };
        const wanted = wantedOf(line, JSON.parse(JSON.stringify(rules)), result, date);
        expect({
          ...judged,
          payout: tenThousandths(judged.payout),
          refund: tenThousandths(judged.refund),
        }).toEqual({
          ...{ winningUnits: wanted.winningUnits, pushedUnits: wanted.pushedUnits, status: wanted.status },
          ...{ payout: wanted.payout, refund: wanted.refund },
        });
      }),
      { seed: randomSeed, numRuns: 200 },
    );
  });
});

/** Options and numbers that single bets of each handler are tried with. */
const singles: Record<string, { options: object[]; numbers: string[]; most: number; positions: number[] }> = {
  ValueHandler: { options: [{}], numbers: ['1', '01', '2,1', '1,2,3'], most: 3, positions: [1, 2, 3] },
  SumHandler: { options: [{}], numbers: ['3', '7', '12'], most: 9, positions: [1, 2, 3] },
  BigSmallHandler: {
    options: [{}, { from: 25, push: [49], measure: 'tail' }, { from: 7, measure: 'digitSum' }],
    numbers: ['大', '小'],
    most: 49,
    positions: [1],
  },
  OddEvenHandler: {
    options: [{}, { push: [49], measure: 'digitSum' }],
    numbers: ['单', '双'],
    most: 49,
    positions: [1],
  },
  SumBigSmallHandler: {
    options: [{}, { from: 11, tripleLoses: true }, { from: 6, push: [5] }],
    numbers: ['大', '小'],
    most: 6,
    positions: [2, 3],
  },
  SumOddEvenHandler: {
    options: [{}, { tripleLoses: true }, { push: [5] }],
    numbers: ['单', '双'],
    most: 6,
    positions: [2, 3],
  },
  SumCombinationHandler: {
    options: [{}, { from: 9, tripleLoses: true, push: [4] }],
    numbers: ['大单', '大双', '小单', '小双'],
    most: 9,
    positions: [1, 3],
  },
  SumRangeHandler: {
    options: [{}, { ranges: { 金: [0, 9], 木: [10, 27] } }],
    numbers: ['极小', '极大', '金', '木'],
    most: 9,
    positions: [3],
  },
  DragonTigerHandler: {
    options: [{}, { tie: 'LOSE' }],
    numbers: ['龙', '虎', '和'],
    most: 4,
    positions: [2],
  },
  ContainsHandler: {
    options: [{}],
    numbers: ['1', '1,1', '1,2', '3,2,1', '04'],
    most: 4,
    positions: [1, 3, 5],
  },
  TailHandler: { options: [{}], numbers: ['3尾', '3', '0尾'], most: 49, positions: [1, 3] },
  ShapeHandler: {
    options: [{}, { circle: false }],
    numbers: ['豹子', '顺子', '对子', '半顺', '杂六'],
    most: 9,
    positions: [3],
  },
  ZodiacHandler: {
    options: [{}, { push: [49] }],
    numbers: ['鼠', '马', '狗', '猪'],
    most: 49,
    positions: [1, 3],
  },
  ColourWaveHandler: {
    options: [{}, { scheme: 'REST', push: [13] }],
    numbers: ['红波', '绿波', '蓝波'],
    most: 49,
    positions: [1],
  },
};

it('single numbers of every handler are told alike', () => {
  const tried = resultHandlers.map(({ name }) => name).filter((name) => name !== 'PrizesHandler');
  expect(Object.keys(singles).toSorted()).toEqual(tried.toSorted());
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.entries(singles)),
      fc.nat(),
      fc.infiniteStream(fc.nat()),
      ([handler, facts], pick, stream) => {
        const first = handler === 'ShapeHandler' || handler === 'SumHandler' ? 0 : 1;
        const options = facts.options[pick % facts.options.length] ?? {};
        const positions = facts.positions[pick % facts.positions.length] ?? 1;
        const values = Array.from({ length: positions }, () =>
          String(first + ((stream.next().value ?? 0) % (facts.most + 1 - first))),
        );
        const found = resultHandlers.find(({ name }) => name === handler);
        const filled = found?.options.parse(options) ?? {};
        const rules: KeptRules = {
          ...{ handler, options: filled, latitude: { resultIndex: '*' }, selection: null, separator: ';' },
          ...{ oddsFrom: 'NUMBER', odds: [] },
        };
        const latitude = {
          resultIndex: '*',
          resultHandlerName: handler,
          handlerOptions: JSON.stringify(options),
        };
        const winning = winningNumbers(latitude, values.join(','), drawTime);
        for (const number of facts.numbers) {
          const came = cameOfNumber(number, { values, date }, rules);
          const outcome = came === 'push' ? 'PUSH' : came === 'lost' ? 'LOSE' : 'WIN';
          expect([handler, options, values, number, outcome]).toEqual([
            handler,
            options,
            values,
            number,
            winning.outcome(number),
          ]);
        }
      },
    ),
    { seed: randomSeed, numRuns: 3_000 },
  );
});

it('animals of balls follow the lunar year, whoever reckons it', () => {
  for (let year = 1990; year < 2040; year++)
    for (const day of [`${year}-01-20`, `${year}-02-04`, `${year}-02-12`, `${year}-02-20`, `${year}-12-31`]) {
      const [y = 0, m = 0, d = 0] = day.split('-').map(Number);
      expect(animalOfBall(1, day)).toBe(Solar.fromYmd(y, m, d).getLunar().getYearShengXiao());
      expect([2, 13, 49].map((ball) => animalOfBall(ball, day))).toEqual(
        [2, 13, 49].map((ball) => animalOf(ball, day)),
      );
      expect(animalOfYear(day)).toBe(animalOfBall(49, day));
    }
});
