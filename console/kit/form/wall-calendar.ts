import { writtenDay } from '#contract/written-day.ts';
import { platformZone, wallClock } from '../call/platform-zone.ts';
import { serverNow } from '../call/server-clock.ts';

/**
 * The date pickers' calendar over wall-clock times. A `Date` stands here for what a clock on the platform's wall shows,
 * kept in its UTC fields: no zone and no clock change of the browser can ever shift what was picked.
 */
const changed = (date: Date, change: (copy: Date) => void): Date => {
  const copy = new Date(date);
  change(copy);
  return copy;
};

const DAY_MS = 86_400_000;

const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** The same day some months on, or that month's last day where it is shorter. */
const addMonths = (date: Date, months: number): Date =>
  changed(date, (copy) => {
    const day = copy.getUTCDate();
    copy.setUTCDate(1);
    copy.setUTCMonth(copy.getUTCMonth() + months);
    copy.setUTCDate(Math.min(day, daysInMonth(copy.getUTCFullYear(), copy.getUTCMonth())));
  });

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

const tokens: Readonly<Record<string, (date: Date) => string>> = {
  YYYY: (date) => pad(date.getUTCFullYear(), 4),
  MM: (date) => pad(date.getUTCMonth() + 1),
  M: (date) => String(date.getUTCMonth() + 1),
  DD: (date) => pad(date.getUTCDate()),
  D: (date) => String(date.getUTCDate()),
  HH: (date) => pad(date.getUTCHours()),
  mm: (date) => pad(date.getUTCMinutes()),
  ss: (date) => pad(date.getUTCSeconds()),
};

export const formatWall = (date: Date, format: string): string =>
  format.replace(/YYYY|MM?|DD?|HH|mm|ss/g, (token) => tokens[token]?.(date) ?? token);

const shapes: readonly [RegExp, (text: string) => string][] = [
  [/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, (text) => `${text.replace(' ', 'T')}Z`],
  [/^\d{4}-\d{2}-\d{2}$/, (text) => `${text}T00:00:00Z`],
  [/^\d{2}:\d{2}:\d{2}$/, (text) => `2000-01-01T${text}Z`],
];

/** Reads a wire moment, day or time of day; null for anything else, such as the 30th of February. */
export function parseWall(text: unknown): Date | null {
  if (typeof text !== 'string') return null;
  const shape = shapes.find(([pattern]) => pattern.test(text));
  const date = shape && new Date(shape[1](text));
  if (!date || Number.isNaN(date.getTime())) return null;
  // `Date` turns the 30th of February into March: what does not come back as written was no date.
  const back = formatWall(date, 'YYYY-MM-DD HH:mm:ss');
  return back.includes(text) ? date : null;
}

/** A time of day as it is typed, `8:30`, from its first second or to its last. */
function clockOf(typed: string, isEnd: boolean): string {
  const [, hour = '', minute = '', second = isEnd ? '59' : '00'] =
    /^(\d{1,2})[:：](\d{1,2})(?:[:：](\d{1,2}))?$/.exec(typed) ?? [];
  return [hour, minute, second].map((part) => part.padStart(2, '0')).join(':');
}

/**
 * What is typed as a picker's format has it, however its day is written; undefined where it is none. A day alone begins with its first second,
 * or ends with its last.
 */
export function completed(typed: string, format: string, isEnd = false): string | undefined {
  const words = typed.trim().split(/\s+/);
  const [day] = format.startsWith('YYYY') ? words.splice(0, 1).map(writtenDay) : [];
  const whole = isEnd ? '23:59:59' : '00:00:00';
  const time = format.endsWith('ss') ? clockOf(words.shift() ?? whole, isEnd) : undefined;
  const text = [day, time].filter((part) => part !== undefined).join(' ');
  return words.length === 0 && parseWall(text) ? text : undefined;
}

const monday = (date: Date): Date =>
  changed(date, (copy) => copy.setUTCDate(copy.getUTCDate() - ((copy.getUTCDay() + 6) % 7)));

/** What antd's pickers ask of a calendar. Weeks begin on Monday. */
export const wallCalendar = {
  getNow: () => parseWall(wallClock(serverNow(), platformZone())) ?? serverNow(),
  getFixedDate: (text: string) => parseWall(text) ?? new Date(`${text}T00:00:00Z`),
  getEndDate: (date: Date) =>
    changed(date, (copy) => copy.setUTCDate(daysInMonth(copy.getUTCFullYear(), copy.getUTCMonth()))),
  getWeekDay: (date: Date) => date.getUTCDay(),
  getYear: (date: Date) => date.getUTCFullYear(),
  getMonth: (date: Date) => date.getUTCMonth(),
  getDate: (date: Date) => date.getUTCDate(),
  getHour: (date: Date) => date.getUTCHours(),
  getMinute: (date: Date) => date.getUTCMinutes(),
  getSecond: (date: Date) => date.getUTCSeconds(),
  getMillisecond: (date: Date) => date.getUTCMilliseconds(),
  addYear: (date: Date, years: number) => addMonths(date, years * 12),
  addMonth: addMonths,
  addDate: (date: Date, days: number) => changed(date, (copy) => copy.setUTCDate(copy.getUTCDate() + days)),
  setYear: (date: Date, year: number) => addMonths(date, (year - date.getUTCFullYear()) * 12),
  setMonth: (date: Date, month: number) => addMonths(date, month - date.getUTCMonth()),
  setDate: (date: Date, day: number) => changed(date, (copy) => copy.setUTCDate(day)),
  setHour: (date: Date, hour: number) => changed(date, (copy) => copy.setUTCHours(hour)),
  setMinute: (date: Date, minute: number) => changed(date, (copy) => copy.setUTCMinutes(minute)),
  setSecond: (date: Date, second: number) => changed(date, (copy) => copy.setUTCSeconds(second)),
  setMillisecond: (date: Date, ms: number) => changed(date, (copy) => copy.setUTCMilliseconds(ms)),
  isAfter: (one: Date, other: Date) => one.getTime() > other.getTime(),
  isValidate: (date: Date) => !Number.isNaN(date.getTime()),
  locale: {
    getWeekFirstDay: () => 1,
    getWeekFirstDate: (_locale: string, date: Date) => monday(date),
    // ISO: a week belongs to the year that its Thursday lies in.
    getWeek: (_locale: string, date: Date) => {
      const thursday = monday(date).getTime() + 3 * DAY_MS;
      const newYear = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
      return Math.floor((thursday - newYear) / (7 * DAY_MS)) + 1;
    },
    format: (_locale: string, date: Date, format: string) => formatWall(date, format),
    // Only what is written in full: a day alone would be taken for its midnight while its time is still being typed.
    parse: (_locale: string, text: string, formats: string[]) => {
      const date = parseWall(text);
      return date && formats.some((format) => formatWall(date, format) === text) ? date : null;
    },
    getShortWeekDays: () => ['日', '一', '二', '三', '四', '五', '六'],
    getShortMonths: (locale: string) => {
      const named = new Intl.DateTimeFormat(locale.replace('_', '-'), { month: 'short', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, month) => named.format(Date.UTC(2000, month)));
    },
  },
};
