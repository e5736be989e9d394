import { expect, it } from 'vitest';
import { SelectionRule } from '#contract/selections.ts';
import { editedSelection, type SelectionValue, sentSelection, withPoolsApart } from './selection-value.ts';

const digits = Array.from({ length: 10 }, (_, digit) => String(digit));
const rules: SelectionRule[] = [
  { kind: 'COMBINATION', choose: 2, of: digits },
  { kind: 'PLACES', places: 3, of: digits, distinct: true },
  { kind: 'PLACES', places: 2, of: [digits, ['1', '2']] },
  {
    kind: 'GROUP',
    parts: [{ repeat: 2, choose: 1 }, ...[{ repeat: 1, choose: 2 }]],
    of: [digits, ['3', '4']],
  },
  { kind: 'GROUP', parts: [{ repeat: 1, choose: 3 }], of: digits, shared: true },
  { kind: 'TICKET', parts: [{ choose: 6, of: digits, bankers: true }, ...[{ choose: 1, of: ['1'] }]] },
];

it('edits every rule and sends it back as it was', () => {
  for (const rule of [...rules, null]) expect(sentSelection(editedSelection(rule))).toEqual(rule);
});

/** A change as the form makes it: from the rule that was sent last. */
const edit = (rule: SelectionRule | null, changes: (value: SelectionValue) => SelectionValue) =>
  sentSelection(changes(editedSelection(rule)));

it('gives places and parts numbers of their own, and one list again', () => {
  const apart = edit({ kind: 'PLACES', places: 2, of: ['1', '2'] }, (value) => withPoolsApart(value, true));
  expect(apart).toEqual({
    kind: 'PLACES',
    places: 2,
    of: [
      ['1', '2'],
      ['1', '2'],
    ],
  });
  const own = edit(apart, (value) => ({ ...value, pools: [['7'], ['8', '9']] }));
  const third = edit(own, (value) => ({ ...value, choose: 3 }));
  expect(third).toEqual({ kind: 'PLACES', places: 3, of: [['7'], ['8', '9'], ['8', '9']] });
  expect(SelectionRule.safeParse(third).success).toBe(true);
  // While a count is being typed there is none for a moment, or one far too large.
  const none = edit(third, (value) => ({ ...value, choose: 0 }));
  expect(edit(none, (value) => ({ ...value, choose: 2 }))).toEqual(own);
  expect(edit(third, (value) => ({ ...value, choose: 9999 }))).toMatchObject({ of: { length: 10 } });
  expect(edit(own, (value) => withPoolsApart(value, false))).toEqual({
    kind: 'PLACES',
    places: 2,
    of: ['7'],
  });
  const parts = [
    { repeat: 2, choose: 1 },
    { repeat: 1, choose: 2 },
  ];
  const group = edit({ kind: 'GROUP', parts, of: digits }, (value) => withPoolsApart(value, true));
  expect(group).toEqual({ kind: 'GROUP', parts, of: [digits, digits] });
  expect(edit(group, (value) => ({ ...value, shared: true }))).toEqual({
    ...{ kind: 'GROUP', parts, of: digits, shared: true },
  });
  expect(edit(group, (value) => ({ ...value, parts: value.parts.slice(1) }))).toMatchObject({ of: [digits] });
});
