import { sql } from 'kysely';
import type { Account } from '#contract/accounts.ts';
import type { WaitingWithdrawal } from '#contract/user-pages.ts';
import type { User } from '#contract/users.ts';
import type { Db } from '#server/db/database.ts';
import { Refusal } from '#server/refusal.ts';
import { takerOf } from '../orders/takes.ts';
import { turnoverRefusal } from '../turnover-requirements/requirement-store.ts';

/** Of more than these it is only told that there are more. */
const MOST = 20;

interface Waiting extends Omit<WaitingWithdrawal, 'reasons'> {
  readonly approvalId: number | null;
  readonly maker: string | null;
  /** Who is at work on it at the money desk. */
  readonly taker: string | null;
}

/** The withdrawals of a player that nobody has decided, the oldest first, with what waits for a second operator; one more than are told. */
async function findWaiting(db: Db, userId: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select w.id as "withdrawalId", w.amount, w."createTime", a.id as "approvalId", a.maker, ${takerOf('w')}
    from (select id, amount, "createTime", "takenBy", "takenUntil" from withdrawal where "userId" = ${userId} and status = 'PROCESSING'
        order by id limit ${MOST + 1}) w
      left join lateral (select id, maker from approval
        where status = 'PENDING' and call = 'markWithdrawal' and "targetId" = w.id::text and "expireTime" > clock_timestamp()
        order by id desc limit 1) a on true
    order by w.id`.execute(db);
  return rows;
}

/** Why no withdrawal of a player goes through at present, as whoever places or pays one is told. */
async function barredBy(db: Db, { id, frozen, freezeReason }: User, { debt }: Account): Promise<string[]> {
  const turnover = await turnoverRefusal(db, id);
  return [
    ...(frozen ? [`用户已冻结：${freezeReason}`] : []),
    ...(Number(debt) > 0 ? [new Refusal('debtOutstanding').message] : []),
    ...(turnover ? [turnover.message] : []),
  ];
}

function whereItIs({ approvalId, maker, taker }: Waiting): string {
  if (approvalId !== null) return `“${maker}”已提交打款，等待复核（复核编号 ${approvalId}）`;
  return taker === null ? '等待审核，尚未处理' : `“${taker}”正在资金工作台处理`;
}

/** The withdrawals of a player that wait, and why each does. */
export async function waitingWithdrawals(db: Db, user: User, account: Account) {
  const waiting = await findWaiting(db, user.id);
  const barred = await barredBy(db, user, account);
  const told = waiting.slice(0, MOST).map((one): WaitingWithdrawal => {
    const { withdrawalId, amount, createTime } = one;
    return { withdrawalId, amount, createTime, reasons: [whereItIs(one), ...barred] };
  });
  return { barred, withdrawals: told, withdrawalsMore: waiting.length > MOST };
}
