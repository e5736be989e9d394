import type { JSONValue } from 'json-p3';
import { halfWidth } from '#contract/number-text.ts';
import type { DrawnResult } from '../../draw-records/drawn-result.ts';
import { withoutSaucer } from './saucer.ts';

/** A moment as a source tells it, in epoch seconds; of a bare date its first one, and the last second of the day. */
interface Moment {
  readonly at: number;
  readonly dayEnd?: number;
}

/** A body that is not what the collector reads; the message is a Chinese sentence. */
export class SourceUnreadable extends Error {
  override name = 'SourceUnreadable';
}

type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field of a row, by the first of its names that is there. */
export const fieldOf = (row: unknown, ...names: string[]): unknown => {
  if (!isRow(row)) return undefined;
  const name = names.find((each) => row[each] !== undefined && row[each] !== null);
  return name === undefined ? undefined : row[name];
};

/** What lies at a path of names, step by step. */
export const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => fieldOf(inner, name), value);

const LONG_NUMBER = /[:,[]\s*\d{16}/;
/** A whole number that a double does not hold, as some sources write phases, as it was written. */
const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** JSON that may be preceded by a byte order mark or wrapped in a callback. Throws `SourceUnreadable`. */
export function readJson(body: string): JSONValue {
  const text = body.replace(/^\uFEFF/, '').trim();
  if (text === '') throw new SourceUnreadable('来源返回了空内容');
  if (text.startsWith('<')) {
    const title = /<title>([^<]{1,80})/i.exec(text)?.[1]?.trim();
    throw new SourceUnreadable(`来源返回的是网页而不是 JSON${title ? `（${title}）` : ''}`);
  }
  const unwrapped = /^[\w$.]+\(([\s\S]*)\);?$/.exec(text)?.[1] ?? text;
  try {
    return LONG_NUMBER.test(unwrapped) ? JSON.parse(unwrapped, asWritten) : JSON.parse(unwrapped);
  } catch {
    throw new SourceUnreadable('来源返回的不是有效的 JSON');
  }
}

/** The rows of a list: an array, or one row where an array was due, or rows under keys of their own. */
export function rowsOf(value: unknown, isOne: (row: Row) => boolean): Row[] {
  if (Array.isArray(value)) return value.filter(isRow);
  if (!isRow(value)) return [];
  return isOne(value) ? [value] : Object.values(value).filter(isRow);
}

/** A phase as text: 第…期 and spaces are left out, zeros in front stay; null for what is none. */
export function phaseOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const phase = halfWidth(String(value)).replace(/^第|期$|\s/g, '');
  return /^[0-9][0-9A-Za-z/-]{0,29}$/.test(phase) ? phase : null;
}

const SEPARATOR = /[,;:|+、]/;

/** The places of a part, separated by spaces or by one sign each; between two signs lies a place that is empty. */
function placesOf(part: unknown): string[] {
  const text = typeof part === 'string' || typeof part === 'number' ? halfWidth(String(part)) : '';
  return text.split(SEPARATOR).flatMap((place) => place.trim().split(/\s+/));
}

/**
 * Drawn numbers with commas between them, of all parts one after the other. A place that is empty, or is no number, is not drawn yet:
 * null then, since leaving it out would shift the others.
 */
export function numbersOf(...parts: unknown[]): string | null {
  const numbers = parts.flatMap(placesOf);
  const isDrawn = numbers.length > 0 && numbers.every((number) => /^[0-9]{1,10}$/.test(number));
  return isDrawn ? numbers.join(',') : null;
}

const CHINA_OFFSET = '+08:00';

/** Whether a calendar and a clock have it: a 30th of February, or an hour 24, would be taken for the day after. */
function isOnCalendar(wall: string): boolean {
  const moment = Date.parse(`${wall}Z`);
  return Number.isFinite(moment) && new Date(moment).toISOString().startsWith(wall);
}

const padded = (part: string | undefined): string => (part ?? '00').padStart(2, '0');

function fromCalendar(text: string, offsetOf: (wall: string) => number): Moment | null {
  const iso = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})/.exec(text);
  const british = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text);
  const [year, month, day] = iso ? iso.slice(1) : british ? [british[3], british[2], british[1]] : [];
  if (!year) return null;
  const clock = /(\d{1,2}):(\d{2})(?::(\d{2}))?/.exec(text);
  const wall = `${year}-${padded(month)}-${padded(day)}T${padded(clock?.[1])}:${padded(clock?.[2])}:${padded(clock?.[3])}`;
  if (!isOnCalendar(wall)) return null;
  const moment = /(Z|[+-]\d{2}:?\d{2})$/.test(text) && clock ? Date.parse(text) / 1000 : offsetOf(wall);
  if (!Number.isFinite(moment)) return null;
  const at = Math.floor(moment);
  return clock ? { at } : { at, dayEnd: offsetOf(wall.replace('00:00:00', '23:59:59')) };
}

const inChina = (wall: string): number => Date.parse(`${wall}${CHINA_OFFSET}`) / 1000;

/**
 * A moment from text of a calendar and clock (in China's time unless `wallTime` says otherwise), or from
 * seconds or milliseconds since 1970 as number or text; null for anything else.
 */
export function momentFrom(value: unknown, wallTime: (wall: string) => number = inChina): Moment | null {
  const text =
    typeof value === 'number' ? String(Math.trunc(value)) : typeof value === 'string' ? value.trim() : '';
  if (/^\d{10}$/.test(text)) return { at: Number(text) };
  if (/^\d{13}$/.test(text)) return { at: Math.floor(Number(text) / 1000) };
  return fromCalendar(halfWidth(text), wallTime);
}

/** A draw from its parts; null for a row that is null, stale or not drawn yet. */
export function drawnResult(phase: unknown, numbers: string | null, moment: Moment | null): DrawnResult[] {
  const known = phaseOf(phase);
  if (known === null || numbers === null) return [];
  const { at: openTime = null, ...day } = moment ?? {};
  return [{ phase: known, result: withoutSaucer(numbers), openTime, ...day }];
}
