import { Decimal } from 'decimal.js';
import { paceOfAll } from '#server/pace.ts';
import type { Draw } from '../bets/judge-lines.ts';
import { type Judgement, judgeOfDraw } from '../bets/judge-lines.ts';
import type { LineRules } from '../bets/line-rules.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import type { SettledLine } from './settled-lines.ts';

/** What lines came to beside what they would have come to. */
export interface Sums {
  lines: number;
  stake: Decimal;
  paid: Decimal;
  tried: Decimal;
  /** Lines of which something else would have become. */
  changed: number;
  problem: string | null;
}

export const noSums = (): Sums => ({
  ...{ lines: 0, stake: new Decimal(0), paid: new Decimal(0), tried: new Decimal(0) },
  ...{ changed: 0, problem: null },
});

/** A line's own rules, and the ones that are tried on it. */
export interface Rules {
  readonly kept: LineRules;
  readonly tried: LineRules;
}

const pace = paceOfAll();

const came = ({ payout, refund }: Pick<Judgement, 'payout' | 'refund'>) => new Decimal(payout).plus(refund);

/**
 * Judges lines of a phase by the tried rules, and compares with what became of them; where nobody drew the result (`isTyped`), with what
 * their own rules make of it.
 */
export async function tryLines(
  lines: readonly SettledLine[],
  rulesOf: (line: SettledLine) => Rules,
  draw: Draw,
  isTyped: boolean,
): Promise<Sums> {
  const sums = noSums();
  const judge = judgeOfDraw(draw);
  const breathe = pace();
  for (const line of lines) {
    await breathe();
    try {
      const { kept, tried } = rulesOf(line);
      const before = came(isTyped ? judge({ ...line, rules: kept }) : line);
      const after = came(judge({ ...line, rules: tried }));
      sums.lines += 1;
      sums.stake = sums.stake.plus(line.stake);
      sums.paid = sums.paid.plus(before);
      sums.tried = sums.tried.plus(after);
      if (!before.equals(after)) sums.changed += 1;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      sums.problem ??= error.message;
    }
  }
  return sums;
}
