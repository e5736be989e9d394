import { expect, it } from 'vitest';
import type { OptionField } from '#contract/option-fields.ts';
import { optionOf, optionsIn, optionsText, typedOf } from './option-values.ts';

const field = (name: string, kind: OptionField['kind']): OptionField => ({
  ...{ name, kind, label: name, words: null, preset: null, required: false, hint: null },
});
const fields = [
  field('from', 'integer'),
  field('push', 'numbers'),
  field('pool', 'texts'),
  field('more', 'json'),
];

it('goes from JSON to what is typed and back, and leaves alone what it does not know', () => {
  const text = '{"from":6,"push":[7,49],"pool":["01","02"],"more":{"a":1}}';
  const options = optionsIn(text, fields) ?? {};
  const back = fields.map((one) => [one.name, optionOf(one, typedOf(one, options[one.name]))] as const);
  expect(optionsText(Object.fromEntries(back))).toBe(text);
  expect(optionsText({ from: undefined })).toBe('');
  expect(optionOf(field('pool', 'texts'), '01-03')).toEqual(['01', '02', '03']);
  for (const [kind, typed] of [
    ['integer', '六'],
    ['json', '{'],
    ['numbers', '1,x'],
  ] as const)
    expect(JSON.stringify(optionOf(field('x', kind), typed))).toContain(typed.at(-1));
  for (const unknown of ['{"form":6}', '[1]', '{', 'null'])
    expect(optionsIn(unknown, fields)).toBeUndefined();
});
