import { ChoiceSelect } from './ChoiceSelect.tsx';
import { DateInput, isDateKind } from './DateInput.tsx';
import { choicesOf, type FieldInputProps, textOf } from './field-input.ts';
import { TextInput } from './TextInput.tsx';

/** The input of a search field, by its kind: any may stay open. */
export function SearchInput(props: FieldInputProps) {
  const { asked, id, value, onChange } = props;
  const { kind, label } = asked.field;
  if (asked.input) return asked.input({ id, value, onChange });
  const choices = choicesOf(props);
  if (choices) return <ChoiceSelect {...props} choices={choices} placeholder="全部" />;
  if (isDateKind(kind)) return <DateInput kind={kind} {...{ id, label, value, onChange }} />;
  return <TextInput {...{ id, onChange }} value={textOf(value)} placeholder={asked.placeholder} />;
}
