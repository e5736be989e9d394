interface Circumstances {
  /** What is wrong with which field of the input, by name. */
  readonly fieldErrors?: Readonly<Record<string, string>>;
  /** True once a toast has said it. */
  readonly told?: boolean;
  /** The row that was to be edited, as it is since somebody else changed it. */
  readonly current?: Readonly<Record<string, unknown>> | undefined;
}

/** A call that brought no data. What no toast has told is for the place that asked to say. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  readonly fieldErrors: Readonly<Record<string, string>>;
  readonly told: boolean;
  readonly current: Readonly<Record<string, unknown>> | undefined;
  /** False when nobody knows whether the server acted: sending again must then use the same idempotency key. */
  readonly settled: boolean;

  constructor(
    message: string,
    settled: boolean,
    { fieldErrors = {}, told = false, current }: Circumstances = {},
  ) {
    super(message);
    this.settled = settled;
    this.fieldErrors = fieldErrors;
    this.told = told;
    this.current = current;
  }

  /** The same of what was to be done, where nobody knows whether it was: what sending it again would do. */
  ofCommand(): CallFailed {
    if (this.settled) return this;
    const text = `${this.message}。可能已经执行；原样再次提交不会重复执行`;
    return new CallFailed(text, false, { told: this.told });
  }

  /** The same failure once a field has been corrected; nothing when that was all there was. */
  without(field: string): CallFailed | null {
    if (!(field in this.fieldErrors)) return this;
    const rest = Object.entries(this.fieldErrors).filter(([name]) => name !== field);
    if (rest.length === 0) return null;
    return new CallFailed(this.message, this.settled, {
      fieldErrors: Object.fromEntries(rest),
      told: this.told,
    });
  }
}

/** Nothing came from the server: whether it acted, nobody knows. */
export const noAnswer = (): CallFailed => new CallFailed('没有收到系统的响应，请检查网络后重试', false);
