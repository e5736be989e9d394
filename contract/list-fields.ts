import { z } from 'zod';
import { isOutsized, parseJson } from './exact-json.ts';
import { id, integer, missingOr } from './fields.ts';

/** What days of the week are called, Monday first. */
export const WEEKDAYS = ['周一', '周二', '周三', '周四', '周五', '周六', '周日'] as const;

/** What is sent as a list, or alone. Of one that is too long no more is looked at than it takes to say so. */
const asList = (raw: unknown, most: number): unknown => {
  if (raw === undefined || raw === null) return raw;
  return Array.isArray(raw) ? raw.slice(0, most + 1) : [raw];
};

const MOST_IDS = 10_000;

/** A list of ids; one id sent alone counts as a list of one, and an empty text, which is all a form can say of it, as one of none. */
export const ids = (label: string, { min = 0, each = id(label) } = {}) =>
  z
    .preprocess(
      (raw: readonly (string | number)[] | string | number): unknown =>
        raw === '' ? [] : asList(raw, MOST_IDS),
      z
        .array(each, { error: missingOr('须为编号列表') })
        .min(min, { error: '不能为空' })
        .max(MOST_IDS, { error: `不能超过 ${MOST_IDS} 项` }),
    )
    .meta({ title: label });

const weekdayWords = Object.fromEntries(WEEKDAYS.map((word, index) => [index + 1, word]));

const weekday = (label: string) =>
  integer(label, { min: 1, max: WEEKDAYS.length }).meta({
    title: label,
    kind: 'choice',
    choices: weekdayWords,
  });

/** Days of the week, 1 for Monday to 7 for Sunday, each once; one sent alone counts as a list of one. */
export const weekdays = (label: string) =>
  z
    .preprocess(
      (raw: readonly (string | number)[] | string | number): unknown => asList(raw, WEEKDAYS.length),
      z
        .array(weekday(label), { error: missingOr('须为星期列表') })
        .refine((days) => new Set(days).size === days.length, { error: '不能重复' }),
    )
    .meta({ title: label, choices: weekdayWords });

const fromJsonText = (raw: unknown): unknown => {
  if (typeof raw !== 'string' || !raw.trimStart().startsWith('{') || isOutsized(raw)) return raw;
  try {
    return parseJson(raw);
  } catch {
    return raw;
  }
};

/** An object inside a request; in a form it travels as JSON text. */
export const nested = <S extends z.ZodType>(label: string, shape: S) =>
  z.preprocess((raw: z.input<S> | string): unknown => fromJsonText(raw), shape).meta({ title: label });

/** A list of objects inside a request; in a form each travels as JSON text under the repeated key. */
export const rows = <S extends z.ZodType>(label: string, row: S, { min = 0, max = 1000 } = {}) =>
  z
    .preprocess(
      (raw: readonly z.input<S>[] | readonly string[] | string): unknown => {
        const list = asList(raw, max);
        return Array.isArray(list) ? list.map(fromJsonText) : list;
      },
      z
        .array(row, { error: missingOr('须为列表') })
        .min(min, { error: '不能为空' })
        .max(max, { error: `不能超过 ${max} 项` }),
    )
    .meta({ title: label });
