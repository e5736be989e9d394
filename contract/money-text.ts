/** The thousands of a whole number: 1234567 gives 1, 234, 567. */
export const thousands = (whole: string): string[] => whole.replace(/\B(?=(\d{3})+$)/g, ',').split(',');

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
