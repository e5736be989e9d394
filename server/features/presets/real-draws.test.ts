import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SelectionRule } from '#contract/selections.ts';
import { drawnHistory } from '#server/testing/drawn-history.ts';
import { almanacAnimal, springFestivals } from '#server/testing/mark-six-facts.ts';
import {
  type Draw,
  differences,
  outcomes,
  plain,
  playFor,
  playWaysOf,
  sorted,
} from '#server/testing/preset-differences.ts';
import { randomSeed } from '#server/testing/random-seed.ts';
import { realDraws } from '#server/testing/real-draws.ts';
import { judge } from '../bets/judge.ts';
import { poolOf } from '../bets/selection.ts';
import { readSelection } from '../bets/selection-text.ts';
import { fitsRule } from '../draw-records/same-result.ts';
import { animalOf, animalOfYear } from '../result-handlers/zodiac.ts';
import { collectorNamed } from '../spiders/collectors/all.ts';
import type { PresetPlayWay } from './preset.ts';
import { presets } from './registry.ts';

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

it.each(presets.map(({ key }) => key))(
  '%s: some of all the draws that are on record, others at each seed',
  (key) => {
    const draws = drawnHistory[key] ?? [];
    expect(draws.length).toBeGreaterThan(20);
    expect(unfit(key, draws)).toEqual([]);
    // All of them are looked at among the faults.
    const some = Array.from({ length: 6 }, (_, n) => draws[(randomSeed + n * 7_919) % draws.length]);
    expect(some.flatMap((draw) => (draw ? differences(key, draw) : []))).toEqual([]);
  },
);
