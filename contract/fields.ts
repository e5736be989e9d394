import { z } from 'zod';

/** What a field is, for forms, cells, messages and OpenAPI. Set by the functions below, never by hand. */
export type FieldKind =
  | 'text'
  | 'longText'
  | 'secret'
  | 'integer'
  | 'decimal'
  | 'money'
  | 'flag'
  | 'choice'
  | 'id'
  | 'dateTime'
  | 'day'
  | 'time'
  | 'range'
  | 'days'
  | 'version'
  | 'sort';

/** How much of a text a search must give: all of it, or its beginning. */
export type Match = 'whole' | 'beginning';

declare module 'zod' {
  interface GlobalMeta {
    kind?: FieldKind;
    /** The Chinese words for a choice's codes, or for a flag's `true` and `false`. */
    choices?: Readonly<Record<string, string>>;
    /** Of a search field: how it matches texts, if not by any part of them. */
    match?: Match;
    /** Of a text that differs from others at its end, such as a number behind a prefix: where it is cut in a list, its end stays in sight. */
    endTells?: true;
  }
}

/** The message of a check: 不能为空 for a missing value, else `otherwise`. Messages are predicates; `describeIssue` puts the label in front. */
export const missingOr =
  (otherwise: string) =>
  (issue: { input?: unknown }): string =>
    issue.input === undefined || issue.input === null || issue.input === '' ? '不能为空' : otherwise;

// For issues that no field words itself, such as a text where an object is wanted, in place of zod's English.
z.config({ localeError: missingOr('格式不正确') });

/** PostgreSQL cannot store NUL, and a lone surrogate is no text at all. */
const storable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

/** Spaces and characters that show nothing. */
const silent = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** How many characters of a text are visible. */
export const tellingLength = (value: string): number => [...value.replace(silent, '')].length;

const asText = (raw: string | number): unknown =>
  typeof raw === 'number' && Number.isSafeInteger(raw) ? String(raw) : raw;
const textOf = (label: string, min: number, max: number, kind: FieldKind, trim: boolean) => {
  const base = trim
    ? z.string({ error: missingOr('须为文本') }).trim()
    : z.string({ error: missingOr('须为文本') });
  const checked = base
    .min(min, { error: min <= 1 ? '不能为空' : missingOr(`至少需要 ${min} 个字符`) })
    .max(max, { error: `不能超过 ${max} 个字符` })
    .refine(storable, { error: '含有无法保存的字符' })
    .refine((value) => kind === 'secret' || value === '' || tellingLength(value) >= min, {
      error: min <= 1 ? '不能为空' : `至少需要 ${min} 个字符`,
    });
  return z.preprocess(asText, checked).meta({ title: label, kind });
};

/** One line of text, trimmed, 1 to 255 characters unless told otherwise. `min: 0` allows it to be empty. */
export const text = (label: string, { min = 1, max = 255 } = {}) => textOf(label, min, max, 'text', true);

/** Text of several lines; its line breaks are kept. At most 20,000 characters. */
export const longText = (label: string, { min = 1, max = 20_000 } = {}) =>
  textOf(label, min, max, 'longText', false);

/** A password or key: not trimmed, never logged, recorded or sent back. */
export const secret = (label: string, { min = 1, max = 255 } = {}) =>
  textOf(label, min, max, 'secret', false);

/** A whole number, sent as a number or as decimal text. */
export const integer = (label: string, { min = -2_147_483_648, max = 2_147_483_647 } = {}) =>
  z
    .preprocess(
      (raw: string | number): unknown =>
        typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw,
      z
        .int({ error: missingOr('须为整数') })
        .min(min, { error: `不能小于 ${min}` })
        .max(max, { error: `不能大于 ${max}` }),
    )
    .meta({ title: label, kind: 'integer' });

/** A row's id: an integer from 1. */
export const id = (label = '编号', { max = Number.MAX_SAFE_INTEGER } = {}) =>
  integer(label, { min: 1, max }).meta({ title: label, kind: 'id' });

const flags: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/** Yes or no; `words` are what an operator reads for true and for false. */
export const flag = (label: string, words: readonly [yes: string, no: string] = ['是', '否']) =>
  z
    .preprocess(
      (raw: boolean | string | number): unknown =>
        typeof raw === 'string' || typeof raw === 'number' ? (flags[raw] ?? raw) : raw,
      z.boolean({ error: missingOr('须为是或否') }),
    )
    .meta({ title: label, kind: 'flag', choices: { true: words[0], false: words[1] } });

