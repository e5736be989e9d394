import { type Deposit, pageDeposits, reviewDeposit } from '#contract/deposits.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { Decision, FormButton, moneyText } from '../../kit/form/index.ts';
import { ListScreen } from '../../kit/list/index.ts';
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
  { action: 'PASS', word: '通过' },
  { action: 'REJECT', word: '拒绝' },
] as const;

type Action = (typeof decisions)[number]['action'];

const afterwards: Readonly<Record<Action, (order: Deposit) => string | null>> = {
  PASS: ({ balanceAfter }) => balanceAfter,
  REJECT: ({ balanceBefore }) => balanceBefore,
};

/** The account's total before and after, as it is while the form is open. */
function Total({ order, action }: { readonly order: Deposit; readonly action: Action }) {
  const { data } = useEndpoint(pageDeposits, { id: order.id }, useAsOfNow());
  return <Balance order={order} now={data?.data[0]} after={afterwards[action]} />;
}

const outcomes = { SUCCESS: '已通过', FAIL: '已拒绝' };

/** Only an order that waits, and that nobody else has taken at the money desk, can be decided, with a remark, under the balance before and after. */
const actions = (order: Deposit) =>
  isOthers(order) ? (
    <Taken order={order} />
  ) : (
    <Decision waits={order.status === 'PROCESSING'} outcome={outcomeOf(order, outcomes)} label="审核">
      {decisions.map(({ action, word }) => (
        <FormButton
          key={action}
          endpoint={reviewDeposit}
          fields={[
            {
              field: 'id',
              label: '账户总金额',
              input: () => <Total order={order} action={action} />,
            },
            remarkField(action === 'REJECT'),
          ]}
          initial={{ id: order.id, action }}
          title={`${word}充值订单 ${order.id}：${moneyText(order.amount)}`}
          bulk
        >
          {word}
        </FormButton>
      ))}
    </Decision>
  );

/** Money that players paid in, to be passed or rejected. */
export function DepositScreen() {
  return (
    <ListScreen
      endpoint={pageDeposits}
      search={['id', 'bankOrderNo', 'userId', 'username', 'type', 'status', 'createTimeRange']}
      columns={[
        { field: 'id', width: 76 },
        { field: 'userId', width: 76 },
        { field: 'amount', width: 100 },
        { field: 'usdtAmount', width: 92 },
        { field: 'bankOrderNo', width: 164 },
        { field: 'fromName', width: 92 },
        { field: 'fromAccountNo', width: 140 },
        'type',
        { field: 'status', width: 80 },
        'createTime',
        'successTime',
      ]}
      about={[
        'id',
        'userId',
        'username',
        'amount',
        'usdtAmount',
        'type',
        'fromName',
        'fromAccountNo',
        'bankOrderNo',
      ]}
      rowActions={actions}
      expand={(order) => <OrderDetail order={order} />}
    />
  );
}
