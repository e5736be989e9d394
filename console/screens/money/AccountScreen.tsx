import { type Account, addBalance, pageAccounts, subtractBalance } from '#contract/accounts.ts';
import { DrillDowns } from '../../kit/DrillDowns.tsx';
import { FormButton } from '../../kit/FormButton.tsx';
import { ListScreen } from '../../kit/ListScreen.tsx';
import { MenuButton } from '../../kit/MenuButton.tsx';
import { moneyText } from '../../kit/money.ts';
import './money.css';

/** The amount to move, under what there is to move it from. */
const fieldsOf = ({ availableAmount }: Account) =>
  [
    {
      field: 'id',
      label: '可用余额',
      input: () => <output className="money-change">{moneyText(availableAmount)}</output>,
    },
    'balance',
  ] as const;

const nameOf = ({ username, nickName }: Account): string =>
  username ? `${nickName}（${username}）` : nickName;

const actions = (account: Account) => (
  <>
    <FormButton
      endpoint={addBalance}
      fields={fieldsOf(account)}
      initial={{ id: account.id }}
      title={`人工加款：${nameOf(account)}`}
    >
      加款
    </FormButton>
    <FormButton
      endpoint={subtractBalance}
      fields={fieldsOf(account)}
      initial={{ id: account.id }}
      title={`人工扣款：${nameOf(account)}`}
    >
      扣款
    </FormButton>
    <MenuButton label="明细">
      <DrillDowns noun="user" id={account.userId} except="/main/user/account" />
    </MenuButton>
  </>
);

/** What every player has, and moving it by hand. */
export function AccountScreen() {
  return (
    <ListScreen
      endpoint={pageAccounts}
      search={['userId', 'username', 'agentId']}
      columns={[
        { field: 'userId', width: 90 },
        'username',
        'nickName',
        'totalAmount',
        'availableAmount',
        'freezeAmount',
      ]}
      rowActions={actions}
    />
  );
}