const codesOf = <C extends string>(words: Readonly<Record<C, string>>): C[] =>
  Object.keys(words).filter((code): code is C => code in words);

/** One of a closed set of codes, each with the word an operator reads. */
export const choice = <const C extends string>(label: string, words: Readonly<Record<C, string>>) =>
  z
    .enum(codesOf(words), { error: missingOr('不是可选的值') })
    .meta({ title: label, kind: 'choice', choices: words });

/** Why a text is not a decimal with at most `scale` places. */
function numberFault(text: string, scale: number, positive: boolean): string {
  const whole = /^(-?)([0-9]+)(\.[0-9]+)?$/.exec(text);
  if (text === '') return '不能为空';
  if (whole?.[1]) return positive ? '须大于 0' : '不能小于 0';
  return whole && (whole[2] ?? '').length > 12 ? '数值过大' : `须为不超过 ${scale} 位小数的数字`;
}

/**
 * An exact decimal as text. Accepted as text or number, never computed in binary floating point; at most 12 digits
 * before and `scale` after the point, no sign, no exponent.
 */
const decimalOf = (label: string, scale: number, positive: boolean, kind: FieldKind) =>
  z
    .preprocess(
      (raw: string | number): unknown => (typeof raw === 'number' ? String(raw) : raw),
      z
        .string({ error: missingOr('须为数字') })
        .regex(new RegExp(`^[0-9]{1,12}(\\.[0-9]{1,${scale}})?$`), {
          error: ({ input }) => numberFault(String(input), scale, positive),
        })
        .refine((value) => !positive || /[1-9]/.test(value), { error: '须大于 0' }),
    )
    .meta({ title: label, kind });

/** A decimal that is not money, such as odds or a rate; see `decimalOf`. */
export const decimal = (label: string, { scale = 4, positive = false } = {}) =>
  decimalOf(label, scale, positive, 'decimal');

/** Money that a caller says: above zero, at most 12 digits before the point and 4 after it. */
export const amount = (label: string) => decimalOf(label, 4, true, 'money');

const toldMoney = (label: string, grammar: RegExp) =>
  z.string().regex(grammar).meta({ title: label, kind: 'money' });

/** Money in answers. It may be what many amounts come to, or an amount at great odds, and so have more digits than one that is said. */
export const money = (label: string) => toldMoney(label, /^[0-9]{1,30}(\.[0-9]{1,4})?$/);

/** The same that may be below zero: what was moved, or a sum of it. */
export const signedMoney = (label: string) => toldMoney(label, /^-?[0-9]{1,30}(\.[0-9]{1,4})?$/);

const isCalendarTime = (value: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(value);
  if (!match) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  if (year < 1900 || month < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && month <= 12;
};

/** A moment as `YYYY-MM-DD HH:mm:ss` in the platform's time zone. */
export const dateTime = (label: string) =>
  z
    .string({ error: missingOr('须为时间') })
    .refine(isCalendarTime, { error: '须为 YYYY-MM-DD HH:mm:ss 格式的时间' })
    .meta({ title: label, kind: 'dateTime' });

/** A time of day as `HH:mm:ss`. */
export const time = (label: string) =>
  z
    .string({ error: missingOr('须为时间') })
    .regex(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/, { error: '须为 HH:mm:ss 格式的时间' })
    .meta({ title: label, kind: 'time' });

/** A range of two moments, both inclusive to the second; on the wire one key sent twice. */
export const range = (label: string) =>
  z
    .tuple([dateTime('开始时间'), dateTime('结束时间')], { error: '须为开始与结束两个时间' })
    .refine(([from, to]) => from <= to, { error: '的开始不能晚于结束' })
    .meta({ title: label, kind: 'range' });

/** Whether a text is a day of the calendar as `YYYY-MM-DD`, from 1900 on. */
const isCalendarDay = (value: string): boolean => isCalendarTime(`${value} 00:00:00`);

/** A day as `YYYY-MM-DD`, before another one where that is given. */
export const calendarDay = (label: string, before?: string) =>
  z
    .string({ error: missingOr('须为日期') })
    .refine((value) => isCalendarDay(value) && (before === undefined || value < before), {
      error: '须为 YYYY-MM-DD 格式的日期',
    })
    .meta({ title: label, kind: 'day' });

/** A range of two days of the platform, both inclusive; on the wire one key sent twice. */
export const days = (label: string) =>
  z
    .tuple([calendarDay('开始日期'), calendarDay('结束日期')], { error: '须为开始与结束两个日期' })
    .refine(([from, to]) => from <= to, { error: '的开始不能晚于结束' })
    .meta({ title: label, kind: 'days' });

const isAbsent = (raw: unknown): boolean => raw === '' || raw === null || raw === undefined;
/** Whether a sent value counts as not given: null, an empty text, blanks. */
export const isEmpty = (raw: unknown): boolean => isAbsent(typeof raw === 'string' ? raw.trim() : raw);
/** A form sends an empty range as two empty texts. */
const isEmptyList = (raw: unknown): boolean => Array.isArray(raw) && raw.every(isEmpty);

const loose = <S extends z.ZodType>(schema: S, isLeftOut: (raw: unknown) => boolean) =>
  z
    .preprocess(
      (raw: z.input<S> | '' | null | undefined) => (isLeftOut(raw) ? undefined : raw),
      schema.optional(),
    )
    .optional()
    .meta(schema.meta() ?? {});

/** A field that may be left out. Null, an empty text and blanks count as left out; but blanks may be a secret. */
export const optional = <S extends z.ZodType>(schema: S) =>
  loose(schema, metaOf(schema).kind === 'secret' ? isAbsent : isEmpty);

type Shape = Readonly<Record<string, z.ZodType>>;
type Loose<S extends Shape> = { [K in keyof S]: ReturnType<typeof optional<S[K]>> };

/** The same for a search field, where a list of empty texts counts as left out too. */
const looseOf = (schema: z.ZodType): z.ZodType => loose(schema, (raw) => isEmpty(raw) || isEmptyList(raw));

function eachOf<S extends Shape, T extends Shape>(shape: S, make: (schema: z.ZodType) => z.ZodType): T {
  const made: Shape = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, make(field)]));
  const isWhole = (each: Shape): each is T => Object.keys(shape).every((name) => name in each);
  if (!isWhole(made)) throw new Error('a field was lost');
  return made;
}

