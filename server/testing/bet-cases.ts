import fc from 'fast-check';
import type { SelectionRule } from '#contract/selections.ts';
import { partsOfRule } from '#server/features/bets/selection.ts';
import { unitsOf } from '#server/features/bets/units.ts';
import { type BetCase, build, chosenBy, numbersTo, oneOf, part, small } from './bet-blocks.ts';
import { isInBag, isInOrder, numbersHit, positionsHit } from './brute-bets.ts';

/* Bets on small games, at random, with what a list says of each unit: told without the program's own arithmetic. */

const contains = small.chain(({ count, size, resultRule }) =>
  fc.integer({ min: 1, max: Math.min(6, size) }).chain((choose) => {
    const rule = { kind: 'COMBINATION', choose, of: numbersTo(size) } as const;
    return chosenBy(rule).map(
      (selection): BetCase => ({
        what: '任选',
        play: build({ resultRule, rule, handler: 'ContainsHandler' }),
        selection,
        told: ([unit = []], drawn) =>
          (choose <= count ? unit.every((each) => drawn.includes(each)) : isInBag(drawn, unit))
            ? '3.3333'
            : undefined,
      }),
    );
  }),
);

const byHits = small.chain(({ size, resultRule }) =>
  fc.integer({ min: 1, max: size }).chain((choose) => {
    const rule = { kind: 'COMBINATION', choose, of: numbersTo(size) } as const;
    const prizes = { 无: [[0]], 二: [[2]], 多: [[3], [4]] };
    const odds: Record<number, string> = { 0: '1.5', 2: '2.25', 3: '7.1', 4: '7.1' };
    const rows = Object.entries(prizes).map(([number, [[hits = 0] = []]]) => ({
      number,
      odds: odds[hits] ?? '',
    }));
    return chosenBy(rule).map(
      (selection): BetCase => ({
        what: '命中个数',
        play: build({ resultRule, rule, handler: 'PrizesHandler', options: { prizes }, rows }),
        selection,
        told: ([unit = []], drawn) => odds[positionsHit(unit, drawn)],
      }),
    );
  }),
);

/** Sums, some of which cannot come: of several that are chosen at most one does. */
const sums = small.chain(({ count, size, resultRule }) =>
  fc.integer({ min: 1, max: 3 }).chain((choose) => {
    const of = numbersTo(count * size + 1);
    const rule = { kind: 'COMBINATION', choose, of } as const;
    return chosenBy(rule).map(
      (selection): BetCase => ({
        what: '和值包三',
        play: build({ resultRule, rule, handler: 'SumHandler' }),
        selection,
        told: ([unit = []], drawn) =>
          unit.includes(String(drawn.reduce((sum, each) => sum + Number(each), 0))) ? '3.3333' : undefined,
      }),
    );
  }),
);

const withSpecial = fc.integer({ min: 2, max: 3 }).chain((choose) => {
  const resultRule = oneOf(4, 7, false);
  const rule = { kind: 'COMBINATION', choose, of: numbersTo(7) } as const;
  const prizes = { 中二: [[2, 0]], 中特: [[1, 1]] };
  const rows = [
    { number: '中二', odds: '4.5' },
    { number: '中特', odds: '9' },
  ];
  return chosenBy(rule).map(
    (selection): BetCase => ({
      what: '二中特',
      play: build({ resultRule, rule, handler: 'PrizesHandler', options: { groups: [3, 1], prizes }, rows }),
      selection,
      told: ([unit = []], drawn) => {
        const hits = [numbersHit(unit, drawn.slice(0, 3)), numbersHit(unit, drawn.slice(3))].join();
        return { '2,0': '4.5', '1,1': '9' }[hits];
      },
    }),
  );
});

/** Tails of 1 to 23: 1 to 3 have three numbers each, the others two. */
const tails = fc.integer({ min: 1, max: 3 }).chain((choose) => {
  const resultRule = oneOf(2, 23, false);
  const of = Array.from({ length: 10 }, (_, tail) => `${tail}尾`);
  const rule = { kind: 'COMBINATION', choose, of } as const;
  return fc
    .tuple(chosenBy(rule), fc.array(fc.constantFrom('1.8', '2', '2.05'), { minLength: 10, maxLength: 10 }))
    .map(([selection, odds]): BetCase => {
      const rows = of.map((number, tail) => ({ number, odds: odds[tail] ?? '' }));
      const oddsOf = (number: string) => Number(rows.find((row) => row.number === number)?.odds);
      return {
        what: '连尾',
        play: build({ resultRule, rule, handler: 'TailHandler', rows, lowest: true }),
        selection,
        told: ([unit = []], drawn) => {
          const came = drawn.map((ball) => `${ball.slice(-1)}尾`);
          const isWon = choose <= 2 ? unit.every((each) => came.includes(each)) : isInBag(came, unit);
          return isWon ? String(Math.min(...unit.map(oddsOf))) : undefined;
        },
      };
    });
});

