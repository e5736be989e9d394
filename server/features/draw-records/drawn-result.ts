/** One draw as a source tells it. */
export interface DrawnResult {
  readonly phase: string;
  /** Numbers in the source's spelling and order, separated by commas. */
  readonly result: string;
  /** Epoch seconds; null when the source gives no time. */
  readonly openTime: number | null;
  /** The last second of the day, where the source names no more than that; `openTime` is its first one then. */
  readonly dayEnd?: number;
}
