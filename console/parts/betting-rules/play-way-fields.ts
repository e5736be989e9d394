import type { FieldSpec } from '../../kit/form/index.ts';
import { OutcomesInput } from './OutcomesInput.tsx';
import { SelectionInput } from './SelectionInput.tsx';

/** The form of a play way; only selections of several numbers say where their odds are from. */
export const playWayFields = [
  'name',
  { field: 'showRate', help: '显示赔率' },
  { field: 'betLatitudeId', help: '投注维度' },
  { field: 'selection', help: '选号方式', input: SelectionInput },
  { field: 'oddsFrom', help: '连肖', when: ({ selection }) => Boolean(selection) },
  { field: 'outcomes', help: '中奖结果', input: OutcomesInput, when: ({ selection }) => Boolean(selection) },
] as const satisfies readonly FieldSpec[];
