import { z } from 'zod';
import { choice, flag, integer, missingOr } from './fields.ts';
import { pool } from './result-rules.ts';

/** Numbers in one pool of a selection. */
const MOST_NUMBERS = 200;
/** Places or parts of one selection. */
export const MOST_PARTS = 10;
/** Places that must all be different: ways to fill more cannot be counted at once. */
const MOST_DISTINCT = 8;

/** What operators read for the kinds of selections. */
export const selectionKinds = {
  SINGLE: '单个号码',
  COMBINATION: '组合（任选几个）',
  PLACES: '按位（每位各选）',
  GROUP: '组选（按重复次数）',
  TICKET: '分区（如红球＋蓝球）',
} as const;

/** How a play way's selections are made; SINGLE is that of one without a rule. */
export type SelectionKind = keyof typeof selectionKinds;

const kind = <const K extends SelectionKind>(code: K) => z.literal(code).meta({ choices: selectionKinds });
const numbers = pool('可选号码', MOST_NUMBERS);
const choose = integer('选择个数', { min: 1, max: 20 });
/** One pool for all parts, or one a part. */
const pools = z
  .union([numbers, z.array(numbers).min(1).max(MOST_PARTS)], {
    error: missingOr('须为一个号码列表，或每部分一个列表'),
  })
  .meta({ title: '可选号码' });

const isSplit = (of: readonly (string | readonly string[])[]): boolean => Array.isArray(of[0]);
const poolsFit = (of: readonly (string | readonly string[])[], parts: number) =>
  !isSplit(of) || of.length === parts;
const eachPart = { path: ['of'], error: '须与部分一样多' };

/** Any `choose` of the pool are a unit; some may be fixed as bankers. */
const Combination = z
  .strictObject({ kind: kind('COMBINATION'), choose, of: numbers })
  .refine((rule) => rule.choose <= rule.of.length, { path: ['choose'], error: '不能多于可选号码' });

/** A number for each place is a unit; `distinct` where none may stand in two places. */
const Places = z
  .strictObject({
    kind: kind('PLACES'),
    places: integer('位数', { min: 1, max: MOST_PARTS }),
    of: pools,
    distinct: flag('各位不重复').optional(),
  })
  .refine((rule) => poolsFit(rule.of, rule.places), eachPart)
  .refine((rule) => !rule.distinct || rule.places <= MOST_DISTINCT, {
    path: ['places'],
    error: `各位不重复时不能多于 ${MOST_DISTINCT} 位`,
  });

const groupPart = z.strictObject({ repeat: integer('重复次数', { min: 1, max: 20 }), choose });

/** Numbers that come a number of times each, in whatever order: 组三 is one that comes twice and one that comes once. */
const Group = z
  .strictObject({
    kind: kind('GROUP'),
    parts: z.array(groupPart).min(1, { error: '至少一部分' }).max(MOST_PARTS).meta({ title: '各部分' }),
    of: pools,
    shared: flag('各部分共用一组号码').optional(),
  })
  .refine((rule) => poolsFit(rule.of, rule.parts.length), eachPart)
  .refine((rule) => !rule.shared || !isSplit(rule.of), {
    path: ['of'],
    error: '在共用一组号码时只能有一个列表',
  })
  .refine(({ parts }) => new Set(parts.map(({ repeat }) => repeat)).size === parts.length, {
    path: ['parts'],
    error: '各部分的重复次数不能相同',
  });

const ticketPart = z.strictObject({ choose, of: numbers.optional(), bankers: flag('可用胆码').optional() });

/** So many numbers of each part, as on a ticket of 双色球. */
const Ticket = z
  .strictObject({
    kind: kind('TICKET'),
    parts: z.array(ticketPart).min(1, { error: '至少一部分' }).max(MOST_PARTS).meta({ title: '各部分' }),
    of: pools.optional(),
  })
  .refine(({ of, parts }) => of === undefined || poolsFit(of, parts.length), eachPart)
  .refine(({ of, parts }) => of !== undefined || parts.every((part) => part.of !== undefined), {
    path: ['of'],
    error: '须每部分都有',
  });

/** What a player may choose of a play way that takes more than single numbers. */
export const SelectionRule = z.discriminatedUnion('kind', [Combination, Places, Group, Ticket], {
  error: '不是可选的方式',
});
export type SelectionRule = z.infer<typeof SelectionRule>;

/** Where the odds of a unit are from: its own number's row, the row of what it won, or the lowest row of its members. */
export const oddsFrom = choice('赔率来源', {
  NUMBER: '号码自己的赔率',
  OUTCOME: '按中奖结果',
  LOWEST: '所选号码中最低的赔率',
});
export type OddsFrom = z.infer<typeof oddsFrom>;
