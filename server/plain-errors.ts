import { errorCode } from './db/driver/outage.ts';

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

/** Class 28: a user or a password that is not taken; 3D000: no such database; the others: nobody is there, for as long as was waited. */
const unconnected =
  /^(28...|3D000|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED)|E(CONNREFUSED|CONNRESET|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN|TIMEDOUT))$/;

/** What to tell of an error: a sentence where whoever reads it can mend it, else where in the program it came from. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (plain.has(error.name)) return error.message;
  const code = errorCode(error);
  if (unconnected.test(code))
    return `无法连接数据库（${error.message || code}）；请核对环境变量 DATABASE_URL 与 DATABASE_OWNER_URL，以及数据库是否在运行`;
  return error.stack ?? error.message;
}
