import { type ComponentProps, useId } from 'react';

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
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        spellCheck={false}
        autoCapitalize="none"
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== undefined && (
        <p id={`${id}-error`} className="login-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
