const PLACES = 4;
const UNIT = 10n ** BigInt(PLACES);

/** An amount in its smallest unit; nothing when it is none, or none yet. */
function unitsOf(amount: string): bigint | undefined {
  const [, whole, places = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  return whole === undefined ? undefined : BigInt(whole) * UNIT + BigInt(places.padEnd(PLACES, '0'));
}

const textOf = (units: bigint): string => `${units / UNIT}.${String(units % UNIT).padStart(PLACES, '0')}`;

/**
 * What an account has available after an amount was added (1) or taken (-1), exactly; nothing while the amount is no amount or more
 * than can be taken. What comes in pays off what is owed first.
 */
export function availableAfter(
  { availableAmount, debt }: { readonly availableAmount: string; readonly debt: string },
  sign: 1 | -1,
  amount: unknown,
): string | undefined {
  const moved = unitsOf(String(amount ?? ''));
  const available = unitsOf(availableAmount);
  const owed = unitsOf(debt);
  if (moved === undefined || available === undefined || owed === undefined || moved === 0n) return undefined;
  if (sign === -1) return moved > available ? undefined : textOf(available - moved);
  return textOf(available + (moved > owed ? moved - owed : 0n));
}
