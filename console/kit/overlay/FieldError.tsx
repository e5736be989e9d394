import './field-error.css';

/** What is said of an input besides its label. */
export interface Said {
  readonly invalid?: boolean | undefined;
  /** The ids of the sentences under it. */
  readonly describedBy?: string | undefined;
}

interface FieldErrorProps {
  /** The id of the field's input, which stands with this in one element. */
  readonly id: string;
  readonly error: string | undefined;
}

const errorIdOf = (id: string): string => `${id}-error`;

/** What is said of the input of a field: what is wrong with it, by a `FieldError`, and a hint where it has one. */
export const saidAt = ({ id, error }: FieldErrorProps, hintId = ''): Said => ({
  invalid: error !== undefined,
  describedBy: `${hintId} ${error === undefined ? '' : errorIdOf(id)}`.trim() || undefined,
});

/** The same for assistive technology. Nothing is said of what is right: what a picker finds wrong itself stands. */
export const saidOf = ({ invalid = false, describedBy }: Said) => ({
  'aria-describedby': describedBy,
  ...(invalid ? { 'aria-invalid': true } : {}),
});

/** What is wrong with a field, below its input: read out as it comes, and to whoever comes to the input. */
export const FieldError = ({ id, error }: FieldErrorProps) =>
  error !== undefined && (
    <p id={errorIdOf(id)} className="field-error" role="alert">
      {error}
    </p>
  );

/** Leads the keyboard to the first field in a frame with which something is wrong. */
export const goToError = (frame: Element | null): void =>
  frame
    ?.querySelector('.field-error')
    ?.parentElement?.querySelector<HTMLElement>(':is(input, textarea, button):enabled')
    ?.focus();
