import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SelectionRule } from '#contract/selections.ts';
import { everyUnit } from '#server/testing/brute-bets.ts';
import { fewUnits, randomFrom } from '#server/testing/chosen-selections.ts';
import { factsOf } from '#server/testing/draw-facts.ts';
import { almanacAnimal, springFestivals } from '#server/testing/mark-six-facts.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { realDraws } from '#server/testing/real-draws.ts';
import { unitFact } from '#server/testing/selection-facts.ts';
import { judge } from '../bets/judge.ts';
import { payoutOf } from '../bets/payout.ts';
import { playOf } from '../bets/play.ts';
import { poolOf } from '../bets/selection.ts';
import { printSelection, readSelection } from '../bets/selection-text.ts';
import { unitsOf } from '../bets/units.ts';
import { fitsRule } from '../draw-records/same-result.ts';
import { winningNumbers } from '../result-handlers/winning-numbers.ts';
import { animalOf, animalOfYear } from '../result-handlers/zodiac.ts';
import { collectorNamed } from '../spiders/collectors/all.ts';
import type { PresetPlayWay } from './preset.ts';
import { presets } from './registry.ts';

interface Draw {
  readonly phase: string;
  readonly date: string;
  readonly result: string;
}

/** `06` is `6`, and each part of `01,06` alike. */
const plain = (number: string): string =>
  number
    .split(',')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part)) : part))
    .join(',');

const playWaysOf = (key: string): PresetPlayWay[] =>
  (presets.find((preset) => preset.key === key)?.categories('2025-12-01') ?? []).flatMap((category) =>
    category.subCategories.flatMap((sub) => sub.playWays),
  );

function outcomes({ latitude, odds }: PresetPlayWay, { result, date }: Draw) {
  const { resultIndex, resultHandlerName, handlerOptions } = latitude;
  const options = handlerOptions && JSON.stringify(handlerOptions);
  const readable = { resultIndex, resultHandlerName, handlerOptions: options };
  const { outcome } = winningNumbers(readable, result, `${date} 21:30:00`);
  const all = odds.flatMap(([numbers]) => numbers.map((number) => [plain(number), outcome(number)] as const));
  const those = (what: string) => all.filter(([, told]) => told === what).map(([number]) => number);
  return { wins: those('WIN'), pushes: those('PUSH'), numbers: all.map(([number]) => number) };
}

const sorted = (numbers: readonly string[]): string => numbers.toSorted().join(' ');

const random = randomFrom(randomSeed);

/** How many units the numbers of one winning unit win, given in order or each as often as it came. */
function unitsWon(playWay: PresetPlayWay, rule: SelectionRule, unit: string, { result, date }: Draw): number {
  const pool = new Map(poolOf(rule).map((number) => [plain(number), number]));
  const numbers = unit.split(',').map((number) => pool.get(number) ?? number);
  const text = rule.kind === 'PLACES' ? numbers.join('|') : groupText(rule, numbers);
  const play = playFor(playWay, rule);
  const { won } = judge(readSelection(text, rule, []), play, play.read(result, `${date} 21:30:00`));
  return won.reduce((sum, { units }) => sum + units, 0);
}

/** Those that come more often stand in the part that says so. */
function groupText(rule: SelectionRule, numbers: readonly string[]): string {
  const different = [...new Set(numbers)];
  if (rule.kind !== 'GROUP') return numbers.join(',');
  if (rule.shared)
    return different
      .slice(
        0,
        rule.parts.reduce((sum, { choose }) => sum + choose, 0),
      )
      .join(',');
  const times = (number: string) => numbers.filter((each) => each === number).length;
  return rule.parts
    .map(({ repeat }) => different.filter((number) => times(number) === repeat).join(','))
    .join('|');
}

function playFor({ latitude, odds, oddsFrom = 'NUMBER' }: PresetPlayWay, rule: SelectionRule) {
  const rows = odds.flatMap(([numbers, each]) => numbers.map((number) => ({ number, odds: each })));
  const { resultIndex, resultHandlerName, handlerOptions } = latitude;
  const options = handlerOptions && JSON.stringify(handlerOptions);
  const readable = { resultIndex, resultHandlerName, handlerOptions: options };
  return playOf({ latitude: readable, selection: rule, oddsFrom, rows, resultRule: null });
}

