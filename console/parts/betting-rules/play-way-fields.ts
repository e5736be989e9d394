import type { FieldSpec } from '../../kit/form/index.ts';
import { OutcomesInput } from './OutcomesInput.tsx';
import { SelectionInput } from './SelectionInput.tsx';

/** The form of a play way; only selections of several numbers say where their odds are from. */
export const playWayFields = [
  'name',
  'showRate',
  'betLatitudeId',
  { field: 'selection', input: SelectionInput },
  { field: 'oddsFrom', when: ({ selection }) => Boolean(selection) },
  { field: 'outcomes', input: OutcomesInput, when: ({ selection }) => Boolean(selection) },
] as const satisfies readonly FieldSpec[];
