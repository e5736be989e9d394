import { type AccountHistory, pageAccountHistory } from '#contract/account-history.ts';
import { Tag } from '../../kit/form/index.ts';
import { ListScreen, Money, RowLink } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import '../../parts/money/money.css';

const signed = ({ direction, amount }: AccountHistory) => (
  <span className={`money-${direction}`}>
    <Money value={amount} sign={direction === 'IN' ? '+' : '-'} />
  </span>
);

const orders = { RECHARGE: 'deposit', WITHDRAW: 'withdrawal' } as const;

const hasOrder = (changeType: string): changeType is keyof typeof orders => changeType in orders;

/** The slip that a number is of: B12 of its stake and first settlement, B12/2 of a later one. */
const slipIn = (bizOrderNo: string): string | undefined => /^B(\d+)(\/\d+)?$/.exec(bizOrderNo)?.[1];

/** The order number, leading to the slip or order whose it is; what the players' site vouches for alone is marked. */
function orderNumber({ changeType, bizOrderNo, external }: AccountHistory) {
  if (bizOrderNo === null) return <Absent />;
  const slipId = slipIn(bizOrderNo);
  if (slipId !== undefined)
    return (
      <RowLink noun="slip" row={{ id: slipId }}>
        {bizOrderNo}
      </RowLink>
    );
  if (external)
    return (
      <span title={bizOrderNo}>
        <Tag tone="idle">外部</Tag> {bizOrderNo}
      </span>
    );
  if (!hasOrder(changeType)) return bizOrderNo;
  return (
    <RowLink noun={orders[changeType]} row={{ id: bizOrderNo }}>
      {bizOrderNo}
    </RowLink>
  );
}

/** The ledger: every movement of every account, as it was written once and for all. */
export function AccountHistoryScreen() {
  return (
    <ListScreen
      endpoint={pageAccountHistory}
      search={['userId', 'username', 'changeType', 'direction', 'bizOrderNo', 'createTimeRange']}
      columns={[
        { field: 'account.userId', width: 90 },
        { field: 'account.username', label: '登录账号' },
        'account.nickName',
        'originAmount',
        { field: 'amount', width: 128, render: signed },
        'newAmount',
        'changeType',
        { field: 'bizOrderNo', width: 130, render: orderNumber },
        'desc',
        'createTime',
        { field: 'sealed', width: 76, render: ({ sealed }) => !sealed && <Tag tone="idle">未封存</Tag> },
      ]}
    />
  );
}
