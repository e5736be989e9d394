import { Input, Radio } from 'antd';
import { saidOf } from '../overlay/FieldError.tsx';
import { ChoiceSelect } from './ChoiceSelect.tsx';
import { DateInput, isDateKind } from './DateInput.tsx';
import { asChosen, choicesOf, type FieldInputProps, isNumeric, textOf } from './field-input.ts';
import { NumberInput } from './NumberInput.tsx';
import { RowSearch } from './RowSearch.tsx';
import { searched } from './references.ts';
import { TextArea } from './TextArea.tsx';
import { TextInput } from './TextInput.tsx';

const RADIO_MOST = 4;

/** The input of a form field, by its kind. What stands in it is sent as it stands: the server's word on it is final. */
export function FormInput(props: FieldInputProps) {
  const { asked, id, value, onChange, invalid, describedBy } = props;
  const said = { invalid, describedBy };
  const { kind, label } = asked.field;
  const choices = choicesOf(props);
  const { input: Own } = asked;
  if (Own)
    return <Own {...{ id, label, value, onChange, ...said }} values={props.values} options={choices} />;
  if (choices && !asked.optionsFor && choices.length <= RADIO_MOST) {
    return (
      <Radio.Group
        id={id}
        aria-label={label}
        {...saidOf(said)}
        value={asChosen(choices, value)}
        onChange={(event) => onChange(event.target.value)}
        options={choices.map((choice) => ({ value: choice.value as string, label: choice.label }))}
      />
    );
  }
  if (choices) return <ChoiceSelect {...props} choices={choices} placeholder="请选择" />;
  if (isDateKind(kind)) return <DateInput kind={kind} {...{ id, label, value, onChange, ...said }} />;
  const { placeholder } = asked;
  const common = { id, value: textOf(value), placeholder, ...saidOf(said) };
  const among = searched(asked.field);
  if (among) return <RowSearch {...common} among={among} onChange={onChange} />;
  if (isNumeric(kind)) return <NumberInput {...common} onChange={onChange} />;
  if (kind !== 'longText' && kind !== 'secret') return <TextInput {...common} onChange={onChange} />;
  if (kind === 'longText') return <TextArea {...common} onChange={onChange} />;
  return (
    <Input.Password
      {...common}
      status={invalid ? 'error' : ''}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="new-password"
    />
  );
}
