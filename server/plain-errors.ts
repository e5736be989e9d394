import { errorCode, isConnectionLoss, isKeptOut } from './db/driver/outage.ts';

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

/** What PostgreSQL says as it ends a session: before it began for what was asked for with it, or half way. */
const isEnded = (error: Error): boolean => 'severity' in error && error.severity === 'FATAL';

/** Whether there was no session, or it was lost half way. A file that is missing has the code of a socket that is. */
const isUnconnected = (error: Error): boolean =>
  isEnded(error) || isKeptOut(error) || (isConnectionLoss(error) && errorCode(error) !== 'ENOENT');

/** What PostgreSQL says where its disk is full. */
const DISK_FULL = '53100';

/** What to look at. */
const variablesOf = ({ message }: Error): string =>
  /"TimeZone"/i.test(message)
    ? 'PLATFORM_TIME_ZONE'
    : 'DATABASE_URL 与 DATABASE_OWNER_URL，以及数据库是否在运行';

/** What to tell of an error: a sentence where whoever reads it can mend it, else where in the program it came from. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (plain.has(error.name)) return error.message;
  if (isUnconnected(error))
    return `无法连接数据库，或连接中断（${error.message || errorCode(error)}）；请核对环境变量 ${variablesOf(error)}`;
  if (errorCode(error) === DISK_FULL) return `数据库的磁盘已满（${error.message}）；请腾出空间之后重做`;
  return error.stack ?? error.message;
}

/** Whoever reads what is said may be gone first, as tee is at Ctrl-C: what is under way is ended properly all the same. */
export function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
}
