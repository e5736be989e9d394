import { resetOperatorPassword } from '#contract/operators.ts';
import { bumpEpoch } from '#server/access/access-events.ts';
import type { Db } from '#server/db/database.ts';
import { changeOperator } from '#server/features/operators/operator-store.ts';
import { findOperatorByName, type OperatorSecrets } from '#server/features/sign-in/operator-secrets.ts';
import { hashPassword, readablePassword } from '#server/features/sign-in/password.ts';
import { forgetFailures } from '#server/features/sign-in/throttle-store.ts';
import { revokeSessions } from '#server/features/sign-in/token-store.ts';
import { foldedName } from '#server/features/sign-in/user-name.ts';
import { commandWords } from './command-words.ts';
import { configWithoutSecret, withDatabase } from './open-database.ts';
import { tellPlainly } from './plain-errors.ts';
import { recordCommand } from './record-command.ts';
import { stop } from './stop.ts';

// `npm run password:reset -- <username>` gives an operator a temporary password when nobody can sign in to do it in the console: the only
// administrator has forgotten theirs, or somebody's tries keep the account closed. It takes the server's environment, may run while the
// server works, and leaves its line in the change record.

/** The operator who was given the password; nothing when there is nobody of this name. */
async function resetPassword(
  db: Db,
  userName: string,
  passwordHash: string,
): Promise<OperatorSecrets | undefined> {
  return db.transaction().execute(async (tx) => {
    await bumpEpoch(tx, 'everyone');
    const operator = await findOperatorByName(tx, userName);
    if (!operator) return undefined;
    const { id } = operator;
    await changeOperator(tx, { id }, () => ({ passwordHash, passwordTemporary: true }));
    await revokeSessions(tx, id);
    await forgetFailures(tx, 'password', String(id));
    await forgetFailures(tx, 'account', foldedName(operator.userName));
    await recordCommand(tx, {
      endpoint: resetOperatorPassword,
      call: 'resetOperatorPassword',
      input: { id },
      msg: '密码已重置，锁定已解除',
    });
    return operator;
  });
}

const [userName = ''] = commandWords('password:reset -- 用户名', 1);
await tellPlainly(async () => {
  const password = readablePassword();
  const passwordHash = await hashPassword(password);
  const config = configWithoutSecret(process.env);
  const operator = await withDatabase(config, { applicationName: 'password-reset' }, (db) =>
    resetPassword(db, userName, passwordHash),
  );
  if (!operator) stop(`没有名为 ${userName} 的操作员`);
  console.log(`操作员 ${operator.userName}（编号 ${operator.id}）的临时密码：${password}`);
  console.log('登录后须先修改；此前的登录都已结束，账号的锁定已解除');
  if (operator.disabled) console.log('该操作员已停用，启用之后才能登录');
  if (operator.googleSecret)
    console.log(
      `登录仍须谷歌验证码或恢复码；都没有时再运行 npm run google-key:clear -- ${operator.userName}`,
    );
});
