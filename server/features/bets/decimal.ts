const PLACES = 4;
const UNIT = 10n ** BigInt(PLACES);

/** A decimal of at most four places in ten-thousandths; it may be below zero. Throws where it has more. */
export function tenThousandths(decimal: string): bigint {
  const [whole = '0', places = ''] = decimal.split('.');
  if (places.length > PLACES) throw new RangeError(`${decimal} has more than ${PLACES} places`);
  return BigInt(whole + places.padEnd(PLACES, '0'));
}

/** Ten-thousandths as a decimal without zeros at its end. */
export function decimalOf(units: bigint): string {
  const places = String(units % UNIT)
    .padStart(PLACES, '0')
    .replace(/0+$/, '');
  return String(units / UNIT) + (places ? `.${places}` : '');
}

/** Ten-thousandths as the database has money: with two decimals at least. */
export function moneyOf(units: bigint): string {
  const [whole = '0', places = ''] = decimalOf(units < 0n ? -units : units).split('.');
  return `${units < 0n ? '-' : ''}${whole}.${places.padEnd(2, '0')}`;
}

/** The lesser of two amounts. */
export const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);

/** An exact quotient rounded up to four places, so that nothing above 1 reads 1. */
export const roundedUp = (above: bigint, below: bigint): string =>
  decimalOf((above * UNIT + below - 1n) / below);

/** A product of two decimals, exact, then rounded down to four places. */
export const roundedDown = (product: bigint): string => decimalOf(product / UNIT);
