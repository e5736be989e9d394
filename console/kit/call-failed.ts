/** A call that brought no data. Its toast has been shown; what is left is for the place that asked. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed';
  /** What is wrong with which field of the input, by name. */
  readonly fieldErrors: Readonly<Record<string, string>>;
  /** False when nobody knows whether the server acted: sending again must then use the same idempotency key. */
  readonly settled: boolean;

  constructor(message: string, settled: boolean, fieldErrors: Readonly<Record<string, string>> = {}) {
    super(message);
    this.settled = settled;
    this.fieldErrors = fieldErrors;
  }
}
