import { Input } from 'antd';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Antd, Button } from '../../kit/overlay/index.ts';

const inputs = {
  phone: { inputMode: 'tel', autoComplete: 'off' },
  code: { inputMode: 'numeric', autoComplete: 'one-time-code' },
  // Of another service: without this a browser fills in the operator's own, and offers to keep this one in its place.
  password: { autoComplete: 'new-password' },
} as const;

interface StepFormProps {
  readonly kind: keyof typeof inputs;
  readonly label: string;
  readonly placeholder?: string;
  readonly hint: string | null;
  readonly running: boolean;
  readonly error: string | undefined;
  readonly onSend: (value: string) => Promise<void>;
}

/** Typing may begin at once, unless somebody types elsewhere: a step may come while they do. */
function takeKeyboard(form: HTMLFormElement | null): void {
  const now = document.activeElement;
  const isFree = now === null || now === document.body || form?.closest('.session-card')?.contains(now);
  if (isFree) form?.querySelector('input')?.focus({ preventScroll: true });
}

/** One step of a login: a single value, sent and then forgotten. */
export function StepForm({ kind, label, placeholder, hint, running, error, onSend }: StepFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => takeKeyboard(form.current), []);
  const [value, setValue] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSend(value);
  };
  const Field = kind === 'password' ? Input.Password : Input;
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <label htmlFor={id}>{label}</label>
      <div className="session-input">
        <Antd>
          <Field
            id={id}
            value={value}
            onChange={(event) => setValue(event.target.value)}
            placeholder={placeholder}
            status={error ? 'error' : ''}
            aria-invalid={error ? true : undefined}
            aria-describedby={`${id}-hint`}
            {...inputs[kind]}
          />
        </Antd>
        <Button type="submit" tone="primary" aria-disabled={running}>
          提交
        </Button>
      </div>
      <p
        id={`${id}-hint`}
        className={error ? 'form-error' : 'session-hint'}
        role={error ? 'alert' : undefined}
      >
        {error ?? hint}
      </p>
    </form>
  );
}
