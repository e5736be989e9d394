/** The database cannot be reached, or all connections have been busy for too long. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  readonly code = 'CONNECTION_CLOSED';
}

/** The code of an error of the driver, the network or PostgreSQL itself. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What PostgreSQL says of an error beside its message, such as the row it is about; empty where it says nothing. */
export const errorDetail = (error: unknown): string =>
  error instanceof Error && 'detail' in error ? String(error.detail) : '';

/** A lock that somebody else holds was not to be waited for, or not for longer. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** The driver's and the network's codes for a connection that is gone or never came about. */
const lost =
  /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|E(CONN\w+|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|ADDRNOTAVAIL)|ENOENT)$/;

/**
 * Class 08: connection; 57P: shutdown, crash, starting up, dropped database, idle too long; 25P03, 25P04: transaction idle or open too long;
 * 25006: what was the primary when the connection was made is a standby now, and the primary another.
 */
const ended = /^(08...|57P..|25P0[34]|25006)$/;

/** Whether the connection an error came from is of no further use. */
export function isConnectionLoss(error: unknown): boolean {
  const code = errorCode(error);
  return lost.test(code) || ended.test(code) || error instanceof DatabaseUnavailable;
}

/** 53: out of connections, memory or disk; 57014: over the time limit of a statement; 55P03: of a lock. */
const overloaded = /^(53...|57014|55P03)$/;

/** Whether an error means "try again later" (HTTP 503) rather than a mistake of the caller or a bug. */
export function isOutage(error: unknown): boolean {
  return isConnectionLoss(error) || overloaded.test(errorCode(error));
}

/** Class 28: a user or a password that is not taken; 3D000: no such database; and what a certificate is not believed for. */
const keptOut =
  /^(28...|3D000|CERT_\w+|ERR_TLS_CERT_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?|UNABLE_TO_(GET|VERIFY)_\w+)$/;

/** Whether this server and the database do not let one another in any more: somebody has to change a setting. */
export const isKeptOut = (error: unknown): boolean => keptOut.test(errorCode(error));

/** Whether the same work may succeed when it is tried again: a serialization failure (40001) or a deadlock (40P01). */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(errorCode(error));
}

/** What the database says of a draw before its time by its own clock: that was set back since it was read. */
const NOT_DUE_YET = 'DR009';

/** Whether the same work may go well a moment later: the database is away or busy, or others were in the way. */
export const isPassing = (error: unknown): boolean =>
  isOutage(error) || isRetryable(error) || errorCode(error) === NOT_DUE_YET;
