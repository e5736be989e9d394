import { platformZone, wallClock } from '../call/platform-zone.ts';
import { serverNow } from '../call/server-clock.ts';

const SPANS = [
  ['天', 86_400],
  ['小时', 3_600],
  ['分钟', 60],
] as const;

const secondsOf = (wire: string): number => Date.parse(`${wire.replace(' ', 'T')}Z`) / 1000;

/** How long ago a moment of the platform's wall clock was, or how far ahead it is, in its largest unit; nothing for what is no moment. */
export function agoText(wire: string, now: Date = serverNow(), zone = platformZone()): string | undefined {
  const seconds = secondsOf(wallClock(now, zone)) - secondsOf(wire);
  if (Number.isNaN(seconds)) return undefined;
  const [unit, size] = SPANS.find(([, each]) => Math.abs(seconds) >= each) ?? ['秒', 1];
  const count = `${Math.floor(Math.abs(seconds) / size)} ${unit}`;
  return seconds >= 0 ? `${count}前` : `${count}后`;
}
