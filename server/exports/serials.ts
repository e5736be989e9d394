const DAY_MS = 86_400_000;
const DAY_SECONDS = 86_400;
const FIRST_DAY = Date.UTC(1899, 11, 30);
/** Ten digits of a day are a hundred thousandth of a second; a number of a spreadsheet knows hardly more. */
const DIGITS = 10;

/** Days from 1899-12-30 to a date, `YYYY-MM-DD`. */
export function daysOf(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return (Date.UTC(year, month - 1, day) - FIRST_DAY) / DAY_MS;
}

/** What seconds are of a day, in ten billionths of it. */
export const partOfDay = (seconds: number): number => Math.round((seconds * 10 ** DIGITS) / DAY_SECONDS);

const two = (moment: string, from: number): number => Number(moment.slice(from, from + 2));

/** A spreadsheet's number for a moment as the wire has it, `YYYY-MM-DD HH:mm:ss`: days since 1899-12-30, whatever the zone. */
export function serialOf(moment: string): string {
  const days = daysOf(moment.slice(0, 10));
  const seconds = two(moment, 11) * 3600 + two(moment, 14) * 60 + two(moment, 17);
  // What is before the first day is counted back from it.
  if (!(days >= 0 && seconds > 0 && seconds < DAY_SECONDS)) return String(days + seconds / DAY_SECONDS);
  return `${days}.${String(partOfDay(seconds)).padStart(DIGITS, '0').replace(/0+$/, '')}`;
}
