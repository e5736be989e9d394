import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { playOf } from '../bets/play.ts';
import { returnsOf } from '../bets/returns.ts';
import type { PresetPlayWay } from './preset.ts';
import { presets } from './registry.ts';

const DATE = '2026-11-21';
const decision = new URL('../../../docs/decisions/0071-what-presets-hold.md', import.meta.url);

interface Line {
  readonly preset: string;
  readonly isOne: RegExp;
  readonly source: string;
  readonly least: number;
  readonly most: number;
}

const patternOf = (names: string): RegExp => {
  const all = names
    .split('、')
    .map((name) => name.replaceAll('\\*', '.*').replaceAll('?', '.'))
    .join('|');
  return new RegExp(`^(${all})$`);
};

/** The lines of the decision's table: where the odds of which play ways are from, and what they return. */
const lines: readonly Line[] = [
  ...readFileSync(decision, 'utf8').matchAll(/^\| (\w+) \| (\S+) \| ([^|]+) \| ([\d.]+) to ([\d.]+) \|$/gm),
].map(([, preset = '', names = '', source = '', least, most]) => ({
  ...{ preset, isOne: patternOf(names), source, least: Number(least), most: Number(most) },
}));

/** What each row of a play way returns; of outcomes all together. Nothing of a row that no unit is paid by. */
function returned(
  { latitude, selection, oddsFrom = 'NUMBER', odds }: PresetPlayWay,
  resultRule: (typeof presets)[number]['resultRule'],
): { rows: (string | null)[]; best: string | null } {
  const { handlerOptions: options } = latitude;
  const play = playOf({
    latitude: { ...latitude, handlerOptions: options && JSON.stringify(options) },
    rows: odds.flatMap(([numbers, each]) => numbers.map((number) => ({ number, odds: each }))),
    ...{ selection: selection ?? null, oddsFrom, resultRule },
  });
  const { rows, best } = returnsOf(play, DATE);
  return { rows: oddsFrom === 'OUTCOME' ? [best] : rows.map((row) => row.returned), best };
}

it.each(presets)('every row of $name has odds whose source is told, and returns what is told', (preset) => {
  const own = lines.filter((line) => line.preset === preset.key);
  const used = new Set<Line>();
  const playWays = preset
    .categories(DATE)
    .flatMap(({ subCategories }) => subCategories.flatMap((sub) => sub.playWays));
  for (const playWay of playWays) {
    const [line, ...others] = own.filter(({ isOne }) => isOne.test(playWay.name));
    if (!line || others.length > 0)
      throw new Error(`${playWay.name} is in ${others.length + 1} lines or none`);
    used.add(line);
    expect(line.source, playWay.name).toMatch(/own|published|official/);
    const { rows, best } = returned(playWay, preset.resultRule);
    expect(Number(best), playWay.name).toBeLessThan(1);
    const told = rows.filter((each) => each !== null);
    // Only of 连尾 a row has such odds that no unit is paid by it.
    expect(rows.length - told.length, playWay.name).toBe(playWay.name.endsWith('连尾') ? 1 : 0);
    for (const each of told) {
      expect(Number(each), playWay.name).toBeGreaterThanOrEqual(line.least);
      expect(Number(each), playWay.name).toBeLessThanOrEqual(line.most);
    }
  }
  expect(own.filter((line) => !used.has(line))).toEqual([]);
});
