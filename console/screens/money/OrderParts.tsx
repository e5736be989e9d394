import type { Deposit } from '#contract/deposits.ts';
import type { Withdrawal } from '#contract/withdrawals.ts';
import './money.css';

type Order = Deposit | Withdrawal;

/** What the account's total is now, and what this decision makes of it. */
export const balanceField = ({ balanceBefore, balanceAfter }: Order, moves: boolean) =>
  ({
    field: 'id',
    label: '账户总金额',
    input: () => (
      <output className="money-change">
        {moves ? `${balanceBefore} → ${balanceAfter}` : `${balanceBefore}（不变）`}
      </output>
    ),
  }) as const;

/** Who decided an order, when and why, and whose order it is. */
export function OrderDetail({ order }: { readonly order: Order }) {
  const parts: [string, string | number | null][] = [
    ['用户', order.username ? `${order.username}（${order.userId}）` : order.userId],
    ['审核人', order.reviewer],
    ['审核时间', order.reviewTime],
    ['备注', order.remark],
  ];
  return (
    <dl className="money-detail">
      {parts.map(([label, value]) => [
        <dt key={`${label}:`}>{label}</dt>,
        <dd key={label}>{value ?? '—'}</dd>,
      ])}
    </dl>
  );
}
