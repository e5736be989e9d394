import { Radio, Switch } from 'antd';
import { useState } from 'react';
import type { OptionField } from '#contract/option-fields.ts';
import { optionOf, typedOf } from './option-values.ts';
import { TextArea } from './TextArea.tsx';
import { TextInput } from './TextInput.tsx';
import './option-input.css';

interface OptionInputProps {
  readonly id: string;
  readonly field: OptionField;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

const presetOf = ({ preset }: OptionField): unknown => (preset === null ? undefined : JSON.parse(preset));

/** One option of a handler or collector, by its kind. */
export function OptionInput(props: OptionInputProps) {
  const { id, field } = props;
  const hintId = field.hint === null ? undefined : `${id}-hint`;
  return (
    <div className="option-input">
      <label htmlFor={id} data-required={field.required || undefined}>
        {field.label}
      </label>
      <Input {...props} describedBy={hintId} />
      {field.hint !== null && (
        <p id={hintId} className="form-hint">
          {field.hint}
        </p>
      )}
    </div>
  );
}

function Input({
  id,
  field,
  value,
  onChange,
  describedBy,
}: OptionInputProps & { describedBy: string | undefined }) {
  // What is half typed, such as a range that is not ended, is not typed over.
  const [typed, setTyped] = useState(() => typedOf(field, value));
  const text =
    JSON.stringify(optionOf(field, typed)) === JSON.stringify(value) ? typed : typedOf(field, value);
  const preset = presetOf(field);
  if (field.kind === 'flag')
    return <Switch id={id} checked={(value ?? preset) === true} onChange={onChange} />;
  if (field.words)
    return (
      <Radio.Group
        id={id}
        aria-label={field.label}
        value={value ?? preset}
        onChange={(event) => onChange(event.target.value)}
        options={Object.entries(field.words).map(([code, label]) => ({ value: code, label }))}
      />
    );
  const enter = (next: string) => {
    setTyped(next);
    onChange(optionOf(field, next));
  };
  const common = {
    ...{ id, value: text, onChange: enter, 'aria-describedby': describedBy },
    placeholder: preset === undefined ? undefined : `默认 ${typedOf(field, preset) || '无'}`,
  };
  return field.kind === 'json' ? <TextArea {...common} /> : <TextInput {...common} />;
}
