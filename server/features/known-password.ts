import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { SAMPLE_PASSWORD } from './sample-account.ts';
import { passwordMatches } from './sign-in/password.ts';

const LOOPBACK = '127.0.0.1';

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * The names of the operators whose password still is the published one, however it came to be theirs. A hash that was found to
 * be another password's is remembered with its row, so that a start looks at those only that are new since the last one.
 */
async function operatorsWithSamplePassword(db: Db): Promise<string[]> {
  const unchecked = await db
    .selectFrom('operator')
    .select(['id', 'userName', 'passwordHash'])
    .where(sql<boolean>`"checkedHash" is distinct from "passwordHash"`)
    .orderBy('id')
    .execute();
  const found: string[] = [];
  for (const { id, userName, passwordHash } of unchecked) {
    if (await passwordMatches(passwordHash, SAMPLE_PASSWORD)) found.push(userName);
    else await db.updateTable('operator').set({ checkedHash: passwordHash }).where('id', '=', id).execute();
  }
  return found;
}

/** Where the server may listen: where it was told to, or on loopback only, with the reason, while a password is known to everyone. */
export async function listeningHost(db: Db, wanted: string): Promise<{ host: string; reason?: string }> {
  if (isLoopback(wanted)) return { host: wanted };
  const names = await operatorsWithSamplePassword(db);
  if (names.length === 0) return { host: wanted };
  const reason =
    `操作员 ${names.join('、')} 的密码仍是公开的演示密码，因此只监听 ${LOOPBACK}，不监听 HOST 指定的 ${wanted}；` +
    `请登录后在“安全中心”修改密码（不能在本机打开浏览器的，运行 npm run password:reset -- ${names[0]} 换成临时密码），再重新启动`;
  return { host: LOOPBACK, reason };
}
