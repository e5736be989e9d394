import type { ComponentProps } from 'react';
import './input.css';

interface TextInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One line of text, in antd's looks: the first list on screen need not wait for antd's own input. */
export const TextInput = ({ value, onChange, ...rest }: TextInputProps) => (
  <input
    type="text"
    autoComplete="off"
    {...rest}
    className="input"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);
