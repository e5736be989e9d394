/** An object of TDLib's JSON interface; `_` names its type. */
export interface TdObject {
  readonly _: string;
  readonly [field: string]: unknown;
}

/** TDLib's own answer to a request it turned down, as in 400 PHONE_NUMBER_INVALID. */
export class TdError extends Error {
  override name = 'TdError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One client inside TDLib. It is at its end when the update `authorizationStateClosed` has come. */
export interface TdClient {
  /** Sends a request. Rejects with `TdError`; may wait for the network without end. */
  ask(request: TdObject): Promise<TdObject>;
}

/** What this program needs of TDLib: the real library, or the double of the tests. */
export interface TdLibrary {
  /** Makes a client without any parameters; everything it reports goes to `onUpdate`. */
  open(onUpdate: (update: TdObject) => void): TdClient;
}

/** Whether something is an object of TDLib's. */
export const isTdObject = (value: unknown): value is TdObject =>
  typeof value === 'object' && value !== null && '_' in value && typeof value._ === 'string';

/** A part of a TDLib object that is an object itself. */
export function partOf(object: TdObject, field: string): TdObject | undefined {
  const part = object[field];
  return isTdObject(part) ? part : undefined;
}

export const textOf = (object: TdObject, field: string): string => {
  const value = object[field];
  return typeof value === 'string' ? value : '';
};

export const numberOf = (object: TdObject, field: string): number => {
  const value = object[field];
  return typeof value === 'number' ? value : 0;
};
