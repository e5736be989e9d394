import { Temporal } from 'temporal-polyfill';

export const DAY_SECONDS = 86_400;

/** A calendar day of the platform, `YYYY-MM-DD`. */
export type Day = string;

const MOST_REMEMBERED = 20_000;

/** Remembers what was worked out, since the same days are asked about again and again. */
function remembered<T>(workOut: (of: string, timeZone: string) => T): (of: string, timeZone: string) => T {
  const known = new Map<string, T>();
  return (of, timeZone) => {
    const key = `${timeZone} ${of}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const now = workOut(of, timeZone);
    known.set(key, now);
    return now;
  };
}

/**
 * Epoch seconds of a wall-clock time. A time that clocks skip is the moment of the skip, one that comes twice is the first of the two. So a
 * later time is never an earlier moment, and ranges that do not overlap on the clock never overlap.
 */
function instantOf(wall: Temporal.PlainDateTime, timeZone: string): number {
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const isSkipped = !zoned.toPlainDateTime().equals(wall);
  const moment = isSkipped ? (zoned.getTimeZoneTransition('next') ?? zoned) : zoned;
  return Math.floor(moment.epochMilliseconds / 1000);
}

/**
 * Epoch seconds at which a day begins. A day is everything from its first midnight, or the moment at which clocks skip it, to the first moment
 * of the next day; `day_start` of the database tells the same. A date alone, taken for a moment, is to the database the last midnight.
 */
export const dayStart = remembered((day, timeZone) =>
  instantOf(Temporal.PlainDateTime.from(`${day}T00:00:00`), timeZone),
);

/** Another day, `days` later (or earlier). */
export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * DAY_SECONDS * 1_000).toISOString().slice(0, 10);

/** How many days later (or earlier) a day is than another. */
export const daysFrom = (day: Day, later: Day): number =>
  (Date.parse(later) - Date.parse(day)) / (DAY_SECONDS * 1_000);

/** The day of the week, 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: Day): number => new Date(day).getUTCDay() || 7;

/** Whether a day and the next have 24 hours each. */
export const isEven = remembered((day, timeZone) => {
  const next = dayStart(addDays(day, 1), timeZone);
  const last = dayStart(addDays(day, 2), timeZone);
  return next - dayStart(day, timeZone) === DAY_SECONDS && last - next === DAY_SECONDS;
});

/**
 * The platform's days that overlap a day of UTC (given by its number since 1970), as far as they and the days before them are even. Others need
 * a calendar, and so do the first and last years.
 */
const evenDaysBeside = remembered((utcDay, timeZone): readonly { day: Day; start: number }[] => {
  const utc = new Date(Number(utcDay) * DAY_SECONDS * 1_000).toISOString().slice(0, 10);
  const days = utc > '1900' && utc < '9999-12' ? [utc, addDays(utc, 1), addDays(utc, -1)] : [];
  return days
    .filter((day) => isEven(day, timeZone) && isEven(addDays(day, -1), timeZone))
    .map((day) => ({ day, start: dayStart(day, timeZone) }));
});

/** The day that a moment (epoch seconds) belongs to. */
export function dayOf(seconds: number, timeZone: string): Day {
  const beside = evenDaysBeside(String(Math.floor(seconds / DAY_SECONDS)), timeZone);
  const ordinary = beside.find(({ start }) => seconds >= start && seconds < start + DAY_SECONDS);
  if (ordinary) return ordinary.day;
  const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
  return moment.toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

const unevenInYear = remembered((year, timeZone): readonly Day[] => {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const beside = new Set<Day>();
  let change = Temporal.PlainDate.from(first)
    .subtract({ days: 3 })
    .toZonedDateTime(timeZone)
    .getTimeZoneTransition('next');
  while (change && change.toPlainDate().toString() <= addDays(last, 3)) {
    const day = change.toPlainDate().toString();
    for (const days of [-2, -1, 0, 1]) beside.add(addDays(day, days));
    change = change.getTimeZoneTransition('next');
  }
  return [...beside].filter((day) => day >= first && day <= last && !isEven(day, timeZone));
});

/** The days from one to another, both included, that are not even; none in a zone that never changes its clocks. */
export function unevenDays(from: Day, to: Day, timeZone: string): Day[] {
  const first = Number(from.slice(0, 4));
  const years = Array.from({ length: Number(to.slice(0, 4)) - first + 1 }, (_, after) => first + after);
  return years
    .flatMap((year) => unevenInYear(String(year).padStart(4, '0'), timeZone))
    .filter((day) => day >= from && day <= to);
}

/** Epoch seconds of a time of day, given as seconds on the wall clock since midnight (beyond 86400: of the next day). */
export function momentOn(day: Day, wallSeconds: number, timeZone: string): number {
  if (isEven(day, timeZone)) return dayStart(day, timeZone) + wallSeconds;
  const onDay = addDays(day, Math.floor(wallSeconds / DAY_SECONDS));
  const time = Temporal.PlainTime.from('00:00').add({ seconds: wallSeconds % DAY_SECONDS });
  return instantOf(Temporal.PlainDate.from(onDay).toPlainDateTime(time), timeZone);
}

/** Epoch seconds of wire text `YYYY-MM-DD HH:mm:ss`. */
export const momentOf = remembered((wire, timeZone) =>
  instantOf(Temporal.PlainDateTime.from(wire.replace(' ', 'T')), timeZone),
);

/** Epoch seconds of the last second at which clocks show this wire text: of a time that comes twice, the second; of one they skip, the second before. */
export function lastMomentOf(wire: string, timeZone: string): number {
  const wall = Temporal.PlainDateTime.from(wire.replace(' ', 'T'));
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (zoned.toPlainDateTime().equals(wall)) return Math.floor(zoned.epochMilliseconds / 1000);
  return instantOf(wall, timeZone) - 1;
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

/**
 * The two ends of a range of wire times as the database reads them alike: wall times, but on days of clock changes moments. A wall time that
 * comes twice is to the database the second one, whichever end of a range it is: it would leave out half of what the range shows.
 */
export function momentsOf([from, to]: readonly [string, string], timeZone: string): [string, string] {
  // No calendar has the days after the last one.
  const even = (wire: string): boolean => wire >= '9999-12' || isEven(wire.slice(0, 10), timeZone);
  return [
    even(from) ? from : isoOf(momentOf(from, timeZone)),
    even(to) ? to : isoOf(lastMomentOf(to, timeZone)),
  ];
}
