import { saidOf } from '../overlay/FieldError.tsx';
import { textOf } from './field-input.ts';
import type { InputProps } from './field-spec.ts';
import { TextInput } from './TextInput.tsx';

/** For the six figures of an authenticator, or the letters of a recovery code: shown as typed, and offered by the phone's keyboard. */
export const CodeInput = ({ id, value, onChange, ...said }: InputProps) => (
  <TextInput
    id={id}
    value={textOf(value)}
    onChange={onChange}
    inputMode="text"
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    {...saidOf(said)}
  />
);
