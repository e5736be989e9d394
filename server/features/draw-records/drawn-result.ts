/** One draw as a source tells it. */
export interface DrawnResult {
  readonly phase: string;
  /** Numbers in the source's spelling and order, separated by commas. */
  readonly result: string;
  /** Epoch seconds; null when the source gives no time. */
  readonly openTime: number | null;
  /** The source names no more than the day, whose first moment `openTime` is. */
  readonly dayOnly?: true;
}
