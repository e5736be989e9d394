import { Select } from 'antd';
import { Antd } from '../overlay/Antd.tsx';
import { saidOf } from '../overlay/FieldError.tsx';
import { asChosen, type FieldInputProps } from './field-input.ts';
import type { Option, OptionValue } from './options.ts';

interface ChoiceSelectProps extends FieldInputProps {
  readonly choices: readonly Option[];
  readonly placeholder: string;
}

/** Chooses one, or several where the field is a list; a tree is shown by indenting. */
export function ChoiceSelect(props: ChoiceSelectProps) {
  const { asked, id, value, onChange, choices, options, invalid, describedBy, placeholder } = props;
  const { many } = asked.field;
  const one = value === '' || value === null ? undefined : asChosen(choices, value);
  const several = Array.isArray(value) ? value.map((each) => asChosen(choices, each)) : [];
  const chosen = choices.filter((choice) => (many ? several : [one]).includes(choice.value));
  return (
    <Antd>
      <Select<unknown, { value: OptionValue; label: string; title: string }>
        id={id}
        className="field-select"
        {...(many ? { mode: 'multiple' as const } : {})}
        value={many ? several : one}
        onChange={(next: unknown) => onChange(next ?? '')}
        placeholder={asked.placeholder ?? placeholder}
        options={choices.map(({ value: code, label, depth = 0 }) => ({
          value: code,
          label: `${'\u3000'.repeat(depth)}${label}`,
          title: label,
        }))}
        showSearch={{ optionFilterProp: 'title' }}
        allowClear
        loading={asked.optionsFor !== undefined && options === undefined}
        status={invalid ? 'error' : ''}
        // What is chosen stands beside the input that has the keyboard, where no screen reader looks for it.
        aria-description={chosen.map(({ label }) => label).join('、') || undefined}
        {...saidOf({ invalid, describedBy })}
        popupMatchSelectWidth={false}
      />
    </Antd>
  );
}
