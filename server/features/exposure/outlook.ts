import type { ResultRule } from '#contract/result-rules.ts';
import { paceOfAll } from '#server/pace.ts';
import { MOST_CELLS } from '../bets/book.ts';
import { tenThousandths } from '../bets/decimal.ts';
import { drawSpace, everyDraw, sizeOf } from '../bets/draw-space.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import type { LineRules } from '../bets/line-rules.ts';
import { rulesOf } from './cut.ts';
import type { Exposed, ExposedChoice } from './exposure-store.ts';

/** What is exposed to the draws of a phase. */
export interface Ground {
  readonly drawTime: string;
  readonly numbers: readonly Exposed[];
  readonly choices: readonly ExposedChoice[];
  readonly rules: ReadonlyMap<number, LineRules>;
  /** What caps take off what these come to by a draw. */
  readonly cut: (draw: string) => bigint;
}

/** The house's result by every draw, in ten-thousandths. */
export type Outlook = readonly { readonly draw: string; readonly result: bigint }[];

/** Every draw of a game that has at most a thousand; nothing for one with more, or of which nobody said what a result is. */
export function drawsOf(rule: ResultRule | null): string[] | undefined {
  const space = rule && rule.parts.length > 0 ? drawSpace(rule, '*') : undefined;
  if (!space || sizeOf(space) > BigInt(MOST_CELLS)) return undefined;
  return Array.from(everyDraw(space), (values) => values.join(','));
}

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);

/** What the house keeps of all stakes if a draw comes. */
function resultOf({ drawTime, numbers, choices, rules, cut }: Ground, draw: string, stakes: bigint): bigint {
  const judge = judgeOfDraw({ result: draw, drawTime });
  const paidFor = (rulesId: number, selection: string, unitStake: string) => {
    // What is chosen alike is judged together: what caps cut of a single unit or line says nothing of that.
    return judge({ rules: { ...rulesOf(rules, rulesId), caps: undefined }, selection, unitStake });
  };
  const ofNumbers = numbers
    .filter(({ number }) => number !== '')
    .map(({ rulesId, number, stake, payout }) => {
      const { winningUnits, pushedUnits } = paidFor(rulesId, number, '1');
      if (winningUnits > 0) return tenThousandths(payout);
      return pushedUnits > 0 ? tenThousandths(stake) : 0n;
    });
  const ofChoices = choices.map(({ rulesId, selection, unitStake }) => {
    const { payout, refund } = paidFor(rulesId, selection, unitStake);
    return tenThousandths(payout) + tenThousandths(refund);
  });
  return stakes - sumOf(ofNumbers) - sumOf(ofChoices) + cut(draw);
}

const pace = paceOfAll();

/** The house's result by every draw. Others get their turn between draws, since many lines take their time. */
export async function outlookOf(ground: Ground, draws: readonly string[]): Promise<Outlook> {
  const stakes = sumOf(ground.numbers.map(({ stake }) => tenThousandths(stake)));
  const told: { draw: string; result: bigint }[] = [];
  const breathe = pace();
  for (const draw of draws) {
    told.push({ draw, result: resultOf(ground, draw, stakes) });
    await breathe();
  }
  return told;
}
