import { Suspense } from 'react';
import { whenIdle } from '../call/when-idle.ts';
import { DateInput, isDateKind } from '../form/DateInput.tsx';
import { asChosen, choicesOf, type FieldInputProps, isNumeric, textOf } from '../form/field-input.ts';
import { NumberInput } from '../form/NumberInput.tsx';
import type { Option } from '../form/options.ts';
import { RowSearch } from '../form/RowSearch.tsx';
import { searched } from '../form/references.ts';
import { TextInput } from '../form/TextInput.tsx';
import { saidOf } from '../overlay/FieldError.tsx';
import { fetched } from '../overlay/fetched.tsx';

const ChoiceSelect = fetched(async () => {
  await whenIdle();
  const { ChoiceSelect: loaded } = await import('../form/ChoiceSelect.tsx');
  return loaded;
});

const ANY = '全部';
/** What a text is searched by, where a part of it finds nothing. */
const hints = { whole: '须填写完整', beginning: '填写开头部分' } as const;

/** What a select shows before it is there. */
const chosenText = (choices: readonly Option[], value: unknown): string =>
  choices.find((choice) => choice.value === asChosen(choices, value))?.label ?? '';

/** The input of a search field, by its kind: any may stay open. */
export function SearchInput(props: FieldInputProps) {
  const { asked, id, value, onChange, invalid, describedBy } = props;
  const said = { invalid, describedBy };
  const { kind, label, match } = asked.field;
  const { input: Own } = asked;
  if (Own) return <Own {...{ id, value, onChange, ...said }} values={props.values} />;
  const choices = choicesOf(props);
  if (choices) {
    const text = chosenText(choices, value);
    const placeholder = asked.placeholder ?? ANY;
    return (
      <Suspense fallback={<TextInput {...{ id, onChange, placeholder }} value={text} disabled />}>
        <ChoiceSelect {...props} choices={choices} placeholder={placeholder} />
      </Suspense>
    );
  }
  if (isDateKind(kind)) return <DateInput kind={kind} {...{ id, label, value, onChange, ...said }} />;
  const common = {
    id,
    onChange,
    ...saidOf(said),
    value: textOf(value),
    placeholder: asked.placeholder ?? (match && hints[match]),
  };
  const among = searched(asked.field);
  if (among) return <RowSearch {...common} among={among} />;
  return isNumeric(kind) ? <NumberInput {...common} /> : <TextInput {...common} />;
}
