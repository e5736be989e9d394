import { platformZone } from '../call/platform-zone.ts';
import { serverNow } from '../call/server-clock.ts';
import { type DatePreset, datePresets } from '../form/date-presets.ts';

const presetsNow = (): DatePreset[] => datePresets(serverNow(), platformZone());

/** A preset's dates as a range of moments or of days has them. */
const endsOf = {
  range: ({ range }: DatePreset): string[] => [...range],
  days: ({ range }: DatePreset): string[] => range.map((end) => end.slice(0, 10)),
} as const;
const kinds = ['range', 'days'] as const;

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, place) => value === other[place]);

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
    const dates = params.getAll(name);
    const named = kinds.flatMap((kind) =>
      presets.filter((preset) => isSame(endsOf[kind](preset), dates)).map(({ label }) => ({ kind, label })),
    )[0];
    if (!named) return [];
    params.set(name, `${named.kind}:${named.label}`);
    return [named.label];
  });
  return words.length > 0 ? { address: params.toString(), words: words.join('、') } : undefined;
}

/** The address that a view opens, with the dates that its presets have now. */
export function datedAddress(address: string, presets = presetsNow()): string {
  const dated = [...new URLSearchParams(address)].flatMap(([name, value]) => {
    const kind = kinds.find((each) => value.startsWith(`${each}:`));
    const preset = kind && presets.find(({ label }) => value === `${kind}:${label}`);
    return kind && preset ? endsOf[kind](preset).map((end) => [name, end]) : [[name, value]];
  });
  return new URLSearchParams(dated).toString();
}
