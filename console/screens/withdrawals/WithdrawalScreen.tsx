import { markWithdrawal, pageWithdrawals, type Withdrawal } from '#contract/withdrawals.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Decision, FormButton, moneyText } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
import { Absent } from '../../kit/overlay/index.ts';
import {
  Balance,
  isOthers,
  OrderDetail,
  outcomeOf,
  remarkField,
  Taken,
  useAsOfNow,
} from '../../parts/money/OrderParts.tsx';

const decisions = [
  { action: 'PAID', word: '已打款' },
  { action: 'REJECT', word: '拒绝' },
] as const;

type Action = (typeof decisions)[number]['action'];

const afterwards: Readonly<Record<Action, (order: Withdrawal) => string | null>> = {
  PAID: ({ balanceAfter }) => balanceAfter,
  REJECT: ({ balanceRejected }) => balanceRejected,
};

/** The account's total before and after, as it is while the form is open. */
function Total({ order, action }: { readonly order: Withdrawal; readonly action: Action }) {
  const { data } = useEndpoint(pageWithdrawals, { id: order.id }, useAsOfNow());
  return <Balance order={order} now={data?.data[0]} after={afterwards[action]} />;
}

const outcomes = { SUCCESS: '已打款', FAIL: '已拒绝' };

const SUBMITTED = '打款正待复核；驳回或撤回之后才能另作处理';

/**
 * Only an order that waits, that nobody else has taken at the money desk, and whose payment does not wait for a second operator can be marked, with a
 * remark, under the balance before and after.
 */
const actions = (order: Withdrawal) => {
  if (isOthers(order)) return <Taken order={order} />;
  if (order.submitted)
    return (
      <span className="money-outcome" title={SUBMITTED}>
        待复核
      </span>
    );
  return (
    <Decision waits={order.status === 'PROCESSING'} outcome={outcomeOf(order, outcomes)} label="标记">
      {decisions.map(({ action, word }) => (
        <FormButton
          key={action}
          endpoint={markWithdrawal}
          fields={[
            {
              field: 'id',
              label: '账户总金额',
              input: () => <Total order={order} action={action} />,
            },
            ...(action === 'PAID' ? (['fromName', 'fromAccountNo'] as const) : []),
            remarkField(action === 'REJECT'),
          ]}
          initial={{ id: order.id, action }}
          title={`标记提现订单 ${order.id} 为${word}：${moneyText(order.amount)}`}
          bulk
        >
          {word}
        </FormButton>
      ))}
    </Decision>
  );
};

const receiver = ({ receiveAccount: { realName, alias } }: Withdrawal) =>
  [realName, alias].filter((name) => name !== null).join(' / ') || <Absent />;

/** Money that players want out, to be paid or rejected. */
export function WithdrawalScreen() {
  return (
    <ListScreen
      endpoint={pageWithdrawals}
      search={['id', 'bankOrderNo', 'userId', 'username', 'type', 'status', 'createTimeRange']}
      columns={[
        { field: 'id', width: 76 },
        { field: 'userId', width: 76 },
        { field: 'amount', width: 100 },
        { field: 'usdtAmount', width: 92 },
        { field: 'bankOrderNo', width: 164 },
        { label: '收款人/别名', width: 130, render: receiver },
        { field: 'receiveAccount.accountNo', width: 140 },
        { field: 'fromName', width: 92 },
        { field: 'fromAccountNo', width: 140 },
        'type',
        { field: 'status', width: 80 },
        'createTime',
        'successTime',
      ]}
      about={[
        ...(['id', 'userId', 'username', 'amount', 'usdtAmount', 'type'] as const),
        ...(['receiveAccount.realName', 'receiveAccount.alias', 'receiveAccount.accountNo'] as const),
        ...(['fromName', 'fromAccountNo', 'bankOrderNo'] as const),
      ]}
      rowActions={actions}
      expand={(order) => <OrderDetail order={order} />}
    />
  );
}
