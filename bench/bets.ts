import type { ResultRule } from '#contract/result-rules.ts';
import type { SelectionRule } from '#contract/selections.ts';
import { judgeOfDraw } from '#server/features/bets/judge-lines.ts';
import { readLine } from '#server/features/bets/line.ts';
import { lineRulesOf } from '#server/features/bets/line-rules.ts';
import { maxPayout } from '#server/features/bets/max-payout.ts';
import { type OddsRow, type Play, playOf } from '#server/features/bets/play.ts';
import type { Chosen, Selection } from '#server/features/bets/selection.ts';
import { partsOfRule } from '#server/features/bets/selection.ts';
import { printSelection, readSelection } from '#server/features/bets/selection-text.ts';
import { unitsOf } from '#server/features/bets/units.ts';
import { median } from './measure.ts';
import { settling } from './settling.ts';

/*
 * What counting and judging the largest selections takes, and how it compares with going through their units one by one without doing
 * anything with them. Goal: units and winning units within 1 ms. Then what settling takes, see settling.ts. BENCH_ONLY=units|settling does
 * one part, BENCH_SCALE and BENCH_ROUNDS make settling shorter.
 */

const numbersTo = (most: number, from = 1) =>
  Array.from({ length: most - from + 1 }, (_, place) => String(from + place).padStart(2, '0'));
const drum = (count: number, of: readonly string[], repeat = false): ResultRule => ({
  parts: [{ count, of: [...of], repeat, ordered: true }],
});
const digits = numbersTo(9, 0);
const animals = [...'鼠牛虎兔龙蛇马羊猴鸡狗猪'];

interface Case {
  readonly what: string;
  readonly rule: SelectionRule;
  readonly resultRule: ResultRule;
  readonly handler: string;
  readonly options?: object;
  readonly rows?: readonly OddsRow[];
  /** How many numbers of each part are chosen; all where absent. */
  readonly most?: number;
  readonly bankers?: number;
}

const tiers = (hits: readonly number[]) => ({
  options: { prizes: Object.fromEntries(hits.map((each) => [`中${each}`, [[each]]])) },
  rows: hits.map((each) => ({ number: `中${each}`, odds: '2.5' })),
});
const half = (place: number, of: readonly string[]) => of.filter((_, each) => (each + place) % 3 > 0);

const cases: readonly Case[] = [
  {
    what: '快乐8 选十，19 个号码',
    ...{ rule: { kind: 'COMBINATION', choose: 10, of: numbersTo(80) }, resultRule: drum(20, numbersTo(80)) },
    ...{ handler: 'PrizesHandler', most: 19, ...tiers([10, 9, 8, 7, 6, 5, 0]) },
  },
  {
    what: '快乐8 选十，5 个胆码加 75 个号码',
    ...{ rule: { kind: 'COMBINATION', choose: 10, of: numbersTo(80) }, resultRule: drum(20, numbersTo(80)) },
    ...{ handler: 'PrizesHandler', bankers: 5, ...tiers([10, 9, 8, 7, 6, 5, 0]) },
  },
  {
    what: '任选二十，200 个号码',
    ...{
      rule: { kind: 'COMBINATION', choose: 20, of: numbersTo(200) },
      resultRule: drum(20, numbersTo(200)),
    },
    handler: 'ContainsHandler',
  },
  {
    what: '六连肖，12 个生肖',
    ...{ rule: { kind: 'COMBINATION', choose: 6, of: animals }, resultRule: drum(7, numbersTo(49)) },
    ...{
      handler: 'ZodiacHandler',
      rows: animals.map((number, place) => ({ number, odds: `${2 + place}.5` })),
    },
  },
  {
    what: '五星直选，100,000 注',
    ...{ rule: { kind: 'PLACES', places: 5, of: digits }, resultRule: drum(5, digits, true) },
    handler: 'ValueHandler',
  },
  {
    what: '8 位各不相同，各 80 个号码',
    rule: { kind: 'PLACES', places: 8, of: numbersTo(80), distinct: true },
    ...{ resultRule: drum(8, numbersTo(80)), handler: 'ValueHandler' },
  },
  {
    what: '8 位各不相同，各位号码不同',
    rule: {
      ...{ kind: 'PLACES', places: 8, distinct: true },
      of: Array.from({ length: 8 }, (_, place) => half(place * 7, numbersTo(200))),
    },
    ...{ resultRule: drum(8, numbersTo(200)), handler: 'ValueHandler' },
  },
  {
    what: '10 位，各 200 个号码',
    ...{
      rule: { kind: 'PLACES', places: 10, of: numbersTo(200) },
      resultRule: drum(10, numbersTo(200), true),
    },
    handler: 'ValueHandler',
  },
  {
    what: '组选，共用 200 个号码',
    rule: {
      ...{ kind: 'GROUP', of: numbersTo(200), shared: true },
      parts: [3, 2, 1].map((repeat) => ({ repeat, choose: 2 })),
    },
    ...{ resultRule: drum(12, numbersTo(200), true), handler: 'ContainsHandler' },
  },
  {
    what: '双色球，16 个红球 16 个蓝球',
    rule: {
      kind: 'TICKET',
      parts: [
        { choose: 6, of: numbersTo(33), bankers: true },
        { choose: 1, of: numbersTo(16) },
      ],
    },
    resultRule: { parts: [...drum(6, numbersTo(33)).parts, ...drum(1, numbersTo(16)).parts] },
    ...{ handler: 'PrizesHandler', most: 16 },
    options: {
      groups: [6, 1],
      prizes: {
        一等奖: [[6, 1]],
        二等奖: [[6, 0]],
        六等奖: [
          [0, 1],
          [1, 1],
          [2, 1],
        ],
      },
    },
    rows: ['一等奖', '二等奖', '六等奖'].map((number) => ({ number, odds: '2.5' })),
  },
];

