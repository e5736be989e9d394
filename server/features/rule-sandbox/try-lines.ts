import { Decimal } from 'decimal.js';
import { given } from '#server/given.ts';
import { paceOfAll } from '#server/pace.ts';
import type { Draw } from '../bets/judge-lines.ts';
import { type Judgement, judgeOfDraw } from '../bets/judge-lines.ts';
import type { Caps, LineRules } from '../bets/line-rules.ts';
import { Unreadable } from '../result-handlers/result-handler.ts';
import { cutToCaps } from '../settlements/caps.ts';
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

/** What a line is judged to by some rules, before slip and player are capped. */
interface Side {
  readonly line: SettledLine;
  readonly caps: Caps | undefined;
  readonly target: Judgement;
}

/** What lines come to on one side after every cap, as settling cuts them. */
function afterCaps(sides: readonly Side[]): (line: SettledLine) => Decimal {
  const cut = cutToCaps(
    sides.map(({ line: { id, slipId, userId }, caps, target }) => ({ id, slipId, userId, caps, target })),
  );
  return ({ id }) => came(given(cut.get(id)));
}

/** Lines of a phase that rules are tried on, and those that share their caps, which stay as they are. */
interface Phase {
  readonly lines: readonly SettledLine[];
  readonly beside: readonly SettledLine[];
}

/** What is compared: lines that can be judged by the tried rules, and both sides. */
interface Compared {
  readonly lines: readonly SettledLine[];
  readonly before: (line: SettledLine) => Decimal;
  readonly after: (line: SettledLine) => Decimal;
  readonly problem: string | null;
}

async function compared(
  { lines, beside }: Phase,
  rulesOf: (line: SettledLine) => Rules,
  draw: Draw,
  isTyped: boolean,
): Promise<Compared> {
  const [told, before, after]: [SettledLine[], Side[], Side[]] = [[], [], []];
  let problem: string | null = null;
  const judge = judgeOfDraw(draw);
  const sideOf = (line: SettledLine, rules: LineRules): Side => ({
    ...{ line, caps: rules.caps },
    target: judge({ ...line, rules }),
  });
  const breathe = pace();
  const all = [
    ...beside.map((line) => ({ line, isTried: false })),
    ...lines.map((line) => ({ line, isTried: true })),
  ];
  for (const { line, isTried } of all) {
    await breathe();
    try {
      const { kept, tried } = rulesOf(line);
      const own = isTyped ? [sideOf(line, kept)] : [];
      after.push(sideOf(line, isTried ? tried : kept));
      before.push(...own);
      if (isTried) told.push(line);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (isTried) problem ??= error.message;
    }
  }
  return { lines: told, before: isTyped ? afterCaps(before) : came, after: afterCaps(after), problem };
}

/**
 * Judges lines of a phase by the tried rules, and compares with what became of them; where nobody drew the result (`isTyped`), with what
 * their own rules make of it. Both sides are after every cap.
 */
export async function tryLines(
  phase: Phase,
  rulesOf: (line: SettledLine) => Rules,
  draw: Draw,
  isTyped: boolean,
): Promise<Sums> {
  const { lines, before, after, problem } = await compared(phase, rulesOf, draw, isTyped);
  const sums = { ...noSums(), problem };
  for (const line of lines) {
    const [paid, tried] = [before(line), after(line)];
    sums.lines += 1;
    sums.stake = sums.stake.plus(line.stake);
    sums.paid = sums.paid.plus(paid);
    sums.tried = sums.tried.plus(tried);
    if (!paid.equals(tried)) sums.changed += 1;
  }
  return sums;
}
