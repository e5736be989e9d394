import { type ComponentProps, useId } from 'react';
import type { CallFailed } from '../../kit/call/index.ts';
import { FieldError, saidAt, saidOf } from '../../kit/overlay/index.ts';

interface LoginFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}

/** A native input: the login page must be there before antd is. */
export function LoginField({ label, value, onChange, error, placeholder, ...input }: LoginFieldProps) {
  const id = useId();
  return (
    <div className="login-field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        value={value}
        placeholder={placeholder ?? `请输入${label}`}
        {...saidOf(saidAt({ id, error }))}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Why nobody was let in, where no field says it: read out here if no notice has told it. */
export const LoginFailure = ({ failure }: { readonly failure: CallFailed | null }) => (
  <p className="login-failure" role={failure?.told ? undefined : 'alert'}>
    {failure && Object.keys(failure.fieldErrors).length === 0 ? failure.message : ''}
  </p>
);
