import { Decimal } from 'decimal.js';
import { moneyText } from '#contract/money-text.ts';
import type { Change, Hold, Work } from './batch-rows.ts';
import { judging, type Unjudged } from './judging.ts';
import { difference, entriesOf } from './movements.ts';
import type { OpenLine, OpenSlip } from './open-slips.ts';
import { type LineTarget, pendingLine, slipTarget, voidLine } from './target.ts';
import type { VoidInForce } from './voids-in-force.ts';

export type Judge = (line: OpenLine) => LineTarget | Unjudged;

/** What a line should be: void if a void covers it, else as drawn if there is a result, else as placed. */
export function lineJudge(
  work: Pick<Work, 'result'>,
  slips: ReadonlyMap<number, OpenSlip>,
  voids: readonly VoidInForce[],
  rules: ReadonlyMap<number, unknown>,
): Judge {
  const playWays = new Map(voids.map(({ id, playWayId }) => [id, playWayId]));
  const [{ drawTime } = { drawTime: '' }] = slips.values();
  const judge =
    work.result === null
      ? () => pendingLine
      : judging({ result: work.result, drawTime }, (id) => rules.get(id));
  return (line) => {
    const covering = slips.get(line.slipId)?.voids ?? [];
    const isVoid = covering.some((id) => [null, line.playWayId].includes(playWays.get(id) ?? null));
    return isVoid ? voidLine(line.stake) : judge(line);
  };
}

const isSameAmount = (one: string, other: string): boolean => new Decimal(one).equals(other);

const isSameLine = (line: OpenLine, target: LineTarget): boolean =>
  line.status === target.status &&
  line.winningUnits === target.winningUnits &&
  line.pushedUnits === target.pushedUnits &&
  isSameAmount(line.payout, target.payout) &&
  isSameAmount(line.refund, target.refund);

export interface Bounds {
  /** A slip that is paid more than this is held for a person to look at; null: none is. */
  readonly holdAbove: string | null;
  /** Slips that could not be posted, with the problem. */
  readonly aside: ReadonlyMap<number, string>;
  /** Copies of rules that were read already; they never change. */
  readonly rules?: Map<number, unknown>;
}

/** What becomes of a slip: it is changed, held, or (undefined) what it should be already. */
export function decide(
  slip: OpenSlip,
  judge: Judge,
  { holdAbove, aside }: Bounds,
): Change | Hold | undefined {
  const told = slip.lines.map((line) => ({ line, judged: judge(line) }));
  const unread = told.flatMap(({ line, judged }) =>
    'problem' in judged ? [{ id: line.id, problem: judged.problem }] : [],
  );
  const hold = (
    reason: Hold['reason'],
    problem: string,
    payout: string | null,
    held: readonly number[] = [],
  ): Hold => ({
    ...{ slipId: slip.id, reason, problem, payout, lines: held },
  });
  const [first] = unread;
  if (first)
    return hold(
      'UNREADABLE',
      first.problem,
      null,
      unread.map(({ id }) => id),
    );
  const targets = told.flatMap(({ line, judged }) => ('problem' in judged ? [] : [{ line, target: judged }]));
  const target = slipTarget(targets.map((each) => each.target));
  const changed = targets.filter((each) => !isSameLine(each.line, each.target));
  const moving = difference(target, slip);
  if (
    changed.length === 0 &&
    slip.status === target.status &&
    entriesOf(moving, { ...slip, bizOrderNo: '', desc: '' }).length === 0
  )
    return undefined;
  const problem = aside.get(slip.id);
  if (problem !== undefined) return hold('UNPOSTED', problem, moving.payout);
  const isPaid = new Decimal(moving.payout).greaterThan(0);
  if (isPaid && holdAbove !== null && new Decimal(target.payout).greaterThan(holdAbove) && !slip.isReleased)
    return hold(
      'BIG_WIN',
      `派彩 ${moneyText(target.payout)} 超过 ${moneyText(holdAbove)}，待放行`,
      moving.payout,
    );
  const written = changed.map((each) => ({ id: each.line.id, target: each.target }));
  return { slip, n: slip.n + 1, target, moving, lines: written };
}
