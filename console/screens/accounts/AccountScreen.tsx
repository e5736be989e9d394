import { type Account, pageAccounts } from '#contract/accounts.ts';
import { MenuButton } from '../../kit/form/index.ts';
import { DrillDowns, ListScreen } from '../../kit/list/index.ts';
import { MoveMoney } from '../../parts/money/MoveMoney.tsx';
import { Requirements } from '../../parts/money/Requirements.tsx';

const actions = (account: Account) => (
  <>
    <MoveMoney account={account} />
    <MenuButton label="相关">
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
        'debt',
      ]}
      rowActions={actions}
      expand={({ userId }) => <Requirements userId={userId} />}
    />
  );
}
