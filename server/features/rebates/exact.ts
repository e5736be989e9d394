/** Amounts as whole ten-thousandths and shares as whole millionths: sums and products are exact, however large. */
const fixed = (text: string, places: number): bigint => {
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (!match) throw new Error(`not a decimal: ${text}`);
  const [, sign = '', whole = '', part = ''] = match;
  if (/[1-9]/.test(part.slice(places))) throw new Error(`more than ${places} places: ${text}`);
  const value = BigInt(whole + part.slice(0, places).padEnd(places, '0'));
  return sign === '-' ? -value : value;
};

export const amountOf = (text: string): bigint => fixed(text, 4);
export const shareOf = (text: string): bigint => fixed(text, 6);

const SHARES = 1_000_000n;

/** What products of amounts and shares come to, rounded down; none is negative. */
export const roundedDown = (product: bigint): bigint => product / SHARES;

/** As the database has it: two places at least. */
export const amountText = (amount: bigint): string => {
  const digits = String(amount < 0n ? -amount : amount).padStart(5, '0');
  const places = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -4)}.${places}`;
};

export function lesser(one: bigint, other: bigint): bigint {
  if (one < other) return one;
  return other;
}
