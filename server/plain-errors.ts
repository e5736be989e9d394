import { errorCode, isConnectionLoss } from './db/driver/outage.ts';

/** Errors whose message is meant for whoever started the program or ran the command. */
const plain = new Set([
  'ConfigError',
  'EmbeddedPostgresError',
  'MigrationError',
  'DatabaseUnfit',
  'ConsoleBuildError',
  'ServersNotStarted',
  'DumpError',
  'AnchorError',
]);

/** Class 28: a user or a password that is not taken; 3D000: no such database. */
const refused = /^(28...|3D000)$/;

/** Whether there was no session, or it was lost half way. A file that is missing has the code of a socket that is. */
const isUnconnected = (error: Error): boolean =>
  refused.test(errorCode(error)) || (isConnectionLoss(error) && errorCode(error) !== 'ENOENT');

/** What to tell of an error: a sentence where whoever reads it can mend it, else where in the program it came from. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (plain.has(error.name)) return error.message;
  if (isUnconnected(error))
    return `无法连接数据库，或连接中断（${error.message || errorCode(error)}）；请核对环境变量 DATABASE_URL 与 DATABASE_OWNER_URL，以及数据库是否在运行`;
  return error.stack ?? error.message;
}
