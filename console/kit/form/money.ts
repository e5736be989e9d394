import { thousands } from '#contract/money-text.ts';

export { moneyParts, moneyText } from '#contract/money-text.ts';

const PLACES = 8;

/** Exactly what amounts come to, as text with two places at least. */
export function sumOf(amounts: readonly string[]): string {
  const total = amounts.reduce((sum, amount) => {
    const [whole = '', places = ''] = amount.split('.');
    return sum + BigInt(whole + places.slice(0, PLACES).padEnd(PLACES, '0'));
  }, 0n);
  const digits = String(total < 0n ? -total : total).padStart(PLACES + 1, '0');
  const places = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  return `${total < 0n ? '-' : ''}${digits.slice(0, -PLACES)}.${places}`;
}

/** A whole number with its thousands set apart: 1,234,567. */
export const countText = (count: number | string): string => thousands(String(count)).join(',');
