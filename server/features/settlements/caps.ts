import { z } from 'zod';
import { decimalOf, lesser, tenThousandths } from '../bets/decimal.ts';
import { Caps } from '../bets/line-rules.ts';
import type { LineTarget } from './target.ts';

const kept = z.object({ caps: Caps.optional() });

/** The caps that a copy of rules keeps, where slips and players are capped by it. */
export function sharedCapsOf(rules: unknown): Pick<Caps, 'slip' | 'user'> | undefined {
  const caps = kept.safeParse(rules).data?.caps;
  return caps?.slip || caps?.user ? caps : undefined;
}

/** What a line is paid before slip and player are capped. */
export interface UncutLine {
  readonly id: number;
  readonly slipId: number;
  readonly userId: number;
  readonly caps: Pick<Caps, 'slip' | 'user'> | undefined;
  readonly target: LineTarget;
}

type Paid = Map<string, bigint>;

/** Takes of what may still be paid under a cap, besides what its scope was paid before. */
function take(paid: Paid, of: number, cap: Caps['slip'], wanted: bigint): bigint {
  if (!cap) return wanted;
  const scope = `${of} ${cap.scope}`;
  const before = paid.get(scope) ?? 0n;
  const left = tenThousandths(cap.most) - before;
  const taken = left > 0n ? lesser(wanted, left) : 0n;
  paid.set(scope, before + taken);
  return taken;
}

/**
 * Cuts lines to the caps of their slips, then to those of their players: each is paid what those before it leave, by the order of slips and lines, so
 * that whoever works it out again, by another result too, comes to the same.
 */
export function cutToCaps(lines: readonly UncutLine[]): Map<number, LineTarget> {
  const slips: Paid = new Map();
  const users: Paid = new Map();
  const inOrder = lines.toSorted((one, other) => one.slipId - other.slipId || one.id - other.id);
  return new Map(
    inOrder.map(({ id, slipId, userId, caps, target }) => {
      if (!caps || target.status !== 'WON') return [id, target];
      const ofSlip = take(slips, slipId, caps.slip, tenThousandths(target.payout));
      const payout = decimalOf(take(users, userId, caps.user, ofSlip));
      return [id, { ...target, payout }];
    }),
  );
}