/** What a play way's judge says of a selection otherwise than a list of its units. */
function selectionDifferences(
  key: string,
  playWay: PresetPlayWay,
  rule: SelectionRule,
  { phase, result, date }: Draw,
): string[] {
  const { name, odds, oddsFrom } = playWay;
  const drawn = result.split(',');
  const balls = drawn.map(Number);
  const isLiked = (number: string) => balls.includes(Number(number)) || /[^\d]/.test(number);
  const selection = fewUnits(rule, isLiked, random);
  const rows = odds.flatMap(([numbers, each]) => numbers.map((number) => ({ number, odds: each })));
  const oddsOf = (row: string) => Number(rows.find(({ number }) => number === row)?.odds ?? 0);
  const play = playFor(playWay, rule);
  const judged = judge(selection, play, play.read(result, `${date} 21:30:00`));
  const units = everyUnit(selection, rule);
  const facts = units.map((unit) => unitFact(key, name, { unit, drawn, date }));
  const paid = facts.map((fact, place) => {
    if (fact === undefined || fact === 'PUSH') return 0;
    if (oddsFrom === 'LOWEST') return Math.min(...(units[place]?.flat() ?? []).map(oddsOf));
    return fact === 'WON' ? Number(rows[0]?.odds) : oddsOf(fact);
  });
  const wanted = [
    units.length,
    paid.reduce((sum, each) => sum + each, 0),
    facts.filter((fact) => fact === 'PUSH').length,
  ];
  const told = [unitsOf(selection, rule), Number(payoutOf(judged, '1', play.oddsOf)), judged.pushed];
  const isSame = told.every((each, place) => Math.abs(each - (wanted[place] ?? 0)) < 0.0001);
  return isSame
    ? []
    : [`${phase} ${result} ${name} ${printSelection(selection, rule, [])}: ${told}, not ${wanted}`];
}

/** What handlers say of a draw otherwise than its facts, by play way; for each number that can be bet on. */
function differences(key: string, draw: Draw): string[] {
  const facts = factsOf[key]?.(draw.result.split(',').map(Number), draw.date) ?? {};
  return playWaysOf(key).flatMap((playWay) => {
    if (playWay.selection) return selectionDifferences(key, playWay, playWay.selection, draw);
    const { wins, pushes, numbers } = outcomes(playWay, draw);
    const fact = facts[playWay.name];
    if (!fact) return [`${playWay.name}: no facts`];
    const known = new Set(numbers);
    const wanted = [fact.wins, fact.pushes ?? []].map((each) => sorted(each.filter((one) => known.has(one))));
    const told = [sorted(wins), sorted(pushes)];
    const isSame = told.join('|') === wanted.join('|');
    return isSame
      ? []
      : [`${draw.phase} ${draw.result} ${playWay.name}: ${told.join('|')}, not ${wanted.join('|')}`];
  });
}

describe('the presets read draws that took place', () => {
  it.each(realDraws)('$game $phase', ({ game, won, ...draw }) => {
    expect(differences(game, draw)).toEqual([]);
    for (const [name, wanted] of Object.entries(won)) {
      const playWay = playWaysOf(game).find((each) => each.name === name);
      if (!playWay) throw new Error(`no play way ${name}`);
      if (playWay.selection) {
        for (const unit of wanted.split(' ').filter(Boolean))
          expect(unitsWon(playWay, playWay.selection, unit, draw), name).toBe(1);
        continue;
      }
      const { wins, pushes } = outcomes(playWay, draw);
      const [numbers, told] = wanted.startsWith('退 ') ? [wanted.slice(2), pushes] : [wanted, wins];
      expect(sorted(told), name).toBe(sorted(numbers.split(' ').filter(Boolean)));
    }
  });

  it('of every preset', () => {
    expect(new Set(realDraws.map(({ game }) => game)).size).toBe(presets.length);
  });

  it('give balls the animals of the almanac, on both sides of each New Year', () => {
    for (const [first, animal] of Object.entries(springFestivals).slice(1)) {
      const eve = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
      expect(animalOfYear(first)).toBe(animal);
      expect(animalOfYear(eve)).not.toBe(animal);
      for (let ball = 1; ball <= 49; ball++)
        for (const day of [eve, first]) expect(animalOf(ball, day)).toBe(almanacAnimal(ball, day));
    }
  });
});

const bodies = new URL('../../testing/sources/', import.meta.url);
const bodyOf = (file: string): string => readFileSync(new URL(file, bodies), 'utf8');
const chinaDate = (seconds: number): string => new Date((seconds + 28_800) * 1000).toISOString().slice(0, 10);

function collected(collector: string, file: string, options: object | null): Draw[] {
  const settings = { options: options && JSON.stringify(options), timeZone: 'Asia/Shanghai' };
  const rows = collectorNamed(collector)?.read(bodyOf(file), settings) ?? [];
  return rows.map(({ phase, result, openTime }) => ({ phase, result, date: chinaDate(openTime ?? 0) }));
}

