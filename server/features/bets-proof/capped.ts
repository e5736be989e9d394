import type { SharedCap } from './handlers-proof.ts';
import { tenThousandths } from './line.ts';
import type { KeptSlip } from './proof-store.ts';
import { type Deciding, lineWanted, type Memory } from './slip-proof.ts';

/** Whether the player's other slips of the phase say something about this one. */
export const isCapped = ({ lines, rules }: Pick<Deciding, 'lines' | 'rules'>): boolean =>
  lines.some(({ rulesId }) => rules.get(rulesId)?.caps?.user !== undefined);

type Payouts = readonly { readonly line: number; readonly payout: bigint; caps: SharedCap[] }[];

/** The payouts of a slip's lines with the caps they share, its own before the player's; nothing where a line cannot be told. */
function payoutsOf(known: Deciding, memory: Memory): Payouts {
  const { slip, lines, rules } = known;
  const owner = ({ gameId, phase, userId }: KeptSlip) => `${gameId}/${phase}/${userId}`;
  try {
    return lines.map((line) => {
      const { slip: ofSlip, user } = rules.get(line.rulesId)?.caps ?? {};
      return {
        line: line.id,
        payout: lineWanted(known, line, memory).payout,
        caps: [
          ...(ofSlip ? [{ ...ofSlip, scope: `slip ${slip.id} ${ofSlip.scope}` }] : []),
          ...(user ? [{ ...user, scope: `user ${owner(slip)} ${user.scope}` }] : []),
        ],
      };
    });
  } catch {
    return [];
  }
}

/** What lines are paid once the caps of slips, then of players, have cut them, in the order of ids. */
export function cutPayouts(slips: readonly Deciding[], memory: Memory): Map<number, bigint> {
  const spent = new Map<string, bigint>();
  const cut = new Map<number, bigint>();
  for (const known of slips.toSorted((one, other) => one.slip.id - other.slip.id))
    for (const { line, payout, caps } of payoutsOf(known, memory)) {
      let left = payout;
      for (const { most, scope } of caps) {
        const room = tenThousandths(most) - (spent.get(scope) ?? 0n);
        if (left > room) left = room > 0n ? room : 0n;
        spent.set(scope, (spent.get(scope) ?? 0n) + left);
      }
      if (caps.length > 0) cut.set(line, left);
    }
  return cut;
}
