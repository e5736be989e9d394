import { cleanGoogleKey } from '#contract/operators.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import type { Db } from '#server/db/database.ts';
import { clearGoogleKey } from '#server/features/sign-in/google-key-store.ts';
import { findOperatorByName } from '#server/features/sign-in/operator-secrets.ts';
import { lacksSecondFactor } from '#server/features/sign-in/second-factor.ts';
import { revokeSessions } from '#server/features/sign-in/token-store.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, withDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';
import { recordCommand } from './record-command.ts';
import { stop } from './stop.ts';

// `npm run google-key:clear -- <username>` takes the Google key from an operator when nobody can sign in to do it in the console: the
// phone is lost, or the key was sealed under another APP_SECRET. It takes the server's environment, may run while the server works, and
// leaves its line in the change record.

/** The operator whose key was cleared, and whether there was one; nothing when there is nobody of this name. */
async function clearKey(db: Db, userName: string): Promise<{ id: number; had: boolean } | undefined> {
  return db.transaction().execute(async (tx) => {
    await bumpEpoch(tx, 'everyone');
    const operator = await findOperatorByName(tx, userName);
    if (!operator) return undefined;
    const { id } = operator;
    if (operator.googleSecret === null) return { id, had: false };
    await clearGoogleKey(tx, id);
    if (await lacksSecondFactor(tx, id)) await revokeSessions(tx, id);
    await recordCommand(tx, {
      endpoint: cleanGoogleKey,
      call: 'cleanGoogleKey',
      input: { id },
      msg: '操作成功',
    });
    return { id, had: true };
  });
}

const [userName = ''] = commandWords('google-key:clear -- 用户名', 1);
await tellPlainly(async () => {
  const config = configWithoutSecret(process.env);
  const cleared = await withDatabase(config, { applicationName: 'google-key-clear' }, (db) =>
    clearKey(db, userName),
  );
  if (!cleared) stop(`没有名为 ${userName} 的操作员`);
  const whose = `操作员 ${userName}（编号 ${cleared.id}）`;
  console.log(cleared.had ? `已清除${whose}的谷歌密钥` : `${whose}本来就没有谷歌密钥`);
});
