import { randomUUID } from 'node:crypto';
import type { Db } from '#server/db/database.ts';
import { findBalance } from '#server/features/accounts/account-store.ts';
import { post } from '#server/features/ledger/ledger-store.ts';
import { addUser, type NewUser } from '#server/features/users/user-store.ts';

export interface BuiltUser {
  userId: number;
  accountId: number;
  username: string;
}

/** A player with an account that holds `balance`, credited by hand. */
export async function buildUser(
  db: Db,
  { balance = '0', ...player }: Partial<NewUser> & { balance?: string } = {},
): Promise<BuiltUser> {
  const username = player.username ?? `player-${randomUUID()}`;
  return db.transaction().execute(async (tx) => {
    const userId = await addUser(tx, { nickName: '测试玩家', ...player, username });
    if (userId === undefined) throw new Error(`cannot build player ${username}`);
    if (Number(balance) > 0)
      await post(tx, {
        userId,
        changeType: 'MANUAL_ADDITION',
        amount: balance,
        bizOrderNo: null,
        desc: null,
      });
    const row = await tx
      .selectFrom('account')
      .select('id')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    return { userId, accountId: row.id, username };
  });
}

/** What a player has, as three decimal texts. */
export async function balanceOf(db: Db, userId: number) {
  const balance = await findBalance(db, userId);
  if (!balance) throw new Error(`no account of user ${userId}`);
  const { totalAmount, availableAmount, freezeAmount } = balance;
  return { totalAmount, availableAmount, freezeAmount };
}
