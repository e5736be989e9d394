const PLACES = 6;
const SHARES = 10n ** BigInt(PLACES);

/** A share as whole millionths: products with it are exact, however large. */
export function shareOf(text: string): bigint {
  const [, whole = '', part = ''] = /^(\d+)(?:\.(\d{0,6})0*)?$/.exec(text) ?? [];
  if (whole === '') throw new Error(`not a share: ${text}`);
  return BigInt(whole + part.padEnd(PLACES, '0'));
}

/** What products of amounts and shares come to, rounded down; none is negative. */
export const roundedDown = (product: bigint): bigint => product / SHARES;
