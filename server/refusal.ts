import { type FailureCode, failures, failureText } from '#contract/failures.ts';

interface RefusalOptions {
  /** The input field the mistake lies in; the console shows the sentence there. */
  field?: string;
  /** Fills `{name}` in the failure's text. */
  values?: Readonly<Record<string, string | number>>;
  /** Seconds for the Retry-After header. */
  retryAfter?: number;
  /** Several fields at once: field name to sentence. */
  errors?: Readonly<Record<string, string>>;
  /** The row that was changed meanwhile, as it is now. */
  current?: object;
  /** What else a program needs that is to try again, beside the sentence. */
  told?: object;
}

/** A call turned down for a reason the caller can understand; whatever else is thrown is a bug and answers 500. */
export class Refusal extends Error {
  readonly failure: FailureCode;
  readonly status: number;
  readonly envelopeCode: number;
  readonly retryAfter: number | undefined;
  readonly errors: Readonly<Record<string, string>> | undefined;
  readonly current: object | undefined;
  readonly told: object | undefined;

  constructor(failure: FailureCode, options: RefusalOptions = {}) {
    const { status, code } = failures[failure];
    const text = failureText(failure, options.values);
    super(text);
    this.name = 'Refusal';
    this.failure = failure;
    this.status = status;
    this.envelopeCode = code;
    this.retryAfter = options.retryAfter;
    this.current = options.current;
    this.told = options.told;
    this.errors = options.errors ?? (options.field ? { [options.field]: text } : undefined);
  }
}

/** The refusal of what an input field holds, with a sentence that is shown there. */
export const wrong = (field: string, message: string): Refusal =>
  new Refusal('invalid', { field, values: { message } });
