import type { SelectionRule } from '#contract/selections.ts';
import { judge } from '#server/features/bets/judge.ts';
import { payoutOf } from '#server/features/bets/payout.ts';
import { playOf } from '#server/features/bets/play.ts';
import { printSelection } from '#server/features/bets/selection-text.ts';
import { unitsOf } from '#server/features/bets/units.ts';
import type { PresetPlayWay } from '#server/features/presets/preset.ts';
import { presets } from '#server/features/presets/registry.ts';
import { winningNumbers } from '#server/features/result-handlers/winning-numbers.ts';
import { everyUnit } from './brute-bets.ts';
import { fewUnits, randomFrom } from './chosen-selections.ts';
import { factsOf } from './draw-facts.ts';
import { randomSeed } from './random-seed.ts';
import { unitFact } from './selection-facts.ts';

/* What the play ways of presets say of draws that took place, against what is told of them without the program's arithmetic. */

/** A draw that took place. */
export interface Draw {
  readonly phase: string;
  readonly date: string;
  readonly result: string;
}

/** `06` is `6`, and each part of `01,06` alike. */
export const plain = (number: string): string =>
  number
    .split(',')
    .map((part) => (/^\d+$/.test(part) ? String(Number(part)) : part))
    .join(',');

/** The play ways that a preset brings. */
export const playWaysOf = (key: string): PresetPlayWay[] =>
  (presets.find((preset) => preset.key === key)?.categories('2025-12-01') ?? []).flatMap((category) =>
    category.subCategories.flatMap((sub) => sub.playWays),
  );

/** What becomes of every single number of a play way. */
export function outcomes({ latitude, odds }: PresetPlayWay, { result, date }: Draw) {
  const { resultIndex, resultHandlerName, handlerOptions } = latitude;
  const options = handlerOptions && JSON.stringify(handlerOptions);
  const readable = { resultIndex, resultHandlerName, handlerOptions: options };
  const { outcome } = winningNumbers(readable, result, `${date} 21:30:00`);
  const all = odds.flatMap(([numbers]) => numbers.map((number) => [plain(number), outcome(number)] as const));
  const those = (what: string) => all.filter(([, told]) => told === what).map(([number]) => number);
  return { wins: those('WIN'), pushes: those('PUSH'), numbers: all.map(([number]) => number) };
}

export const sorted = (numbers: readonly string[]): string => numbers.toSorted().join(' ');

const random = randomFrom(randomSeed);

/** A play way of several numbers, ready to judge. */
export function playFor({ latitude, odds, oddsFrom = 'NUMBER' }: PresetPlayWay, rule: SelectionRule) {
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
export function differences(key: string, draw: Draw): string[] {
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
