import { z } from 'zod';
import { flag, integer, missingOr } from './fields.ts';
import { rows } from './list-fields.ts';
import { printedNumber } from './named-fields.ts';

const MOST_NUMBERS = 1000;

/** Numbers to choose or draw from, each once, as the game spells them. */
export const pool = (label: string, most = MOST_NUMBERS) =>
  z
    .array(printedNumber(label), { error: missingOr('须为号码列表') })
    .min(1, { error: '不能为空' })
    .max(most, { error: `不能超过 ${most} 个` })
    .refine((numbers) => new Set(numbers).size === numbers.length, { error: '不能重复' })
    .meta({ title: label });

const partFields = {
  count: integer('个数', { min: 1, max: 100 }),
  of: pool('号码范围'),
  repeat: flag('可重复'),
  ordered: flag('分先后'),
};

/** Numbers drawn from one pool: how many, whether one may come twice, and whether their order says anything. */
export const ResultPart = z
  .strictObject(partFields)
  .refine(({ count, of, repeat }) => repeat || count <= of.length, {
    path: ['count'],
    error: '不能多于号码范围内的号码',
  });
export type ResultPart = z.infer<typeof ResultPart>;

/** What a result of a game is: its parts one after the other. Without parts anything is a result. */
export const ResultRule = z.strictObject({
  parts: rows('结果组成', ResultPart, { max: 10 }),
});
export type ResultRule = z.infer<typeof ResultRule>;
