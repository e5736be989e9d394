const DEEPEST = 32;
/** The longest table of odds has 1,000 rows, the longest list of ids 10,000. */
const MOST_VALUES = 50_000;

/** Whether JSON text nests deeper than any call needs, or holds more values. Read before parsing, so that neither costs anything. */
export function isOutsized(text: string): boolean {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (inString) {
      if (char === 0x5c) i++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x5b || char === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (char === 0x5d || char === 0x7d) depth--;
    else if (char === 0x2c && ++values > MOST_VALUES) return true;
  }
  return false;
}

/** Text that may hold a number which binary floating point cannot keep: little has one. */
const mayBeInexact = (text: string): boolean => /[\d.]{16}|\d[eE][-+\d]/.test(text);

/** Texts, which are left as they are, and numbers of many digits or with an exponent. */
const textsAndLongNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:[\d.]{16,}(?:[eE][-+]?\d+)?|[\d.]+[eE][-+]?\d+)/g;

/** The digits of a number that say something, and the power of ten of the last: 1.50 and 15e-1 are one. */
function tellingDigits(source: string): string {
  const parts = /^-?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(source);
  const [, whole = '', fraction = '', exponent = '0'] = parts ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const telling = digits.replace(/0+$/, '');
  if (telling === '') return '0';
  return `${telling}e${Number(exponent) - fraction.length + digits.length - telling.length}`;
}

/** A longer number stays a text even where it would be kept: to look for its last digit takes the square of its noughts. */
const LONGEST_NUMBER = 100;

const isKept = (source: string): boolean => {
  const kept = String(Number(source));
  return (
    kept === source || (source.length <= LONGEST_NUMBER && tellingDigits(kept) === tellingDigits(source))
  );
};

/** As JSON.parse, but a number that would be rounded stays the text it was sent as, for the fields to judge. */
export function parseJson(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!mayBeInexact(text)) return parsed;
  // Looking at every value while it is parsed costs fifty times as much.
  return JSON.parse(
    text.replace(textsAndLongNumbers, (found) =>
      found.startsWith('"') || isKept(found) ? found : `"${found}"`,
    ),
  );
}
