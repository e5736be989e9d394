import { addDays, type Day, dayOf, momentOf } from '#server/platform-days.ts';

/** By what days of the report are told apart: the platform's zone, and the time of day (`HH:mm`) at which they begin. */
export interface ReportDays {
  readonly timeZone: string;
  readonly dayStart: string;
}

/** Epoch seconds at which a day of the report begins: when clocks first show it, or skip it. */
export const reportDayStart = (day: Day, { timeZone, dayStart }: ReportDays): number =>
  momentOf(`${day} ${dayStart}:00`, timeZone);

/** The day of the report that a moment (epoch seconds) belongs to; `report_day` in the database tells the same. */
export function reportDay(seconds: number, days: ReportDays): Day {
  const shown = dayOf(seconds, days.timeZone);
  // Clocks that are put back over midnight show a day that is over.
  const near = [1, 0, -1].map((later) => addDays(shown, later));
  return near.find((day) => reportDayStart(day, days) <= seconds) ?? addDays(shown, -2);
}

/** The day that a draw belongs to, by its planned time (epoch seconds): that of the second before, so that a draw at midnight ends its day. */
export const reportDayOfDraw = (drawSeconds: number, days: ReportDays): Day =>
  reportDay(drawSeconds - 1, days);