const playFor = ({ rule, resultRule, handler, options, rows }: Case): Play =>
  playOf({
    latitude: {
      resultIndex: '*',
      resultHandlerName: handler,
      handlerOptions: options && JSON.stringify(options),
    },
    oddsFrom: handler === 'ZodiacHandler' ? 'LOWEST' : 'OUTCOME',
    ...{ selection: rule, resultRule, rows: rows ?? [{ number: '玩法', odds: '2.5' }] },
  });

function chosenFor({ rule, most, bankers = 0 }: Case): Selection {
  return partsOfRule(rule).map(({ pool }): Chosen => {
    const numbers = pool.slice(0, most);
    return { bankers: numbers.slice(0, bankers), numbers: numbers.slice(bankers) };
  });
}

const resultFor = ({ resultRule }: Case): string =>
  resultRule.parts
    .flatMap(({ count, of, repeat }) =>
      Array.from({ length: count }, (_, place) => of[repeat ? place % 3 : place] ?? ''),
    )
    .join(',');

const ROUNDS = 200;

/** The median of many times, in milliseconds; the first ones warm the machine up. */
function timed(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS * 2 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return median(times.slice(ROUNDS));
}

/** What it takes to touch so many units one by one. */
const listing = (units: number): number => {
  const count = Math.min(units, 100_000);
  let sum = 0;
  const once = timed(() => {
    for (let unit = 0; unit < count; unit++) sum += unit % 7;
  });
  return sum < 0 ? 0 : (once * Math.min(units, 1e12)) / count;
};

const shown = (ms: number): string => ms.toFixed(3).padStart(8);

function units(): void {
  console.log('      注数     计数     读入     判定  最高派彩   计数与判定／逐注一遍   选号');
  for (const one of cases) {
    const play = playFor(one);
    const selection = chosenFor(one);
    const text = printSelection(selection, one.rule, []);
    const units = unitsOf(selection, one.rule);
    const result = resultFor(one);
    const count = timed(() => unitsOf(selection, one.rule));
    const read = timed(() => (units > 100_000 ? readSelection(text, one.rule, []) : readLine(play, text)));
    const rules = lineRulesOf(play, selection, { id: 1, name: one.what });
    const line = { rules, selection: text, unitStake: '2' };
    // A draw is read once for all its lines; what is told of it is told of this line.
    const judge = judgeOfDraw({ result, drawTime: '2026-01-01 12:00:00' });
    const judged = Math.max(0, timed(() => judge(line)) - read);
    const most = timed(() => maxPayout(play, selection, '2', '2026-01-01'));
    const ratio = (count + judged) / listing(units);
    console.log(
      `${(units > 1e9 ? units.toExponential(1) : String(units)).padStart(10)} ${shown(count)} ${shown(read)} ${shown(judged)} ${shown(most)} ${ratio.toExponential(1).padStart(18)}   ${one.what}`,
    );
  }
}

const only = process.env.BENCH_ONLY;
if (only !== 'settling') units();
if (only !== 'units')
  await settling({
    scale: Number(process.env.BENCH_SCALE ?? 1),
    rounds: Number(process.env.BENCH_ROUNDS ?? 3),
  });
