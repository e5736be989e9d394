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

/** The `data` of an edit that was refused because the row was changed meanwhile: the row as it is now. */
export interface StaleRow {
  current: Readonly<Record<string, unknown>>;
}
