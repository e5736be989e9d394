import { FormInput } from './FormInput.tsx';
import type { FieldInputProps } from './field-input.ts';

interface FormFieldProps extends Omit<FieldInputProps, 'value' | 'invalid'> {
  readonly error: string | undefined;
}

/** A field of a form: its label, its input, and what the server says is wrong with it. */
export function FormField({ error, ...input }: FormFieldProps) {
  const { asked, id, values } = input;
  const { name, label, required } = asked.field;
  return (
    <div className="form-field">
      <label htmlFor={id} data-required={(required && !asked.input) || undefined}>
        {label}
      </label>
      <div className="form-input">
        <FormInput {...input} value={values[name]} invalid={error !== undefined} />
        {error !== undefined && (
          <p className="form-error" role="alert">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}
