import { z } from 'zod';
import { canonical, resultHandler } from './result-handler.ts';

const count = z.int('须为整数').min(0, '不能小于 0').max(100, '过大');
const options = z.strictObject({
  groups: z
    .array(count.min(1, '至少为 1'), '须为每组位置的个数')
    .min(1, '不能为空')
    .max(10, '过多')
    .optional()
    .meta({ title: '每组位置的个数' }),
  prizes: z
    .record(
      z.string().min(1, '须有名称').max(30, '名称过长'),
      z.array(z.array(count, '须为命中个数的列表').max(10, '过多'), '须为列表').min(1, '不能为空'),
      '须为奖级名称与命中个数',
    )
    .refine((prizes) => Object.keys(prizes).length > 0, '不能为空')
    .default({ 不中: [[0]] })
    .meta({ title: '奖级与命中个数' }),
});
type Options = z.output<typeof options>;

/** Which prize these hits win. */
function prizeOf({ prizes }: Options, hits: readonly number[]): string | undefined {
  const wanted = hits.join();
  return Object.entries(prizes).find(([, ways]) => ways.some((way) => way.join() === wanted))?.[0];
}

/** 奖级: what a unit wins is told by how many of its numbers were drawn, in each group of positions (正码 and 特码, 红球 and 蓝球). */
export const prizesHandler = resultHandler({
  name: 'PrizesHandler',
  version: 1,
  title: '奖级',
  sentence:
    '按一注命中的个数定奖。参数：prizes 为各奖级的命中个数，如快乐8选二 {"中二": [[2]]}，默认 {"不中": [[0]]}；groups 为位置依次分成的组，如 [6, 1] 为六个正码与一个特码，此时命中个数按组写，如二中特 {"中二": [[2, 0]], "中特": [[1, 1]]}。',
  positions: [1, 100],
  options,
  judges: ['COMBINATION', 'TICKET'],
  units: (given) => ({
    ...(given.groups ? { groups: given.groups } : {}),
    counts: 'POSITIONS',
    member: canonical,
    named: canonical,
    outcomes: Object.keys(given.prizes),
    row: (hits) => prizeOf(given, hits),
  }),
  read: () => ({ winners: [], pushes: [] }),
});
