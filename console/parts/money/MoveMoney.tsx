import { type Account, addBalance, pageAccounts, subtractBalance, writeOffDebt } from '#contract/accounts.ts';
import { useEndpoint } from '../../kit/call/index.ts';
import { FormButton, type InputProps, moneyText } from '../../kit/form/index.ts';
import { availableAfter } from './available-after.ts';
import { useAsOfNow } from './OrderParts.tsx';
import './money.css';

/** What is available now and, once an amount is entered, what it comes to; then the amount and why it is moved. */
const fieldsOf = (account: Account, sign: 1 | -1) =>
  [
    {
      field: 'id',
      label: '可用余额',
      input: ({ values }: InputProps) => <Change account={account} sign={sign} amount={values.balance} />,
    },
    'balance',
    { field: 'remark', placeholder: '为什么调整，写入账变记录' },
  ] as const;

interface ChangeProps {
  readonly account: Account;
  readonly sign: 1 | -1;
  readonly amount: unknown;
}

/** The row may have been read long ago: what is available is asked for anew, and a difference is said, since somebody else may have done this already. */
function Change({ account, sign, amount }: ChangeProps) {
  const { userId, availableAmount: shown } = account;
  const { data } = useEndpoint(pageAccounts, { userId }, useAsOfNow());
  const known = data?.data[0] ?? account;
  const after = availableAfter(known, sign, amount);
  const now = moneyText(known.availableAmount);
  return (
    <output className="money-change">
      {after === undefined ? now : `${now} → ${moneyText(after)}`}
      {known.availableAmount !== shown && <strong>（已变动，此前显示为 {moneyText(shown)}）</strong>}
    </output>
  );
}

const nameOf = ({ username, nickName }: Account): string =>
  username ? `${nickName}（${username}）` : nickName;

/** Moving an account's money by hand, and giving up what it owes. */
export const MoveMoney = ({ account }: { readonly account: Account }) => (
  <>
    <FormButton
      endpoint={addBalance}
      fields={fieldsOf(account, 1)}
      initial={{ id: account.id }}
      title={`人工加款：${nameOf(account)}`}
    >
      加款
    </FormButton>
    <FormButton
      endpoint={subtractBalance}
      fields={fieldsOf(account, -1)}
      initial={{ id: account.id }}
      title={`人工扣款：${nameOf(account)}`}
    >
      扣款
    </FormButton>
    {Number(account.debt) > 0 && (
      <FormButton
        endpoint={writeOffDebt}
        fields={['amount', { field: 'reason', placeholder: '为什么不再追回，写入操作日志' }]}
        initial={{ id: account.id, amount: account.debt }}
        title={`核销欠款：${nameOf(account)}`}
      >
        核销
      </FormButton>
    )}
  </>
);
