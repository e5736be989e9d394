import type { SelectionRule } from '#contract/selections.ts';
import { partsOfRule, type Selection } from '../bets/selection.ts';
import { printSelection } from '../bets/selection-text.ts';
import type { OfferedPlayWay } from '../slips/catalogue.ts';
import type { Dice } from './dice.ts';

/** So many of a list, each once, in the list's order. */
function some(dice: Dice, list: readonly string[], count: number): string[] {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, list.length)) chosen.add(dice.between(0, list.length - 1));
  return list.filter((_, place) => chosen.has(place));
}

/** A number for each part, or as few as make a unit and now and then one more; none of them in two parts. */
function chosenOf(dice: Dice, rule: SelectionRule): Selection {
  const taken = new Set<string>();
  return partsOfRule(rule).map(({ pool, choose }) => {
    const free = rule.kind === 'GROUP' ? pool.filter((number) => !taken.has(number)) : pool;
    const numbers = some(dice, free, choose + (dice.chance(0.3) ? 1 : 0));
    for (const number of numbers) taken.add(number);
    return { bankers: [], numbers };
  });
}

/** What somebody might bet on a play way, as players write it; nothing where there are no odds. */
export function chooseOn(dice: Dice, { selection: rule, odds }: OfferedPlayWay): string | undefined {
  const rows = odds.filter(({ stopped }) => !stopped).map(({ number }) => number);
  if (rows.length === 0) return undefined;
  const chosen = rule
    ? chosenOf(dice, rule)
    : // Nobody bets on both sides of one thing.
      [{ bankers: [], numbers: some(dice, rows, dice.between(1, rows.length > 3 ? 2 : 1)) }];
  const all = odds.map(({ number }) => number);
  return printSelection(chosen, rule, all);
}
