import { calendarToday, reportToday } from '../call/today.ts';
import { type DatePreset, datePresets } from '../form/date-presets.ts';

/** Days are those of the report, moments of the calendar. */
export const presetsOn = (calendar: string, report: string) => ({
  range: datePresets(calendar),
  days: datePresets(report),
});
const presetsNow = () => presetsOn(calendarToday(), reportToday());

/** A preset's dates as a range of moments or of days has them. */
const endsOf = {
  range: ({ range }: DatePreset): string[] => [...range],
  days: ({ range }: DatePreset): string[] => range.map((end) => end.slice(0, 10)),
} as const;
const kinds = ['range', 'days'] as const;

/** An address that moves on with the days, and what its dates are called. */
interface Moving {
  readonly address: string;
  readonly words: string;
}

/**
 * An address with the name of a preset, such as `range:今天`, wherever its dates are those of the preset by now; nothing where none are. A view
 * that is kept so shows today whenever it is opened, and not the day on which it was kept.
 */
export function movingAddress(address: string, presets = presetsNow()): Moving | undefined {
  const params = new URLSearchParams(address);
  const words = [...new Set(params.keys())].flatMap((name) => {
    const dates = String(params.getAll(name));
    for (const kind of kinds) {
      const named = presets[kind].find((preset) => String(endsOf[kind](preset)) === dates);
      if (!named) continue;
      params.set(name, `${kind}:${named.label}`);
      return [named.label];
    }
    return [];
  });
  return words.length > 0 ? { address: params.toString(), words: words.join('、') } : undefined;
}

/** The address that a view opens, with the dates that its presets have now. */
export function datedAddress(address: string, presets = presetsNow()): string {
  const dated = [...new URLSearchParams(address)].flatMap(([name, value]) => {
    const kind = kinds.find((each) => value.startsWith(`${each}:`));
    const preset = kind && presets[kind].find(({ label }) => value === `${kind}:${label}`);
    return kind && preset ? endsOf[kind](preset).map((end) => [name, end]) : [[name, value]];
  });
  return new URLSearchParams(dated).toString();
}

/** Whether the dates that a kept view opens with depend on which day it is in the report. */
export const asksForReportDay = (address: string): boolean => address.includes('=days%3A');
