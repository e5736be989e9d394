/** What every answer is wrapped in. `msg` is null for queries that succeed; `code` repeats the outcome as a number. */
export interface Envelope<T = unknown> {
  success: boolean;
  msg: string | null;
  data: T | null;
  code: number;
}

/** The `data` of a refused call whose mistake lies in certain fields: field name to the sentence shown beside it. */
export interface FieldErrors {
  errors: Record<string, string>;
}
