import { decimalOf, roundedDown, tenThousandths } from '../bets/decimal.ts';
import { judgeOfDraw } from '../bets/judge-lines.ts';
import type { LineRules } from '../bets/line-rules.ts';
import { cutToCaps, type UncutLine } from '../settlements/caps.ts';
import type { CappedLine } from './capped-lines.ts';

type RulesById = ReadonlyMap<number, LineRules>;

export function rulesOf(rules: RulesById, id: number): LineRules {
  const kept = rules.get(id);
  if (!kept) throw new Error(`the rules ${id} of what is exposed are not there`);
  return kept;
}

const least = (amount: bigint, cap: string | undefined): bigint =>
  cap !== undefined && tenThousandths(cap) < amount ? tenThousandths(cap) : amount;

const uncut = ({ id, slipId, userId }: CappedLine, caps: LineRules['caps'], payout: bigint): UncutLine => ({
  ...{ id, slipId, userId, caps },
  target: { status: 'WON', winningUnits: 1, pushedUnits: 0, payout: decimalOf(payout), refund: '0' },
});

/** What caps of slips and players take off lines that are paid so much. */
function takenOff(lines: readonly UncutLine[]): bigint {
  const cut = cutToCaps(lines);
  return lines.reduce(
    (sum, { id, target }) => sum + tenThousandths(target.payout) - tenThousandths(cut.get(id)?.payout ?? '0'),
    0n,
  );
}

/** What each number of a line is paid if it comes, as exposure adds it up; '' for a line of several numbers to a unit. */
function numbersOf(
  { selection, unitStake, maxPayout, isSplit }: CappedLine,
  { separator, odds, caps }: LineRules,
) {
  if (!isSplit) return [['', tenThousandths(maxPayout)] as const];
  const chosen = new Set(selection.split(separator));
  return odds
    .filter(({ number }) => chosen.has(number))
    .map((row) => {
      const whole = tenThousandths(roundedDown(tenThousandths(unitStake) * tenThousandths(row.odds)));
      return [row.number, least(least(whole, caps?.unit), caps?.line)] as const;
    });
}

export const numberKey = (playWayId: number, number: string): string => `${playWayId} ${number}`;

/** What caps of slips and players take off each number of a play way, this play way alone. */
export function cutByNumber(lines: readonly CappedLine[], rules: RulesById): Map<string, bigint> {
  const paid = new Map<string, UncutLine[]>();
  for (const line of lines) {
    const own = rulesOf(rules, line.rulesId);
    for (const [number, payout] of numbersOf(line, own)) {
      const key = numberKey(line.playWayId, number);
      const list = paid.get(key) ?? [];
      list.push(uncut(line, own.caps, payout));
      paid.set(key, list);
    }
  }
  return new Map([...paid].map(([key, list]) => [key, takenOff(list)]));
}

/** Works out what caps take off all of these lines if a draw comes: of what exposure has added up for them, which knows caps of single numbers alone. */
export function cutByDraw(
  lines: readonly CappedLine[],
  rules: RulesById,
  drawTime: string,
): (result: string) => bigint {
  return (result) => {
    const judge = judgeOfDraw({ result, drawTime });
    const known = new Map<string, bigint>();
    const paid = (line: CappedLine, selection: string, isCapped: boolean): bigint => {
      const key = `${line.rulesId} ${isCapped} ${line.unitStake} ${selection}`;
      const own = rulesOf(rules, line.rulesId);
      const payout =
        known.get(key) ??
        tenThousandths(
          judge({ rules: isCapped ? own : { ...own, caps: undefined }, selection, unitStake: line.unitStake })
            .payout,
        );
      known.set(key, payout);
      return payout;
    };
    const counted = (line: CappedLine): bigint =>
      line.isSplit
        ? line.selection
            .split(rulesOf(rules, line.rulesId).separator)
            .reduce((sum, number) => sum + paid(line, number, true), 0n)
        : paid(line, line.selection, false);
    let taken = 0n;
    const winning: UncutLine[] = [];
    for (const line of lines) {
      const payout = paid(line, line.selection, true);
      taken += counted(line) - payout;
      if (payout > 0n) winning.push(uncut(line, rulesOf(rules, line.rulesId).caps, payout));
    }
    return taken + takenOff(winning);
  };
}
