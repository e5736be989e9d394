const range = /^(\d{1,4})-(\d{1,4})$/;
const MOST = 1000;

/** The numbers that a text names: `01-33` stands for 01 to 33, anything else between commas, spaces or line breaks for itself. */
export function numbersIn(text: string): string[] {
  const parts = text.split(/[,，、;；\s]+/).filter(Boolean);
  return parts.flatMap((part) => {
    const [, from = '', to = ''] = range.exec(part) ?? [];
    const count = Number(to) - Number(from) + 1;
    if (from === '' || count < 1 || count > MOST) return [part];
    return Array.from({ length: count }, (_, step) => String(Number(from) + step).padStart(from.length, '0'));
  });
}

/** What looks like a range and is none, such as `49-01`. */
export const isBrokenRange = (number: string): boolean => range.test(number);
