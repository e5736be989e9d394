const PLACES = 4;
const UNIT = 10n ** BigInt(PLACES);

/** A decimal of at most four places in ten-thousandths. */
export function tenThousandths(decimal: string): bigint {
  const [whole = '0', places = ''] = decimal.split('.');
  return BigInt(whole + places.padEnd(PLACES, '0'));
}

/** Ten-thousandths as a decimal without zeros at its end. */
export function decimalOf(units: bigint): string {
  const places = String(units % UNIT)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return String(units / UNIT) + (places ? `.${places}` : '');
}

/** An exact quotient rounded up to four places, so that nothing above 1 reads 1. */
export const roundedUp = (above: bigint, below: bigint): string =>
  decimalOf((above * UNIT + below - 1n) / below);

/** A product of two decimals, exact, then rounded down to four places. */
export const roundedDown = (product: bigint): string => decimalOf(product / UNIT);
