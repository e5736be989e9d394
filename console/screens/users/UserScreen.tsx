import { addUser, pageUsers, type User } from '#contract/users.ts';
import { FormButton, ImportButton, MenuButton } from '../../kit/form/index.ts';
import { DrillDowns, ListScreen } from '../../kit/list/index.ts';
import { AddChat } from '../../parts/users/AddChat.tsx';
import { BettingState } from '../../parts/users/BettingState.tsx';
import { MayBet } from '../../parts/users/MayBet.tsx';

const actions = (user: User) => (
  <>
    <AddChat user={user} />
    <MenuButton label="相关">
      <DrillDowns noun="user" id={user.id} />
    </MenuButton>
    <BettingState user={user} />
  </>
);

/** Players of the platform. */
export function UserScreen() {
  return (
    <ListScreen
      endpoint={pageUsers}
      search={[
        'id',
        'username',
        'realName',
        'nickName',
        'agentId',
        'level',
        'phone',
        'email',
        'createTimeRange',
        'frozen',
        'testAccount',
      ]}
      columns={[
        'id',
        'username',
        'realName',
        'nickName',
        'agentId',
        { field: 'level', width: 60 },
        'phone',
        { field: 'parentId', width: 80 },
        { field: 'email', width: 190 },
        { field: 'frozen', label: '投注状态', width: 120, render: (user) => <MayBet user={user} /> },
        'createTime',
      ]}
      toolbar={
        <>
          <FormButton endpoint={addUser} fields={['nickName']} submit="新增">
            新增
          </FormButton>
          <ImportButton endpoint={addUser} />
        </>
      }
      rowActions={actions}
    />
  );
}
