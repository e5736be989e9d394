import { FieldError, saidAt } from '../overlay/FieldError.tsx';
import { FormInput } from './FormInput.tsx';
import type { FieldInputProps } from './field-input.ts';
import { HelpLink } from './HelpLink.tsx';

interface FormFieldProps extends Omit<FieldInputProps, 'value' | 'invalid' | 'describedBy'> {
  readonly error: string | undefined;
}

/** A field of a form: its label, its input, how it is to be filled, and what the server says is wrong with it. */
export function FormField({ error, ...input }: FormFieldProps) {
  const { asked, id, values } = input;
  const { name, label, required } = asked.field;
  const hint = asked.hint?.(values);
  const hintId = hint === undefined ? '' : `${id}-hint`;
  return (
    <div className="form-field">
      <div className="form-label">
        <label htmlFor={id} data-required={required || undefined}>
          {label}
        </label>
        {asked.help !== undefined && <HelpLink words={asked.help} />}
      </div>
      <div className="form-input">
        <FormInput {...input} value={values[name]} {...saidAt({ id, error }, hintId)} />
        {hint !== undefined && (
          <p id={hintId} className="form-hint">
            {hint}
          </p>
        )}
        <FieldError id={id} error={error} />
      </div>
    </div>
  );
}
