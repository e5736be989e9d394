import { failures } from '#contract/failures.ts';

/** What an operator reads for an HTTP status whose answer says nothing itself. Any other status says nothing. */
const catalogue: Readonly<Record<number, string>> = {
  400: failures.badRequest.msg,
  403: failures.forbidden.msg,
  404: failures.pathNotFound.msg,
  500: failures.fault.msg,
  503: failures.unavailable.msg,
};

const textIn = (body: unknown, key: string): string | null => {
  if (typeof body !== 'object' || body === null || !(key in body)) return null;
  const value: unknown = Reflect.get(body, key);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

/** The toast for an HTTP error: the body's own words first, then the catalogue's, else none. */
export const httpFailureText = (status: number, body: unknown): string | null =>
  textIn(body, 'msg') ?? textIn(body, 'message') ?? catalogue[status] ?? null;
