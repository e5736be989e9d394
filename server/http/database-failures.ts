import postgres from 'postgres';
import type { FailureCode } from '#contract/failures.ts';
import { Refusal } from '#server/refusal.ts';

// SQLSTATE codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
const byState: Readonly<Record<string, FailureCode>> = {
  '23505': 'duplicate',
  '23503': 'referenced',
  '55P03': 'unavailable', // lock_timeout
  '57014': 'unavailable', // statement_timeout
  '57P01': 'unavailable', // the server is shutting down
  '57P02': 'unavailable',
  '57P03': 'unavailable', // the server is starting up
  '53300': 'unavailable', // too many connections
};

// What postgres.js and Node say when the database cannot be reached.
const outOfReach = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ENOENT',
]);

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';

/** Whether trying the same transaction again may succeed: a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error));

/** The refusal an error amounts to; nothing when it is a bug. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const code = codeOf(error);
  const failure = error instanceof postgres.PostgresError ? byState[code] : undefined;
  if (failure) return new Refusal(failure);
  return outOfReach.has(code) ? new Refusal('unavailable') : undefined;
}
