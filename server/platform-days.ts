import { Temporal } from 'temporal-polyfill';

export const DAY_SECONDS = 86_400;

/** A calendar day of the platform, `YYYY-MM-DD`. */
export type Day = string;

const starts = new Map<string, number>();
const MOST_REMEMBERED = 20_000;

function computeStart(day: Day, timeZone: string): number {
  return instantOf(Temporal.PlainDateTime.from(`${day}T00:00:00`), timeZone);
}

/**
 * Epoch seconds of a wall-clock time. A time that the clocks skip is the moment of the skip, and one that comes twice is its
 * first: so a later time is never an earlier moment, and ranges that do not overlap on the clock never overlap at all.
 */
function instantOf(wall: Temporal.PlainDateTime, timeZone: string): number {
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const isSkipped = !zoned.toPlainDateTime().equals(wall);
  const moment = isSkipped ? (zoned.getTimeZoneTransition('next') ?? zoned) : zoned;
  return Math.floor(moment.epochMilliseconds / 1000);
}

/** Epoch seconds at which a day begins. */
export function dayStart(day: Day, timeZone: string): number {
  const key = `${timeZone} ${day}`;
  const known = starts.get(key);
  if (known !== undefined) return known;
  if (starts.size >= MOST_REMEMBERED) starts.clear();
  const start = computeStart(day, timeZone);
  starts.set(key, start);
  return start;
}

/** Another day, `days` later (or earlier). */
export const addDays = (day: Day, days: number): Day => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, date + days)).toISOString().slice(0, 10);
};

/** The day of the week, 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

/** The day that a moment (epoch seconds) belongs to. */
export const dayOf = (seconds: number, timeZone: string): Day =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString();

/** Whether wall clocks run evenly through a day and the one after it. */
export const isEven = (day: Day, timeZone: string): boolean =>
  dayStart(addDays(day, 1), timeZone) - dayStart(day, timeZone) === DAY_SECONDS &&
  dayStart(addDays(day, 2), timeZone) - dayStart(addDays(day, 1), timeZone) === DAY_SECONDS;

/** Epoch seconds of a time of day, given as seconds on the wall clock since midnight (beyond 86400: of the next day). */
export function momentOn(day: Day, wallSeconds: number, timeZone: string): number {
  if (isEven(day, timeZone)) return dayStart(day, timeZone) + wallSeconds;
  const onDay = addDays(day, Math.floor(wallSeconds / DAY_SECONDS));
  const time = Temporal.PlainTime.from('00:00').add({ seconds: wallSeconds % DAY_SECONDS });
  return instantOf(Temporal.PlainDate.from(onDay).toPlainDateTime(time), timeZone);
}

/** Epoch seconds of wire text `YYYY-MM-DD HH:mm:ss`. */
export const momentOf = (wire: string, timeZone: string): number =>
  instantOf(Temporal.PlainDateTime.from(wire.replace(' ', 'T')), timeZone);

/** Epoch seconds of the last second that clocks show as wire text or earlier: of a time that comes twice its second, of one they skip the second before. */
export function lastMomentOf(wire: string, timeZone: string): number {
  const wall = Temporal.PlainDateTime.from(wire.replace(' ', 'T'));
  const zoned = wall.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (zoned.toPlainDateTime().equals(wall)) return Math.floor(zoned.epochMilliseconds / 1000);
  return instantOf(wall, timeZone) - 1;
}
