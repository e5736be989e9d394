/** The thousands of a whole number: 1234567 gives 1, 234, 567. */
const thousands = (whole: string): string[] => whole.replace(/\B(?=(\d{3})+$)/g, ',').split(',');

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

interface MoneyParts {
  readonly sign: string;
  readonly groups: readonly string[];
  /** The point and what follows it: two places at least, more only where they are not zero. */
  readonly fraction: string;
}

/** Money apart for showing; worked on as text, so that nothing is ever rounded. */
export function moneyParts(money: string): MoneyParts {
  const [, sign = '', whole = '', places = ''] = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(money) ?? [];
  const kept = places.replace(/0+$/, '').padEnd(2, '0');
  return { sign, groups: thousands(whole), fraction: `.${kept}` };
}

/** Money as a sentence writes it: 1,234,567.50. */
export function moneyText(money: string): string {
  const { sign, groups, fraction } = moneyParts(money);
  return sign + groups.join(',') + fraction;
}

/** A whole number with its thousands set apart: 1,234,567. */
export const countText = (count: number | string): string => thousands(String(count)).join(',');
