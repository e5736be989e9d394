import { Decimal } from 'decimal.js';
import type { FailureCode } from '#contract/failures.ts';
import { moneyText } from '#contract/money-text.ts';
import { Refusal } from '#server/refusal.ts';
import type { ReadLine } from './wanted-lines.ts';

type Broken = readonly [failure: FailureCode, most: string];

/** The limit of a single line that it breaks. */
function brokenOf({ playWay: { limits }, unitStake, units }: ReadLine): Broken | undefined {
  const { minStake, maxStake, maxLineStake } = limits;
  const stake = new Decimal(unitStake);
  if (minStake !== null && stake.lessThan(minStake)) return ['stakeTooLow', minStake];
  if (maxStake !== null && stake.greaterThan(maxStake)) return ['stakeTooHigh', maxStake];
  if (maxLineStake !== null && stake.times(units).greaterThan(maxLineStake))
    return ['lineStakeTooHigh', maxLineStake];
  return undefined;
}

/** What refuses the first line that breaks a limit of its own, for whoever stands in limits; nothing where none does. */
export function lineBeyondLimits(lines: readonly ReadLine[]): Refusal | undefined {
  for (const [place, line] of lines.entries()) {
    const broken = brokenOf(line);
    if (!broken) continue;
    const values = { place: place + 1, name: line.playWay.name, most: moneyText(broken[1]) };
    return new Refusal(broken[0], { field: 'lines', values });
  }
  return undefined;
}