/** Numbers that were drawn in games of one kind, as the field told them. */
const tabled = (...games: readonly string[]): Draw[] =>
  [...bodyOf('drawn-numbers.csv').matchAll(/^(\w+),(\d+),([\d-]+),"([\d,]+)"/gm)]
    .filter(([, game = '']) => games.includes(game))
    .map(([, game, phase, date = '', result = '']) => ({ phase: `${game} ${phase}`, result, date }));

const nested = { list: '$.data.backData.lotteryOpen[*]', phase: '$.issueNo', result: '$.lotteryOpen' };
const markSixMap = { list: '$[*]', phase: '$.id', result: "$['no','sno']", openTime: '$.date' };

/** The draws that a game of a preset would not take. */
const unfit = (key: string, draws: readonly Draw[]): Draw[] => {
  const rule = presets.find((preset) => preset.key === key)?.resultRule ?? null;
  return draws.filter(({ result }) => !fitsRule(result, rule));
};

describe('the presets read what sources send', () => {
  it.each([
    ['bjpk10', 'OpenCodeSpider', 'open-code-bjpk10.json', null],
    ['bjpk10', 'OpenCodeSpider', 'open-code-bjpk10-paid.json', null],
    ['cqssc', 'OpenCodeSpider', 'open-code-cqssc.json', null],
    ['jsk3', 'JsonPathSpider', 'nested-jsk3.json', { ...nested, openTime: '$.resultDate' }],
    ['gd11x5', 'OpenCodeSpider', 'open-code-jx11x5.json', null],
    ['marksix', 'JsonPathSpider', 'mark-six.json', markSixMap],
    ['fc3d', 'SportsLotterySpider', 'sports-pls.json', null],
    ['ssq', 'WelfareLotterySpider', 'welfare-ssq.json', null],
    ['ssq', 'OpenCodeSpider', 'open-code-ssq.json', null],
    ['kl8', 'WelfareLotterySpider', 'welfare-kl8.json', null],
    ['kl8', 'PreDrawSpider', 'pre-draw-bjkl8.json', null],
    ['kl8', 'FiveHundredXmlSpider', 'five-hundred-kl8.xml', null],
  ])('%s by %s from %s', (key, collector, file, options) => {
    const draws = collected(collector, file, options);
    expect(draws.length).toBeGreaterThan(0);
    expect(unfit(key, draws)).toEqual([]);
    expect(draws.flatMap((draw) => differences(key, draw))).toEqual([]);
  });

  it.each([
    ['bjpk10', ['BJKC'], 40],
    ['cqssc', ['CQSSC', 'TJSSC', 'XJSSC'], 60],
    ['jsk3', ['JSK3', 'AHK3', 'BJK3', 'GXK3', 'HuBK3', 'JLK3'], 120],
    ['gd11x5', ['GD11X5', 'SD11X5'], 40],
    ['pc28', ['PCDD'], 30],
    ['fc3d', ['FC3D', 'TCPL3'], 40],
    ['kl8', ['BJKL8'], 30],
    // Two decades of it.
    ['ssq', ['SSQ'], 60],
  ])('%s from draws of %s', (key, games, count) => {
    const draws = tabled(...games);
    expect(draws).toHaveLength(count);
    expect(unfit(key, draws)).toEqual([]);
    expect(draws.flatMap((draw) => differences(key, draw))).toEqual([]);
  });

  it('快3 as the source itself called the sides', () => {
    const words: Record<string, string> = { da: '大', xiao: '小', dan: '单', shuang: '双' };
    const { lotteryOpen } = JSON.parse(bodyOf('nested-jsk3.json')).data.backData;
    expect(lotteryOpen).toHaveLength(4);
    for (const { lotteryOpen: result, count, daxiao, danshuang } of lotteryOpen) {
      const told = Object.fromEntries(
        playWaysOf('jsk3').map((playWay) => [
          playWay.name,
          outcomes(playWay, { phase: '', result, date: '2019-04-24' }).wins,
        ]),
      );
      const sides = { 和值大小: [words[daxiao]], 和值单双: [words[danshuang]] };
      expect(told).toMatchObject({ 和值: [String(count)], ...sides });
    }
  });

  it('PC28 from the numbers of 快乐8 that it is drawn from', () => {
    const results = new Map(tabled('PCDD').map(({ phase, result }) => [phase.slice(5), result]));
    const sources = tabled('BJKL8').filter(({ phase }) => results.has(phase.slice(6)));
    expect(sources).toHaveLength(30);
    for (const { phase, result } of sources) {
      const balls = result.split(',').map(Number);
      const digits = [0, 6, 12].map(
        (from) => balls.slice(from, from + 6).reduce((sum, ball) => sum + ball, 0) % 10,
      );
      expect(results.get(phase.slice(6))).toBe(digits.join(','));
    }
  });
});
