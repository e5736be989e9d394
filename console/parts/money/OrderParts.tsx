import type { ReactNode } from 'react';
import type { Deposit } from '#contract/deposits.ts';
import type { Withdrawal } from '#contract/withdrawals.ts';
import { readOperatorName } from '../../kit/call/index.ts';
import { moneyText } from '../../kit/form/index.ts';
import { RowLink } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import './money.css';

type Order = Deposit | Withdrawal;

/** What the account's total is now, and what this decision makes of it. */
export const balanceField = ({ balanceBefore, balanceAfter }: Order, moves: boolean) =>
  ({
    field: 'id',
    label: '账户总金额',
    input: () => (
      <output className="money-change">
        {moves
          ? `${moneyText(balanceBefore ?? '')} → ${moneyText(balanceAfter ?? '')}`
          : `${moneyText(balanceBefore ?? '')}（不变）`}
      </output>
    ),
  }) as const;

/** Why an order was decided so; whoever refuses one must say. */
export const remarkField = (isRejection: boolean) =>
  ({
    field: 'remark',
    required: isRejection,
    ...(isRejection ? { placeholder: '请写明拒绝的原因' } : {}),
  }) as const;

const outcomes = { SUCCESS: 'good', FAIL: 'bad' } as const;

/** What became of an order, and by whom, where its buttons were. */
export function Outcome({
  order,
  words,
}: {
  readonly order: Order;
  readonly words: Record<keyof typeof outcomes, string>;
}) {
  const { status, reviewer, reviewTime, remark } = order;
  if (status === 'PROCESSING') return null;
  const told = [reviewTime, remark].filter((part) => part !== null).join('　');
  return (
    <span className="money-outcome" title={told}>
      <b data-tone={outcomes[status]}>{words[status]}</b>
      {reviewer}
    </span>
  );
}

/** Whether somebody else is at work on an order, whose decision it is then. */
export const isOthers = ({ status, taker }: Order): boolean =>
  status === 'PROCESSING' && taker !== null && taker !== readOperatorName();

/** Who is at work on an order, where its buttons were. */
export const Taken = ({ order: { taker } }: { readonly order: Order }) => (
  <span className="money-outcome" title="在资金工作台领取，可在那里接手">
    {taker} 处理中
  </span>
);

/** Who decided an order, when and why, and whose order it is. */
export function OrderDetail({ order }: { readonly order: Order }) {
  const { userId, username } = order;
  const parts: [string, ReactNode][] = [
    [
      '用户',
      <RowLink key="user" noun="user" row={{ id: userId }}>
        {username ? `${username}（${userId}）` : String(userId)}
      </RowLink>,
    ],
    ...(order.taker === null ? [] : [['处理人', order.taker] satisfies [string, ReactNode]]),
    ['审核人', order.reviewer],
    ['审核时间', order.reviewTime],
    ['备注', order.remark],
  ];
  return (
    <dl className="money-detail">
      {parts.map(([label, value]) => [
        <dt key={`${label}:`}>{label}</dt>,
        <dd key={label}>{value ?? <Absent />}</dd>,
      ])}
    </dl>
  );
}
