import type { Caps } from './line-rules.ts';

/** What limits say of payouts; scopes tell what is capped together. */
export interface PayoutCaps {
  readonly payoutCapUnit: string | null;
  readonly payoutCapLine: string | null;
  readonly payoutCapSlip: string | null;
  readonly slipScope: string;
  readonly payoutCapUser: string | null;
  readonly payScope: string;
}

const shared = (most: string | null, scope: string) => (most === null ? undefined : { most, scope });

/** What cuts payouts of a play way; nothing where nothing does. */
export function capsOf(limits: PayoutCaps): Caps | undefined {
  const { payoutCapUnit: unit, payoutCapLine: line, slipScope, payScope } = limits;
  const slip = shared(limits.payoutCapSlip, slipScope);
  const user = shared(limits.payoutCapUser, payScope);
  const caps = {
    ...(unit === null ? {} : { unit }),
    ...(line === null ? {} : { line }),
    ...(slip && { slip }),
    ...(user && { user }),
  };
  return Object.keys(caps).length > 0 ? caps : undefined;
}
