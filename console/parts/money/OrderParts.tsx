import type { Deposit } from '#contract/deposits.ts';
import type { Withdrawal } from '#contract/withdrawals.ts';
import { readOperatorName } from '../../kit/call/index.ts';
import { moneyText } from '../../kit/form/index.ts';
import { Detail, RowLink } from '../../kit/list/index.ts';
import { useDialogOpen } from '../../kit/overlay/index.ts';
import './money.css';

type Order = Deposit | Withdrawal;

/** The player bets meanwhile, and others move money and decide orders too. */
const POLL_MS = 5_000;

/** How an account or order is read again while the dialog about it is on screen. */
export const useAsOfNow = () => ({ everyMs: POLL_MS, quiet: true, enabled: useDialogOpen() });

interface BalanceProps<O extends Order> {
  /** As its row has it. */
  readonly order: O;
  /** As it was read since its form was opened; nothing before that. */
  readonly now: O | undefined;
  /** What the account's total is once the order is decided so. */
  readonly after: (order: O) => string | null;
}

/**
 * What the account's total is, and what it is once the order is decided so. The row may have been read long ago: a total that has moved
 * since is said, and so is that somebody else has decided the order or is at it. Once decided here it tells no more: the order is read again
 * while its dialog goes.
 */
export function Balance<O extends Order>({ order, now: read = order, after }: BalanceProps<O>) {
  const now = useDialogOpen() ? read : order;
  const { balanceBefore: shown } = order;
  const { status, reviewer, balanceBefore } = now;
  if (status !== 'PROCESSING')
    return <output className="money-change">{`该订单已处理${reviewer ? `（${reviewer}）` : ''}`}</output>;
  const then = after(now);
  const before = moneyText(balanceBefore ?? '');
  return (
    <output className="money-change">
      {then === balanceBefore ? `${before}（不变）` : `${before} → ${moneyText(then ?? '')}`}
      {shown !== balanceBefore && <strong>（已变动，此前显示为 {moneyText(shown ?? '')}）</strong>}
      {'submitted' in now && now.submitted && <strong>（打款待复核）</strong>}
      {isOthers(now) && <strong>（{now.taker} 处理中）</strong>}
    </output>
  );
}

/** Why an order was decided so; whoever refuses one must say. */
export const remarkField = (isRejection: boolean) =>
  ({
    field: 'remark',
    required: isRejection,
    ...(isRejection ? { placeholder: '请写明拒绝的原因' } : {}),
  }) as const;

const tones = { SUCCESS: 'good', FAIL: 'bad' } as const;

/** What became of an order, for its `Decision`. */
export function outcomeOf(
  { status, reviewer, reviewTime, remark }: Order,
  words: Record<keyof typeof tones, string>,
) {
  if (status === 'PROCESSING') return undefined;
  return { word: words[status], tone: tones[status], by: reviewer, told: [reviewTime, remark] };
}

/** Whether somebody else is at work on an order, whose decision it is then. */
export const isOthers = ({ status, taker }: Order): boolean =>
  status === 'PROCESSING' && taker !== null && taker !== readOperatorName();

/** Who is at work on an order, where its buttons were. */
export const Taken = ({ order: { taker } }: { readonly order: Order }) => (
  <span className="money-outcome" title={`${taker} 在资金工作台领取，可在那里接手`}>
    {taker} 处理中
  </span>
);

/** Who decided an order, when and why, and whose order it is. */
export function OrderDetail({ order }: { readonly order: Order }) {
  const { userId, username, taker, reviewer, reviewTime, remark } = order;
  const user = (
    <RowLink noun="user" row={{ id: userId }}>
      {username ? `${username}（${userId}）` : String(userId)}
    </RowLink>
  );
  return (
    <Detail
      parts={[
        ['用户', user],
        ...(taker === null ? [] : [['处理人', taker] as const]),
        ['审核人', reviewer],
        ['审核时间', reviewTime],
        ['备注', remark],
      ]}
    />
  );
}