/** In the year of 狗 (2018) the balls 1 to 12 are 狗, 鸡, 猴 and so on downwards. */
const downwards = [...'狗鸡猴羊马蛇龙兔虎牛鼠猪'];
const animals = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.subarray([13, 3])).chain(([choose, push]) => {
  const rule = { kind: 'COMBINATION', choose, of: downwards } as const;
  return chosenBy(rule).map(
    (selection): BetCase => ({
      what: '合肖',
      play: build({ resultRule: oneOf(1, 13, false), rule, handler: 'ZodiacHandler', options: { push } }),
      selection,
      told: ([unit = []], [ball = '']) => {
        if (push.includes(Number(ball))) return 'PUSH';
        return unit.includes(downwards[(Number(ball) - 1) % 12] ?? '') ? '3.3333' : undefined;
      },
    }),
  );
});

const places = small.chain(({ count, size, resultRule }) =>
  fc.boolean().chain((distinct) => {
    const own = Array.from({ length: count }, (_, place) => numbersTo(size - (place % 2)));
    const rule = { kind: 'PLACES', places: count, of: own, distinct } as const;
    return chosenBy(rule).map(
      (selection): BetCase => ({
        what: '直选',
        play: build({ resultRule, rule, handler: 'ValueHandler' }),
        selection,
        told: (unit, drawn) => (isInOrder(unit, drawn) ? '3.3333' : undefined),
      }),
    );
  }),
);

const shapes = [
  [
    { repeat: 2, choose: 1 },
    { repeat: 1, choose: 1 },
  ],
  [{ repeat: 1, choose: 3 }],
  [{ repeat: 2, choose: 2 }],
  [
    { repeat: 2, choose: 1 },
    { repeat: 1, choose: 2 },
  ],
  [
    { repeat: 1, choose: 1 },
    { repeat: 3, choose: 1 },
  ],
  [{ repeat: 2, choose: 1 }],
];
const groups = fc
  .tuple(fc.constantFrom(...shapes), fc.boolean(), fc.integer({ min: 0, max: 1 }), fc.boolean())
  .chain(([parts, shared, more, repeat]) => {
    const count = parts.reduce((sum, each) => sum + each.repeat * each.choose, more);
    const resultRule = oneOf(count, 5, repeat);
    const rule = { kind: 'GROUP', parts, of: numbersTo(5), shared } as const;
    return chosenBy(rule).map(
      (selection): BetCase => ({
        what: '组选',
        play: build({ resultRule, rule, handler: 'ContainsHandler' }),
        selection,
        told: (unit, drawn) => {
          const wanted = unit.flatMap((own, place) =>
            own.flatMap((each) => Array<string>(parts[place]?.repeat ?? 0).fill(each)),
          );
          return isInBag(wanted, drawn) ? '3.3333' : undefined;
        },
      }),
    );
  })
  .filter(({ selection, play }) =>
    selection.every(
      ({ numbers }, place) =>
        numbers.length >=
        (partsOfRule(play.rule ?? { kind: 'COMBINATION', choose: 1, of: [] })[place]?.choose ?? 0),
    ),
  );

const tickets = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 }))
  .chain(([red, blue]) => {
    const resultRule = { parts: [part(3, 5, false), part(1, 3, false)] };
    const rule = {
      kind: 'TICKET',
      parts: [
        { choose: red, of: numbersTo(5), bankers: true },
        { choose: blue, of: numbersTo(3), bankers: true },
      ],
    } satisfies SelectionRule;
    const odds: Record<string, string> = {
      '3,1': '50',
      '3,0': '11.5',
      '2,1': '4.75',
      '1,1': '4.75',
      '0,1': '2',
    };
    const prizes = {
      一等奖: [[3, 1]],
      二等奖: [[3, 0]],
      三等奖: [
        [2, 1],
        [1, 1],
      ],
      四等奖: [[0, 1]],
    };
    const paid = { 一等奖: '50', 二等奖: '11.5', 三等奖: '4.75', 四等奖: '2' };
    const rows = Object.entries(paid).map(([number, each]) => ({ number, odds: each }));
    return chosenBy(rule).map(
      (selection): BetCase => ({
        what: '红蓝球',
        play: build({
          resultRule,
          rule,
          handler: 'PrizesHandler',
          options: { groups: [3, 1], prizes },
          rows,
        }),
        selection,
        told: ([reds = [], blues = []], drawn) =>
          odds[[numbersHit(reds, drawn.slice(0, 3)), numbersHit(blues, drawn.slice(3))].join()],
      }),
    );
  });

/** A line without a unit is refused when it is placed. */
const ofUnits = (cases: fc.Arbitrary<BetCase>) =>
  cases.filter(({ play, selection }) => unitsOf(selection, play.rule) > 0);

/** A kind of selection each. */
export const betCases = {
  contains: ofUnits(contains),
  byHits: ofUnits(byHits),
  sums: ofUnits(sums),
  withSpecial: ofUnits(withSpecial),
  tails: ofUnits(tails),
  animals: ofUnits(animals),
  places: ofUnits(places),
  groups: ofUnits(groups),
  tickets: ofUnits(tickets),
};