/** Search fields: each may be left out. */
export const filters = <S extends Shape>(shape: S) => z.object(eachOf<S, Loose<S>>(shape, looseOf));

/** Fields of which each may be left out. */
export const optionals = <S extends Shape>(shape: S) => eachOf<S, Loose<S>>(shape, optional);

/** Fields of which each may be null. */
export const nullables = <S extends Shape>(shape: S) =>
  eachOf<S, { [K in keyof S]: z.ZodNullable<S[K]> }>(shape, (field) => field.nullable());

/**
 * The search field `sort`: one of these columns, descending with a minus in front; without it the list has its own order. A list that is
 * paged by counters may name only columns with an index, any other list all of its columns.
 */
export const sorts = <const C extends string>(...columns: readonly [C, ...C[]]) => {
  const descending = columns.map((column) => `-${column}` as const);
  return z
    .enum<readonly (C | `-${C}`)[]>([...columns, ...descending], { error: missingOr('不是可以排序的列') })
    .meta({ title: '排序', kind: 'sort' });
};

/** Makes a search field match whole texts, or their beginnings, instead of any part. */
export const by = <S extends z.ZodType>(match: Match, schema: S): S =>
  schema.meta({ ...schema.meta(), match });

/** A text that differs from others at its end; see `endTells`. */
export const endTells = <S extends z.ZodType>(schema: S): S =>
  schema.meta({ ...schema.meta(), endTells: true });

/** How many rows a page has where nothing is said, and at most. */
export const pageSizes = { usual: 20, most: 9999 } as const;

const paging = {
  currentPage: integer('页码', { min: 1 }).default(1),
  pageSize: integer('每页条数', { min: 1, max: pageSizes.most }).default(pageSizes.usual),
};

/** Search fields plus the page: `currentPage` from 1, and `pageSize`. */
export const paged = <S extends Readonly<Record<string, z.ZodType>>>(shape: S) =>
  filters(shape).extend(paging);

/** A page of rows, with the exact count of all that match. */
export const pageOf = <S extends z.ZodType>(row: S) => z.object({ totalCount: z.int(), data: z.array(row) });

/** No input at all. */
export const nothing = z.object({});

/** A field's label, kind, words and the like; also of one wrapped in `optional`, `nullable` or `default`. */
export function metaOf(schema: z.ZodType): z.core.GlobalMeta {
  const own = schema.meta();
  if (own) return own;
  const wraps =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  const inner = wraps ? schema.unwrap() : undefined;
  return inner instanceof z.ZodType ? metaOf(inner) : {};
}

/** What operators read for a code of a choice or flag; the code itself where it has no word. */
export const wordOf = (schema: z.ZodType, code: string): string => metaOf(schema).choices?.[code] ?? code;
