import { z } from 'zod';
import type { FailureCode } from '#contract/failures.ts';
import { wordOf } from '#contract/fields.ts';
import { moneyText } from '#contract/money-text.ts';
import { limitPeriod } from '#contract/player-limits.ts';
import { Refusal } from '#server/refusal.ts';

const running = { DAY: '今日', WEEK: '本周', MONTH: '本月' } as const;

/** What loss_over and deposit_in_the_way (db/schema.sql) tell of the limit that would be exceeded. */
const exceeded = z.object({ period: limitPeriod, most: z.string(), left: z.string() });

/** The limit of a player that something is refused for, and what is left of it. */
export function refusalOfPlayerLimit(failure: FailureCode, told: unknown, field: string): Refusal {
  const { period, most, left } = exceeded.parse(told);
  const values = {
    period: wordOf(limitPeriod, period),
    now: running[period],
    most: moneyText(most),
    left: moneyText(left),
  };
  return new Refusal(failure, { field, values });
}
