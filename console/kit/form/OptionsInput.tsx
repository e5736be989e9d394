import { useState } from 'react';
import type { OptionField } from '#contract/option-fields.ts';
import { Button } from '../overlay/Button.tsx';
import type { InputProps } from './field-spec.ts';
import { OptionInput } from './OptionInput.tsx';
import { optionsIn, optionsText } from './option-values.ts';
import { TextArea } from './TextArea.tsx';

interface OptionsInputProps extends Pick<InputProps, 'id' | 'value' | 'onChange'> {
  /** What the options are; unknown until it is chosen whose they are. */
  readonly fields: readonly OptionField[] | undefined;
}

/** Options that travel as JSON text, an input each; as JSON for who wants it, or where no input could show them. */
export function OptionsInput({ id, value, onChange, fields }: OptionsInputProps) {
  const [wanted, setWanted] = useState(false);
  const text = typeof value === 'string' ? value : '';
  const options = fields && optionsIn(text, fields);
  if (fields?.length === 0 && text === '') return <p className="form-hint">不需要参数</p>;
  const asJson = wanted || !options;
  return (
    <div className="options-input">
      {asJson ? (
        <TextArea id={id} value={text} onChange={onChange} placeholder="JSON 对象；留空用默认参数" />
      ) : (
        fields.map((field) => (
          <OptionInput
            key={field.name}
            id={`${id}-${field.name}`}
            field={field}
            value={options[field.name]}
            onChange={(next) => onChange(optionsText({ ...options, [field.name]: next }))}
          />
        ))
      )}
      {options && <Button onClick={() => setWanted(!wanted)}>{asJson ? '逐项填写' : '以 JSON 填写'}</Button>}
    </div>
  );
}
