export interface DatePreset {
  readonly label: string;
  /** First and last second, as the wire writes them. */
  readonly range: readonly [from: string, to: string];
}

// A calendar day has no zone: midnight UTC stands for it, so that no clock change can shift it.
const plusDays = (day: Date, days: number): Date => new Date(day.getTime() + days * 86_400_000);
const monthStart = (day: Date, months: number): Date =>
  new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1));

const days = (label: string, first: Date, last: Date): DatePreset => ({
  label,
  range: [`${first.toISOString().slice(0, 10)} 00:00:00`, `${last.toISOString().slice(0, 10)} 23:59:59`],
});

/** The presets of every date range, of the day that is today there, as `YYYY-MM-DD`; weeks run from Monday to Sunday. */
export function datePresets(day: string): DatePreset[] {
  const today = new Date(`${day}T00:00:00Z`);
  const monday = plusDays(today, -((today.getUTCDay() + 6) % 7));
  const thisMonth = monthStart(today, 0);
  return [
    days('上月', monthStart(today, -1), plusDays(thisMonth, -1)),
    days('本月', thisMonth, plusDays(monthStart(today, 1), -1)),
    days('上周', plusDays(monday, -7), plusDays(monday, -1)),
    days('本周', monday, plusDays(monday, 6)),
    days('昨天', plusDays(today, -1), plusDays(today, -1)),
    days('今天', today, today),
  ];
}
